// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans that can lock: against a plain search on a matrix, and the cases that have a name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/routes/deadlock.h>
#include <flitloom/link/image.h>
#include <flitloom/plan.h>

#include "base/rng.h"
#include "unit/help/deadlock_checks.h"

static unsigned users_of(const struct loom_plan *plan, uint32_t pass, uint32_t channel)
{
	unsigned n = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		uint32_t route[ROUTE_MOST];
		unsigned length = under_way(plan, i, pass) ? lanes_of_message(plan, i, route) : 0;
		for (unsigned k = 0; k < length; k++)
			n += route[k] == channel;
	}
	return n;
}

// Returns the first pass with a circle, by the matrix of the lanes that messages hold and request; n_passes if there is
// none.
static uint32_t locking_pass(const struct loom_plan *plan)
{
	static struct matrix m;
	for (uint32_t pass = 0; pass < (plan->free_running ? 1 : plan->n_passes); pass++) {
		matrix_clear(&m, loom_topo_channels(&plan->topo) * plan->topo.n_vcs);
		for (size_t i = 0; i < plan->n_messages; i++)
			if (under_way(plan, i, pass))
				(void)matrix_add_route(&m, &plan->topo, plan->map[plan->messages[i].source],
				                       plan->map[plan->messages[i].destination],
				                       plan->messages[i].rule);
		if (matrix_has_circle(&m))
			return pass;
	}
	return plan->n_passes;
}

// Checks everything that the header says of a circle.
static void check_circle(const struct loom_plan *plan, const struct loom_dependency_cycle *circle)
{
	size_t n = circle->n_channels, n_of_first = 0;
	for (size_t i = 0; i < n; i++) {
		const struct loom_dependency_channel *at = &circle->channel[i], *after = &circle->channel[(i + 1) % n];
		const struct loom_plan_message *m = &plan->messages[at->message];
		uint32_t route[ROUTE_MOST];
		assert_true(under_way(plan, at->message, circle->pass));
		assert_int_equal(at->source, plan->map[m->source]);
		assert_int_equal(at->destination, plan->map[m->destination]);
		assert_int_equal(at->rule, m->rule);
		uint32_t lane = lane_of(&plan->topo, at->channel, at->vc);
		assert_true(users_of(plan, circle->pass, lane) >= 2);
		unsigned length = lanes_of_message(plan, at->message, route), k = 0;
		while (k < length && route[k] != lane)
			k++;
		assert_true(k < length);
		for (k++; k < length && route[k] != lane_of(&plan->topo, after->channel, after->vc); k++)
			assert_int_equal(users_of(plan, circle->pass, route[k]), 1);
		assert_true(k < length);
		assert_true(i == 0 || at->channel > circle->channel[0].channel);
		n_of_first += at->message == circle->channel[0].message;
	}
	assert_true(n == 0 || n_of_first < n);
}

// Checks that the plan is refused exactly if the plain search finds a circle. Returns true if it is refused.
static bool check_plan(const struct loom_plan *plan, uint64_t seed)
{
	struct loom_dependency_cycle circle = {.n_channels = 77};
	struct loom_err err = {0};
	uint32_t pass = locking_pass(plan);
	assert_int_equal(loom_deadlock_find_in_plan(&circle, plan, &err), 0);
	if ((circle.n_channels > 0) != (pass < plan->n_passes) || (circle.n_channels && circle.pass != pass))
		fail_msg("%s, seed %llu: circle of %zu channels in pass %u, not %u of %u", plan->topo.name,
		         (unsigned long long)seed, circle.n_channels, circle.pass, pass, plan->n_passes);
	check_circle(plan, &circle);
	assert_int_equal(loom_deadlock_check(plan, &err), circle.n_channels ? LOOM_EINPUT : 0);
	bool locks = circle.n_channels > 0;
	loom_dependency_cycle_free(&circle);
	assert_null(circle.channel);
	return locks;
}

static void random_plan_on(struct loom_plan *plan, const char *fabric, uint64_t seed)
{
	struct loom_rng rng;
	loom_rng_init(&rng, seed);
	uint32_t n_passes = 1 + rng_below(&rng, 3);
	plan_without_messages(plan, fabric, n_passes, rng_below(&rng, 5));
	plan->free_running = rng_below(&rng, 6) == 0;
	for (uint32_t pass = 0; pass < n_passes; pass++) {
		uint32_t n_messages = rng_below(&rng, 2 * plan->topo.n_nodes + 4);
		unsigned n_rules = loom_topo_rules_count(&plan->topo),
			 rules = rng_below(&rng, n_rules + 1); // one of them, or all
		for (uint32_t k = 0; k < n_messages && plan->n_messages < MESSAGES_MOST; k++)
			add_random_message(plan, pass, rules < n_rules ? rules : rng_below(&rng, n_rules), &rng);
	}
}

static void test_plans(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		bool locks; // some plans do
	} fabrics[] = {{"cube:1", false},     {"cube:2", true},    {"cube:3", true},       {"cube:4", true},
	               {"cube:5", true},      {"cube:6", true},    {"omega:8", false},     {"icube:8", false},
	               {"ricube:8", false},   {"line:9", false},   {"ring:3", false},      {"ring:4", true},
	               {"ring:5", true},      {"ring:8", true},    {"torus:1x4", true},    {"torus:5x3", true},
	               {"ring:5v2", false},   {"ring:8v2", false}, {"torus:1x4v2", false}, {"torus:4x4", true},
	               {"otis-mesh:4", true}, {"mesh:1x7", false}, {"mesh:4x4", true},     {"mesh:4x3x2", true}};
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++) {
		unsigned n_locking = 0, n_plans = 100;
		for (uint64_t seed = 1; seed <= n_plans; seed++) {
			struct loom_plan plan;
			random_plan_on(&plan, fabrics[f].fabric, seed * 100 + f);
			n_locking += check_plan(&plan, seed * 100 + f);
			loom_plan_free(&plan);
		}
		print_message("%s: %u of %u plans can lock\n", fabrics[f].fabric, n_locking, n_plans);
		assert_true(fabrics[f].locks ? n_locking > 5 && n_locking < 95 : n_locking == 0);
	}
}

// Round the four nodes of cube:2, each message two hops: 0->1->3 and 3->2->0 by dimension 0 first, 1->3->2 and 2->0->1
// by dimension 1 first. Each one's second channel is the next one's first.
static void add_ring(struct loom_plan *plan, uint32_t pass)
{
	add_message(plan, pass, 0, 3, LOOM_RULE_ASCENDING);
	add_message(plan, pass, 1, 2, LOOM_RULE_DESCENDING);
	add_message(plan, pass, 3, 0, LOOM_RULE_ASCENDING);
	add_message(plan, pass, 2, 1, LOOM_RULE_DESCENDING);
}

static void test_ring_of_four(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_dependency_cycle circle;
	struct loom_err err = {0};
	plan_without_messages(&plan, "cube:2", 3, 0);
	add_message(&plan, 0, 0, 3, LOOM_RULE_ASCENDING);
	add_ring(&plan, 1);
	add_message(&plan, 2, 1, 2, LOOM_RULE_ASCENDING);
	assert_int_equal(loom_deadlock_find_in_plan(&circle, &plan, &err), 0);
	// Channels of cube:2 are node * 4 + dimension: 0->1, 1->3, 3->2, 2->0.
	static const uint32_t channels[] = {0, 5, 12, 9}, messages[] = {1, 2, 3, 4};
	assert_int_equal(circle.n_channels, 4);
	assert_int_equal(circle.pass, 1);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(circle.channel[i].channel, channels[i]);
		assert_int_equal(circle.channel[i].message, messages[i]);
	}
	loom_dependency_cycle_free(&circle);
	assert_int_equal(loom_deadlock_check(&plan, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "pass 1 can lock, each message waiting for the next one's channel: "
	                              "0->1 (dim 0) held by message 1, 1->3 (dim 1) held by message 2, "
	                              "3->2 (dim 0) held by message 3, 2->0 (dim 1) held by message 4; "
	                              "send them in different passes, as planner greedy does");

	// The image also checks for circles, unless the options allow them.
	struct loom_image_options options = {.machine = LOOM_MACHINE_FAST};
	assert_int_equal(loom_plan_predict(&plan, &err), 0);
	assert_int_equal(loom_image_check(&plan, &options, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "pass 1 can lock"));
	options.may_lock = true;
	assert_int_equal(loom_image_check(&plan, &options, &err), 0);

	// Three of them leave the ring open, and so do all of them when one goes in another pass.
	plan.messages[4].pass = 2;
	assert_int_equal(loom_deadlock_check(&plan, &err), 0);
	// A free run has no barrier between them.
	plan.free_running = true;
	assert_int_equal(loom_deadlock_check(&plan, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "the free run can lock"));
	loom_plan_free(&plan);
}

// The same on a ring, by one rule; opposite messages share no channel.
static void test_ring(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"ring:4", "torus:1x4", "torus:4x1"};
	for (size_t f = 0; f < 3; f++) {
		struct loom_plan plan;
		struct loom_dependency_cycle circle;
		struct loom_err err = {0};
		plan_without_messages(&plan, fabrics[f], 2, 0);
		for (uint32_t i = 0; i < 4; i++)
			add_message(&plan, 0, i, (i + 2) % 4, LOOM_RULE_ASCENDING);
		assert_int_equal(loom_deadlock_find_in_plan(&circle, &plan, &err), 0);
		assert_int_equal(circle.n_channels, 4);
		for (uint32_t i = 0; i < 4; i++)
			assert_int_equal(circle.channel[i].message, i);
		loom_dependency_cycle_free(&circle);
		assert_int_equal(loom_topo_set_vcs(&plan.topo, 2, &err), 0);
		assert_int_equal(loom_deadlock_check(&plan, &err), 0);
		assert_int_equal(loom_topo_set_vcs(&plan.topo, 1, &err), 0);
		assert_int_equal(loom_deadlock_check(&plan, &err), LOOM_EINPUT);
		assert_non_null(
			strstr(err.text, f < 2 ? "3->0 (+x) held by message 3" : "3->0 (+y) held by message 3"));
		plan.messages[1] = plan.messages[2];
		plan.messages[2].source = 1;
		plan.messages[2].destination = 3;
		plan.messages[2].pass = plan.messages[3].pass = 1;
		assert_int_equal(loom_deadlock_check(&plan, &err), 0);
		loom_plan_free(&plan);
	}
}

// A circle too long for a line is cut between two channels, and the rest counted.
static void test_long_circle(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_err err = {0};
	plan_without_messages(&plan, "ring:64", 1, 0);
	for (uint32_t i = 0; i < 64; i++)
		add_message(&plan, 0, i, (i + 30) % 64, LOOM_RULE_ASCENDING);
	assert_int_equal(loom_deadlock_check(&plan, &err), LOOM_EINPUT);
	size_t n_named = 0, n_more = 0;
	for (const char *at = err.text; (at = strstr(at, " held by message ")); at++)
		n_named++;
	const char *rest = strstr(err.text, " and ");
	assert_non_null(rest);
	assert_int_equal(sscanf(rest, " and %zu more; send them in different passes, as planner greedy does", &n_more),
	                 1);
	assert_int_equal(n_named + n_more, 64);
	assert_non_null(strstr(rest, ", or use fabric ring:64v2")); // the links of rings can have two virtual channels
	assert_true(n_named >= 3 && strlen(err.text) <= 296);       // with the name of a file before it still one line
	loom_plan_free(&plan);
}

// Without contention no pass locks: two of the four, which share no channel, and the other two after them.
static void test_no_contention(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_err err = {0};
	plan_without_messages(&plan, "cube:2", 2, 1);
	add_message(&plan, 0, 0, 3, LOOM_RULE_ASCENDING);
	add_message(&plan, 0, 3, 0, LOOM_RULE_ASCENDING);
	add_message(&plan, 1, 1, 2, LOOM_RULE_DESCENDING);
	add_message(&plan, 1, 2, 1, LOOM_RULE_DESCENDING);
	assert_int_equal(loom_deadlock_check(&plan, &err), 0);
	plan.n_messages = 0;
	assert_int_equal(loom_deadlock_check(&plan, &err), 0);
	loom_plan_free(&plan);
}

// A plan that can lock is not read from a file; loom_plan_write does not mind, as nothing is loaded by it.
static void test_file(void **state)
{
	(void)state;
	char path[] = "/tmp/flitloom-deadlock-XXXXXX";
	struct loom_plan plan, again;
	struct loom_err err = {0};
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	plan_without_messages(&plan, "cube:2", 1, 0);
	add_ring(&plan, 0);
	if (loom_plan_predict(&plan, &err) != 0 || loom_plan_write(&plan, path, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(loom_plan_read(&again, path, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, path));
	assert_non_null(strstr(err.text,
	                       "pass 0 can lock, each message waiting for the next one's channel: 0->1 (dim 0) held "
	                       "by message 0, "));
	assert_non_null(strstr(err.text, "; send them in different passes, as planner greedy does"));
	(void)remove(path);
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans),       cmocka_unit_test(test_ring_of_four),  cmocka_unit_test(test_ring),
		cmocka_unit_test(test_long_circle), cmocka_unit_test(test_no_contention), cmocka_unit_test(test_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
