// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear maps on cubes: every message walked; all maps of small cubes.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/math/lcc.h>
#include <flitloom/plan.h>

#include "base/rng.h"
#include "plan/planners/linear_map.h"

// Draws a communication of any kind: a permutation, or of any rank.
static struct loom_lcc random_lcc(unsigned n, uint64_t *state)
{
	struct loom_lcc lcc = {.kind = (enum loom_lcc_kind)(loom_splitmix64(state) % 3), .a.n = n};
	do
		for (unsigned i = 0; i < n; i++)
			lcc.a.row[i] = loom_splitmix64(state) & loom_gf2_mask(n);
	while (lcc.kind == LOOM_LCC_PERMUTATION && loom_gf2_rank(&lcc.a) < n);
	if (loom_splitmix64(state) % 4 == 0) // some bits are left alone
		for (unsigned i = 0; i < n; i += 2)
			lcc.a.row[i] = UINT64_C(1) << i;
	if (loom_gf2_rank(&lcc.a) < n && lcc.kind == LOOM_LCC_PERMUTATION)
		lcc.kind = LOOM_LCC_GATHER;
	lcc.b = loom_splitmix64(state) % 2 ? loom_splitmix64(state) & loom_gf2_mask(n) : 0;
	return lcc;
}

// Returns the most messages of one communication on a channel, by walks with the lowest dimension first.
static uint32_t walked(const struct loom_lcc *lcc, const uint32_t *map, unsigned n)
{
	uint32_t most = 0, *load = calloc((size_t)n << n, sizeof *load);
	assert_non_null(load);
	for (uint32_t v = 0; v < UINT32_C(1) << n; v++) {
		uint32_t image = (uint32_t)loom_lcc_apply(lcc, v);
		bool scatter = lcc->kind == LOOM_LCC_SCATTER;
		uint32_t at = map[scatter ? image : v], to = map[scatter ? v : image];
		for (unsigned d = 0; d < n; d++)
			if ((at ^ to) >> d & 1) {
				uint32_t *here = &load[(size_t)at * n + d];
				++*here;
				most = *here > most ? *here : most;
				at ^= UINT32_C(1) << d;
			}
	}
	free(load);
	return most;
}

static void make(struct loom_plan *out, const char *fabric, const struct loom_pattern *p, const char *planner,
                 const char *map, const char *objective)
{
	struct loom_topo topo;
	struct loom_err err;
	const struct loom_plan_options options = {.planner = planner, .map = map, .objective = objective};
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	if (loom_plan_make(out, &topo, p, &options, &err) != 0)
		fail_msg("%s: %s", p->name, err.text);
}

static void check_linear(const struct loom_plan *plan)
{
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++)
		for (unsigned i = 0; i < plan->topo.n_dims; i++)
			assert_int_equal(plan->map[v ^ UINT32_C(1) << i],
			                 plan->map[v] ^ plan->map[UINT32_C(1) << i] ^ plan->map[0]);
	assert_int_equal(plan->map[0], 0);
}

static void test_every_message_walked(void **state)
{
	uint64_t seed = 1;
	(void)state;
	for (unsigned k = 0; k < 60; k++) {
		unsigned n = 2 + k % 5, m = 1 + (unsigned)(loom_splitmix64(&seed) % 5);
		struct loom_lcc lccs[5];
		struct loom_pattern p;
		struct loom_plan plan, by_order;
		char fabric[16];
		static const char *const objectives[] = {NULL, "maxmax", "maxsum", "sumsum"};
		for (unsigned r = 0; r < m; r++)
			lccs[r] = random_lcc(n, &seed);
		(void)snprintf(fabric, sizeof fabric, "cube:%u", n);
		assert_int_equal(loom_pattern_from_lccs(&p, "random", lccs, m, 5, NULL), 0);
		make(&plan, fabric, &p, "linear_map", NULL, objectives[k % 4]);
		make(&by_order, fabric, &p, "lcc_set", NULL, objectives[k % 4]);
		check_linear(&plan);
		assert_string_equal(plan.planner, "linear_map");
		for (unsigned r = 0; r < m; r++)
			assert_int_equal(plan.member_contention[r], walked(&lccs[r], plan.map, n));
		assert_true(plan.objective_value <= by_order.objective_value);
		assert_true(loom_plan_contention(&plan) >= plan.lower_bound);
		assert_int_equal(plan.n_theory, (size_t)m * (n + 2));
		for (uint32_t pass = 0; pass < plan.n_passes; pass++)
			for (uint32_t c = 0; c < loom_topo_channels(&plan.topo); c++) {
				uint32_t load = plan.load[pass * loom_topo_channels(&plan.topo) + c];
				uint32_t said = plan.theory[pass * (n + 2) + loom_topo_group_of(&plan.topo, c)];
				assert_true(load == 0 || said == UINT32_MAX || load == said);
			}
		loom_plan_free(&plan);
		loom_plan_free(&by_order);
		loom_pattern_free(&p);
	}
}

// Returns the least value over all nonsingular matrices, by walks.
static uint32_t least_of_all_maps(const struct loom_lcc *lccs, unsigned m, unsigned n)
{
	uint32_t least = UINT32_MAX, map[16];
	for (uint32_t rows = 0; rows < UINT32_C(1) << n * n; rows++) {
		struct loom_gf2 a = {.n = n};
		uint32_t most = 0;
		for (unsigned i = 0; i < n; i++)
			a.row[i] = rows >> i * n & loom_gf2_mask(n);
		if (loom_gf2_rank(&a) < n)
			continue;
		for (uint32_t v = 0; v < UINT32_C(1) << n; v++)
			map[v] = (uint32_t)loom_gf2_apply(&a, v);
		for (unsigned r = 0; r < m && most < least; r++) {
			uint32_t of_member = walked(&lccs[r], map, n);
			most = of_member > most ? of_member : most;
		}
		least = most < least ? most : least;
	}
	return least;
}

static void test_all_maps(void **state)
{
	uint64_t seed = 2;
	unsigned n_above = 0;
	(void)state;
	for (unsigned k = 0; k < 42; k++) {
		unsigned n = k < 40 ? 3 : 4, m = n == 4 ? 9 * (k - 39) : 1 + 7 * (k % 16);
		static struct loom_lcc lccs[128];
		struct loom_pattern p;
		struct loom_plan plan;
		for (unsigned r = 0; r < m; r++)
			do
				lccs[r] = random_lcc(n, &seed);
			while (k % 4 && lccs[r].kind != LOOM_LCC_PERMUTATION);
		assert_int_equal(loom_pattern_from_lccs(&p, "random", lccs, m, 5, NULL), 0);
		make(&plan, n == 3 ? "cube:3" : "cube:4", &p, "linear_map", NULL, NULL);
		uint32_t least = least_of_all_maps(lccs, m, n);
		if (loom_plan_contention(&plan) != least)
			fail_msg("set %u: %" PRIu32 ", and there is %" PRIu32, k, loom_plan_contention(&plan), least);
		n_above += least > plan.lower_bound;
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
	assert_true(n_above > 3); // sets on which the search must look everywhere
}

// The best order of these has (2,1,1), and that of Example 5 has 4.
static void test_known_sets(void **state)
{
	static const struct {
		const char *spec;
		uint32_t n, most, by_order;
	} sets[] = {{"set:transpose+bit-reverse+reverse-flip", 3, 1, 2}, {"example5", 11, 2, 4}};
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const struct loom_pattern_options options = {.flits = 17};
		struct loom_pattern p;
		struct loom_plan plan, again, by_order;
		assert_int_equal(loom_pattern_parse(&p, sets[i].spec, 256, &options, NULL), 0);
		make(&plan, "cube:8", &p, NULL, NULL, NULL);
		make(&again, "cube:8", &p, NULL, NULL, NULL);
		make(&by_order, "cube:8", &p, "lcc_set", NULL, NULL);
		assert_string_equal(plan.planner, "linear_map");
		assert_memory_equal(plan.map, again.map, 256 * sizeof *plan.map);
		assert_int_equal(plan.n_members, sets[i].n);
		assert_int_equal(loom_plan_contention(&plan), sets[i].most);
		assert_int_equal(loom_plan_contention(&by_order), sets[i].by_order);
		assert_int_equal(plan.lower_bound, sets[i].most);
		assert_int_equal(plan.bound, LOOM_BOUND_LINEAR);
		for (uint32_t r = 0; r < p.n_lccs; r++)
			assert_int_equal(plan.member_contention[r], walked(&p.lccs[r], plan.map, 8));
		loom_plan_free(&plan);
		loom_plan_free(&again);
		loom_plan_free(&by_order);
		loom_pattern_free(&p);
	}
}

// The default planner is lcc_set if no linear map is better, and if the map is given.
static void test_who_plans(void **state)
{
	static const struct {
		const char *spec, *map, *objective, *planner;
	} cases[] = {
		{"fft", NULL, NULL, "lcc_set"},
		{"set:transpose+bit-reverse+reverse-flip", "identity", NULL, "lcc_set"},
		{"set:transpose+bit-reverse+reverse-flip", NULL, "sumsum", "lcc_set"},
		{"set:transpose+bit-reverse+reverse-flip", NULL, "maxmax", "linear_map"},
		{"transpose", NULL, NULL, "lcc"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct loom_pattern_options options = {.flits = 17};
		struct loom_pattern p;
		struct loom_plan plan;
		assert_int_equal(loom_pattern_parse(&p, cases[i].spec, 256, &options, NULL), 0);
		make(&plan, "cube:8", &p, NULL, cases[i].map, cases[i].objective);
		assert_string_equal(plan.planner, cases[i].planner);
		assert_int_equal(plan.bound, LOOM_BOUND_ORDERS + (i == 3));
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_message_walked),
		cmocka_unit_test(test_all_maps),
		cmocka_unit_test(test_known_sets),
		cmocka_unit_test(test_who_plans),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
