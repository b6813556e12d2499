// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planner lcc_set: its plans against the optimum, and the loads against the theory.
#include <flitloom/math/lcc_set.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "plan/planners/planners.h"

#include "unit/help/lcc_sets.h"
#include "unit/help/orders.h"

#define MEMORY ((uint64_t)1 << 28)
static const char *const names[] = {"maxmax", "maxsum", "sumsum"};

static void test_planner(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 120; seed++) {
		uint64_t state = seed, bound = 0;
		unsigned n = 1 + (unsigned)(seed % 6), m;
		char name[16];
		struct loom_lcc lccs[4];
		struct loom_plan_options options = {.map = seed % 4 == 0 ? "identity" : NULL, .planner = "lcc_set"};
		struct loom_set_result best;
		struct loom_pattern pattern;
		struct loom_plan plan;
		struct loom_topo topo;
		struct loom_err err;
		enum loom_objective objective = (enum loom_objective)(seed / 6 % 3);
		do
			m = random_set(lccs, n, 4, &state);
		while (m < 2);
		options.objective = objective == LOOM_MAXMAX ? NULL : names[objective];
		snprintf(name, sizeof name, "cube:%u", n);
		check(loom_topo_parse(&topo, name, &err) == 0, seed);
		check(loom_pattern_from_lccs(&pattern, "random", lccs, m, 4, &err) == 0, seed);
		check(loom_planner_lcc_set.accepts(&topo, &pattern) && !loom_planner_lcc.accepts(&topo, &pattern),
		      seed);
		if (loom_plan_make(&plan, &topo, &pattern, &options, &err))
			fail_msg("seed %" PRIu64 ": %s", seed, err.text);
		check(!strcmp(plan.planner, "lcc_set") && !strcmp(plan.objective, names[objective]), seed);
		check(loom_lcc_set_optimize(&best, lccs, m, objective, &(struct loom_set_limits){.max_bytes = MEMORY},
		                            NULL) == 0,
		      seed);
		for (unsigned r = 0; r < m; r++)
			bound = loom_lcc_optimum(&lccs[r]) > bound ? loom_lcc_optimum(&lccs[r]) : bound;
		check(plan.lower_bound == (objective == LOOM_MAXMAX ? best.value : bound), seed);
		check(plan.objective_value == loom_lcc_set_value(lccs, m, plan.order, objective), seed);
		check(options.map ? plan.objective_value >= best.value : plan.objective_value == best.value, seed);
		check(plan.n_order == n && plan.n_passes == m && plan.n_theory == (size_t)m * (n + 2), seed);
		for (unsigned d = 0; options.map && d < n; d++)
			check(plan.order[d] == d, seed);
		for (unsigned r = 0; r < m; r++) {
			uint32_t channels = loom_topo_channels(&topo);
			check(plan.member_contention[r] == loom_lcc_contention_under(&lccs[r], plan.order), seed);
			for (uint32_t c = 0; c < channels; c++) {
				uint32_t load = plan.load[r * channels + c];
				uint32_t theory = plan.theory[r * (n + 2) + loom_topo_group_of(&topo, c)];
				check(!load || load == theory || theory == UINT32_MAX, seed);
				check(theory != UINT32_MAX || loom_topo_group_of(&topo, c) >= n, seed);
			}
		}
		loom_plan_free(&plan);
		loom_pattern_free(&pattern);
	}
}

static void test_planner_keeps_an_arbitrary_map(void **unused)
{
	(void)unused;
	unsigned n = 4;
	struct loom_lcc lccs[3];
	struct loom_plan_options options = {.map = "1,0,2,3,4,5,6,7,8,9,10,11,12,13,14,15", .planner = "lcc_set"};
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_topo topo;
	named_three(lccs, n);
	check(loom_topo_parse(&topo, "cube:4", NULL) == 0, 0);
	check(loom_pattern_from_lccs(&pattern, "three", lccs, 3, 4, NULL) == 0, 0);
	check(loom_plan_make(&plan, &topo, &pattern, &options, NULL) == 0, 0);
	check(plan.n_order == 0 && plan.n_theory == 0 && plan.map[0] == 1 && plan.map[15] == 15, 0);
	check(!strcmp(plan.objective, "maxmax"), 0);
	uint32_t most = 0; // the bound from the ends alone, in the pass where it is largest
	for (uint32_t pass = 0; pass < plan.n_passes; pass++) {
		uint32_t source[16], destination[16], bound = 0;
		size_t k = 0;
		for (size_t i = 0; i < plan.n_messages; i++)
			if (plan.messages[i].pass == pass) {
				source[k] = plan.map[plan.messages[i].source];
				destination[k++] = plan.map[plan.messages[i].destination];
			}
		check(loom_topo_bound(&bound, &topo, source, destination, k, NULL) == 0, 0);
		most = bound > most ? bound : most;
	}
	check(most > 0 && plan.lower_bound == most, 0);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_planner),
		cmocka_unit_test(test_planner_keeps_an_arbitrary_map),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
