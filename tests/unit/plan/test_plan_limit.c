// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The cycles that no run of a plan can take: never fewer than the reference machine takes, in either timing, whatever
// collides with what; and few enough to be of use.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include <flitloom/plan.h>

#include "reference/reference.h"
#include "base/rng.h"

enum { MESSAGES = 60 };

static void plan_messages(struct loom_plan *out, const char *fabric, const struct loom_message *messages, size_t n,
                          const char *planner)
{
	struct loom_err err = {0};
	struct loom_topo topo;
	struct loom_pattern pattern;
	const struct loom_plan_options options = {.map = "identity", .planner = planner};
	if (loom_topo_parse(&topo, fabric, &err) ||
	    loom_pattern_from_messages(&pattern, "list", topo.n_nodes, messages, n, &err) ||
	    loom_plan_make(out, &topo, &pattern, &options, &err))
		fail_msg("%s", err.text);
	loom_pattern_free(&pattern);
}

// Cycles of the reference machine for the messages of a plan of one pass that leave their node.
static uint64_t machine_cycles(const struct loom_plan *plan, enum ref_timing timing)
{
	struct ref_message list[MESSAGES] = {0};
	struct ref_arrival arrivals[MESSAGES];
	const struct ref_machine machine = {.n_dims = plan->topo.n_dims,
	                                    .n_slots = 2,
	                                    .order = REF_ASCENDING,
	                                    .timing = timing,
	                                    .tie = REF_TIE_PORT};
	size_t n = 0;
	uint64_t most = 0;
	for (size_t i = 0; i < plan->n_messages; i++)
		if (loom_plan_uses_network(plan, &plan->messages[i]))
			list[n++] = (struct ref_message){plan->messages[i].source, plan->messages[i].destination,
			                                 plan->messages[i].flits};
	assert_int_equal(ref_machine_run(arrivals, NULL, &machine, list, n), 0);
	for (size_t i = 0; i < n; i++)
		most = arrivals[i].done_cycle > most ? arrivals[i].done_cycle : most;
	return most;
}

static void test_machine(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 20261121);
	for (int run = 0; run < 400; run++) {
		char fabric[16];
		unsigned dims = 1 + (unsigned)loom_rng_below(&rng, 5);
		uint32_t n_nodes = 1u << dims, longest = run % 3 ? 4 : 60;
		size_t n = 1 + (size_t)loom_rng_below(&rng, MESSAGES);
		bool to_one = run % 4 == 0, from_one = run % 4 == 1;
		struct loom_message messages[MESSAGES];
		struct loom_plan plan;
		uint64_t flits = 0;
		for (size_t i = 0; i < n; i++) {
			uint32_t source = from_one ? 0 : (uint32_t)loom_rng_below(&rng, n_nodes);
			uint32_t destination = to_one ? n_nodes - 1 : (uint32_t)loom_rng_below(&rng, n_nodes);
			messages[i] = (struct loom_message){source, destination,
			                                    1 + (uint32_t)loom_rng_below(&rng, longest), 0};
			flits += messages[i].flits;
		}
		(void)snprintf(fabric, sizeof fabric, "cube:%u", dims);
		plan_messages(&plan, fabric, messages, n, "direct");
		assert_int_equal(plan.n_passes, 1);
		uint64_t limit = loom_plan_cycle_limit(&plan);
		assert_true(machine_cycles(&plan, REF_FAST) <= limit);
		assert_true(machine_cycles(&plan, REF_PAPER) <= limit);
		assert_true(limit <= 64 + 20 * (dims + 2) * flits); // it ends a faulty run soon
		loom_plan_free(&plan);
	}
}

// A message more, or a flit more, never makes the limit less; passes are not added up.
static void test_grows(void **state)
{
	(void)state;
	struct loom_message messages[MESSAGES];
	uint64_t before = 0;
	for (size_t n = 1; n <= MESSAGES; n++) {
		struct loom_plan plan;
		messages[n - 1] = (struct loom_message){(uint32_t)n % 7, 7, 5, 0};
		plan_messages(&plan, "cube:3", messages, n, "direct");
		uint64_t limit = loom_plan_cycle_limit(&plan);
		assert_true(limit >= before && limit > loom_plan_message_cycles(&plan, &plan.messages[0]));
		before = limit;
		for (size_t i = 0; i < plan.n_messages; i++) // separate passes are known; the longest counts
			plan.messages[i].pass = (uint32_t)i;
		plan.n_passes = (uint32_t)n;
		free(plan.member_of_pass);
		plan.member_of_pass = calloc(n, sizeof *plan.member_of_pass);
		assert_non_null(plan.member_of_pass);
		if (loom_plan_predict(&plan, NULL) != 0)
			fail_msg("%zu passes", n);
		uint64_t hops = n < 7 ? 2 : 3; // message 7 is the first from node 0
		assert_int_equal(loom_plan_cycle_limit(&plan), 64 + 4 * (5 + hops + 1));
		loom_plan_free(&plan);
	}
}

// The limit is above every predicted length: passes free of contention, and free runs as a whole.
static void test_known(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:4", "omega:8", "baseline:16"};
	for (size_t f = 0; f < sizeof fabrics / sizeof *fabrics; f++) {
		struct loom_err err = {0};
		struct loom_topo topo;
		struct loom_pattern pattern;
		struct loom_plan plan;
		const struct loom_pattern_options pattern_options = {.flits = 300, .seed = 1};
		const struct loom_plan_options options = {.map = "identity"};
		if (loom_topo_parse(&topo, fabrics[f], &err) ||
		    loom_pattern_parse(&pattern, "all-to-all", topo.n_nodes, &pattern_options, &err) ||
		    loom_plan_make(&plan, &topo, &pattern, &options, &err))
			fail_msg("%s", err.text);
		uint64_t cycles = loom_plan_cycles(&plan);
		assert_true(cycles != LOOM_CYCLES_UNKNOWN);
		uint64_t longest = plan.free_running ? cycles : cycles / plan.n_passes;
		assert_true(loom_plan_cycle_limit(&plan) >= 2 * longest);
		assert_true(loom_plan_cycle_limit(&plan) <= 64 + 5 * longest);
		if (plan.free_running) { // with contention, whose cycles are not predicted
			plan.cycles[1] = LOOM_CYCLES_UNKNOWN;
			assert_true(loom_plan_cycle_limit(&plan) >= 2 * cycles);
		}
		loom_plan_free(&plan);
		loom_pattern_free(&pattern);
	}
}

// Light that takes 16 cycles for a flit and comes 63 later: all messages go over one link of it, one after the other.
static void test_light(void **state)
{
	(void)state;
	enum { FLITS = 40, N = 10, RATIO = 16, LATER = 63 };
	for (unsigned known = 0; known < 2; known++) {
		struct loom_message messages[N];
		struct loom_plan plan;
		for (size_t i = 0; i < N; i++)
			messages[i] = (struct loom_message){1, 4, FLITS, 0};
		plan_messages(&plan, "otis-mesh:4l63w16", messages, N, "direct");
		assert_int_equal(plan.n_passes, 1);
		assert_true(loom_plan_uses_network(&plan, &plan.messages[0]));
		if (!known)
			plan.cycles[0] = LOOM_CYCLES_UNKNOWN;
		uint64_t limit = loom_plan_cycle_limit(&plan);
		assert_true(limit >= N * FLITS * RATIO);
		assert_true(limit <= 5 * N * FLITS * (RATIO + LATER)); // twice its way and back, and the rest
		loom_plan_free(&plan);
	}
}

// A plan without messages in the network has a limit, too; 0 would mean no limit.
static void test_nothing(void **state)
{
	(void)state;
	const struct loom_message self = {2, 2, 9, 0};
	struct loom_plan plan;
	plan_messages(&plan, "cube:2", &self, 1, "direct");
	assert_int_equal(loom_plan_cycle_limit(&plan), 64);
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machine), cmocka_unit_test(test_grows),   cmocka_unit_test(test_known),
		cmocka_unit_test(test_light),   cmocka_unit_test(test_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
