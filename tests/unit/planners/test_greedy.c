// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planner greedy: passes without contention on every direct network, nothing lost, few passes.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <flitloom/plan.h>

#include "unit/help/cut_checks.h"

static const char *const fabrics[] = {"cube:1",    "cube:4",    "line:2",    "line:9",     "ring:2",    "ring:3",
                                      "ring:8",    "mesh:3x5",  "mesh:1x6",  "mesh:3x2x4", "torus:2x2", "torus:1x4",
                                      "torus:5x3", "torus:4x4", "torus:8x8", "torus:3x2x4"};

static void test_every_network(void **state)
{
	(void)state;
	static const char *const specs[] = {"random-perm", "uniform:40", "hotspot:1", "all-to-all", "identity"};
	unsigned permutations = 0, optimal = 0;
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++)
			for (uint64_t seed = 1; seed <= (s < 2 ? 20 : 1); seed++) {
				struct loom_plan plan;
				struct loom_pattern pattern;
				cut_by(&plan, &pattern, "greedy", fabrics[f], specs[s], seed);
				unsigned busiest = cut_check(&plan);
				cut_check_messages(&plan, &pattern);
				if (plan.n_passes < busiest)
					fail_msg("%s %s: %" PRIu32 " passes for %u messages on one channel", fabrics[f],
					         specs[s], plan.n_passes, busiest);
				assert_true(loom_plan_contention(&plan) <= 1);
				assert_true(loom_plan_cycles(&plan) != LOOM_CYCLES_UNKNOWN);
				permutations += s == 0;
				optimal += s == 0 && plan.n_passes == (busiest ? busiest : 1);
				loom_plan_free(&plan);
				loom_pattern_free(&pattern);
			}
	// Rings are the hard case: there the least number of passes may be above the bound. Meshes and tori mostly meet it.
	print_message("%u of %u permutations in as many passes as messages on the busiest channel\n", optimal,
	              permutations);
	assert_true(optimal * 10 >= permutations * 9);
}

// Members of a set share no pass, and an order of the objective is told.
static void test_sets(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_pattern pattern;
	cut_by(&plan, &pattern, "greedy", "torus:4x4", "set:transpose+bit-reverse", 1);
	(void)cut_check(&plan);
	cut_check_messages(&plan, &pattern);
	assert_int_equal(plan.n_members, 2);
	for (uint32_t p = 1; p < plan.n_passes; p++)
		assert_true(plan.member_of_pass[p] >= plan.member_of_pass[p - 1]);
	assert_int_equal(plan.member_of_pass[plan.n_passes - 1], 1);
	assert_string_equal(plan.objective, "maxmax");
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
}

static bool stop_at_once(void *n_asked)
{
	return ++*(unsigned *)n_asked > 0;
}

// With a budget the search goes on until that is used up or the caller ends it; without one it does not call the
// caller.
static void test_budget(void **state)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	const struct loom_pattern_options seed = {.flits = 17, .seed = 3};
	struct loom_plan plain, ended, searched;
	unsigned n_asked = 0;
	struct loom_plan_options options = {.planner = "greedy", .stopped = stop_at_once, .user = &n_asked};
	(void)state;
	assert_int_equal(loom_topo_parse(&topo, "torus:4x4", NULL), 0);
	assert_int_equal(loom_pattern_parse(&pattern, "uniform:100", 16, &seed, NULL), 0);
	assert_int_equal(loom_plan_make(&plain, &topo, &pattern, &options, NULL), 0);
	assert_int_equal(n_asked, 0);
	options.budget_seconds = 1000;
	assert_int_equal(loom_plan_make(&ended, &topo, &pattern, &options, NULL), 0);
	assert_true(n_asked > 0);
	options.budget_seconds = 0.1;
	options.stopped = NULL;
	assert_int_equal(loom_plan_make(&searched, &topo, &pattern, &options, NULL), 0);
	assert_true(loom_plan_cycles(&searched) <= loom_plan_cycles(&ended));
	assert_true(loom_plan_contention(&ended) <= 1 && loom_plan_contention(&searched) <= 1);
	loom_plan_free(&plain);
	loom_plan_free(&ended);
	loom_plan_free(&searched);
	loom_pattern_free(&pattern);
}

// It is never the default planner. It also accepts multistage networks.
static void test_who_accepts(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_pattern pattern;
	struct loom_topo topo;
	struct loom_err err = {0};
	const struct loom_pattern_options options = {.flits = 3, .seed = 1};
	const struct loom_plan_options greedy = {.planner = "greedy"}, any = {0};
	assert_int_equal(loom_topo_parse(&topo, "mesh:3x3", &err), 0);
	assert_int_equal(loom_pattern_parse(&pattern, "random-perm", 9, &options, &err), 0);
	assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &any, &err), 0);
	assert_string_equal(plan.planner, "direct");
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	assert_int_equal(loom_topo_parse(&topo, "omega:8", &err), 0);
	assert_int_equal(loom_pattern_parse(&pattern, "random-perm", 8, &options, &err), 0);
	assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &greedy, &err), 0);
	assert_true(loom_plan_cycles(&plan) != LOOM_CYCLES_UNKNOWN);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_network),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_who_accepts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
