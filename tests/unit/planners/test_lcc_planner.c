// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The planner of linear-complement communications: the loads that predict counts are those of the theory, under every kind of map.
#include <flitloom/math/lcc.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "plan/planners/planners.h"

#include "base/rng.h"
#include "unit/help/lcc_sets.h"
#include "unit/help/orders.h"

static void check_plan(const struct loom_plan *plan, const struct loom_lcc *lcc, uint64_t seed)
{
	const struct loom_topo *topo = &plan->topo;
	unsigned n = lcc->a.n, groups = loom_topo_groups(topo);
	uint64_t least[16], most[16];
	check(plan->n_theory == groups && groups == n + 2, seed);
	for (unsigned g = 0; g < groups; g++) {
		least[g] = UINT64_MAX;
		most[g] = 0;
	}
	for (uint32_t c = 0; c < loom_topo_channels(topo); c++) {
		unsigned g = loom_topo_group_of(topo, c);
		if (plan->load[c]) {
			least[g] = plan->load[c] < least[g] ? plan->load[c] : least[g];
			most[g] = plan->load[c] > most[g] ? plan->load[c] : most[g];
		}
	}
	for (unsigned g = 0; g < groups; g++) {
		bool uneven = most[g] && least[g] != most[g];
		check(g >= n || !uneven, seed);
		check(plan->theory[g] == (uneven ? UINT32_MAX : most[g]),
		      seed); // theory is missing only where it cannot exist
	}
}

static void test_planner(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		static const char *const maps[] = {NULL, "best", "identity"};
		uint64_t state = seed;
		unsigned n = 1 + (unsigned)(seed % 7), order[LOOM_GF2_MAX];
		char text[64], name[16];
		struct loom_lcc lcc = random_lcc_of((enum loom_lcc_kind)(seed / 7 % 3), n, &state);
		struct loom_plan_options options = {.map = maps[seed % 3], .planner = "lcc"};
		struct loom_pattern pattern;
		struct loom_plan plan;
		struct loom_topo topo;
		struct loom_err err;
		if (seed % 10 == 0) // messages to oneself, all or many
			loom_gf2_identity(&lcc.a, n);
		if (seed % 20 == 0)
			lcc.b = 0;
		if (seed % 5 == 1) {
			size_t used = 0;
			random_order(order, n, &state);
			for (unsigned i = 0; i < n; i++)
				used += (size_t)snprintf(text + used, sizeof text - used, i ? ",%u" : "%u", order[i]);
			options.map = text;
		}
		snprintf(name, sizeof name, "cube:%u", n);
		check(loom_topo_parse(&topo, name, &err) == 0, seed);
		check(loom_pattern_from_lccs(&pattern, "random", &lcc, 1, 4, &err) == 0, seed);
		check(loom_planner_lcc.accepts(&topo, &pattern), seed);
		check(loom_planner_lcc_set.accepts(&topo, &pattern), seed);
		if (loom_plan_make(&plan, &topo, &pattern, &options, &err))
			fail_msg("seed %" PRIu64 ": %s", seed, err.text);
		check(!strcmp(plan.planner, "lcc"), seed);
		check(plan.lower_bound == loom_lcc_optimum(&lcc), seed);
		check(plan.n_order == n && is_order(plan.order, n), seed);
		for (unsigned v = 0; v < 1u << n; v++)
			check(plan.map[v] == loom_gf2_reorder_vector(v, n, plan.order), seed);
		check(loom_plan_contention(&plan) == loom_lcc_contention_under(&lcc, plan.order), seed);
		if (!options.map || !strcmp(options.map, "best"))
			check(loom_plan_contention(&plan) == plan.lower_bound, seed);
		if (options.map == text)
			check(!memcmp(plan.order, order, n * sizeof order[0]), seed);
		check_plan(&plan, &lcc, seed);
		loom_plan_free(&plan);
		loom_pattern_free(&pattern);
	}
}

// A map that is no reordering of bits is kept, and nothing is claimed of it.
static void test_planner_keeps_an_arbitrary_map(void **unused)
{
	(void)unused;
	unsigned n = 3;
	struct loom_lcc lcc = {.kind = LOOM_LCC_PERMUTATION, .a = {.n = 3, .row = {4, 2, 1}}};
	struct loom_plan_options options = {.map = "1,0,2,3,4,5,6,7", .planner = "lcc"};
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_topo topo;
	check(loom_topo_parse(&topo, "cube:3", NULL) == 0, 0);
	check(loom_pattern_from_lccs(&pattern, "bit-reverse", &lcc, 1, 4, NULL) == 0, 0);
	check(loom_plan_make(&plan, &topo, &pattern, &options, NULL) == 0, 0);
	check(plan.n_order == 0 && plan.n_theory == 0 && plan.theory == NULL, 0);
	check(plan.map[0] == 1 && plan.map[1] == 0 && plan.map[7] == 7, 0);
	// The bound is of the routes in this placement, as planner direct's is.
	uint32_t lower_bound = plan.lower_bound;
	check(lower_bound >= 1 && lower_bound <= loom_plan_contention(&plan), 0);
	loom_plan_free(&plan);
	options.planner = "direct";
	check(loom_plan_make(&plan, &topo, &pattern, &options, NULL) == 0 && plan.lower_bound == lower_bound, 0);
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
