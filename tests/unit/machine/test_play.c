// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The ways of messages on the machine where those of a node to the same one differ: by the node through which
// they go, and by rule. Channels carry what the plan foretells.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <flitloom/machine.h>

#include "base/rng.h"

enum { MESSAGES = 60, FROM = 4 }; // of nodes 0 to 3, each to another one

static struct loom_plan plan_of(const char *fabric, const char *rule, uint64_t seed)
{
	const struct loom_plan_options options = {.rule = rule, .seed = seed};
	struct loom_message m[MESSAGES];
	struct loom_topo topo;
	struct loom_pattern p;
	struct loom_plan plan;
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	for (uint32_t i = 0; i < MESSAGES; i++)
		m[i] = (struct loom_message){i % FROM, (i % FROM + 5) % topo.n_nodes, 1 + i / FROM % 3, 0};
	assert_int_equal(loom_pattern_from_messages(&p, "by hand", topo.n_nodes, m, MESSAGES, NULL), 0);
	assert_int_equal(loom_plan_make(&plan, &topo, &p, &options, NULL), 0);
	loom_pattern_free(&p);
	loom_topo_free(&topo);
	return plan;
}

// Checks that each message crosses the channels of its route.
static void check(const struct loom_plan *plan)
{
	for (int paper = 0; paper <= 1; paper++) {
		const struct loom_machine_options options = {
			.image = {.machine = paper ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST}};
		struct loom_trace trace;
		assert_int_equal(loom_machine_run(&trace, plan, &options, NULL), 0);
		assert_int_equal(trace.n_arrivals, plan->n_messages);
		for (size_t at = 0; at < (size_t)trace.n_passes * trace.n_channels; at++)
			assert_int_equal(trace.counts[at].worms, plan->load[at]);
		loom_trace_free(&trace);
	}
}

static void test_vias(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"cube:3v2", "romm"}, {"cube:3v2", "valiant"}, {"mesh:4x3v2", "o1turn"}, {"torus:4x4v4", "valiant"}};
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct loom_plan plan = plan_of(rows[seed % 4][0], rows[seed % 4][1], seed);
		bool differ = false;
		for (size_t i = FROM; i < MESSAGES; i++)
			differ = differ || plan.messages[i].via != plan.messages[i - FROM].via ||
			         plan.messages[i].rule != plan.messages[i - FROM].rule;
		assert_true(differ);
		check(&plan);
		loom_plan_free(&plan);
	}
}

// On a cube in turns by ascending and by descending dimensions, and at random; then by one of these alone, which the
// engine knows.
static void test_rules(void **state)
{
	(void)state;
	unsigned n_mixed = 0; // lists of both rules that end
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct loom_plan plan = plan_of("cube:3", NULL, seed);
		struct loom_rng rng;
		loom_rng_init(&rng, seed);
		for (size_t i = 0; i < MESSAGES; i++) {
			const unsigned rule = seed % 4 == 3   ? LOOM_RULE_ASCENDING
			                      : seed % 4 == 2 ? LOOM_RULE_DESCENDING
			                      : seed % 4 == 1 ? i / FROM % 2
			                                      : (unsigned)loom_rng_below(&rng, 2);
			plan.messages[i].rule = (uint8_t)rule;
		}
		assert_int_equal(loom_plan_predict(&plan, NULL), 0);
		struct loom_machine_options options = {.image = {.may_lock = true}};
		struct loom_trace trace;
		if (loom_machine_run(&trace, &plan, &options, NULL) == 0) {
			for (size_t at = 0; at < (size_t)trace.n_passes * trace.n_channels; at++)
				assert_int_equal(trace.counts[at].worms, plan.load[at]);
			loom_trace_free(&trace);
			n_mixed += seed % 4 < 2;
		} else {
			assert_true(seed % 4 < 2); // of both rules together some lists lock
		}
		loom_plan_free(&plan);
	}
	assert_true(n_mixed > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_vias), cmocka_unit_test(test_rules)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
