// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The embeddings of section 3 of [Sahni97]: Fig. 3, what is beside what, and their moves.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/math/otis_embeddings.h>
#include <flitloom/plan.h>

#include "unit/help/otis_plans.h"

// "32": row 3, column 2 of a 4 x 4 mesh.
static uint32_t number(const char *row_column)
{
	return (uint32_t)(row_column[0] - '0') * 4 + (uint32_t)(row_column[1] - '0');
}

// Figure 3: the mesh processor on each processor of each group.
static void test_figure3(void **state)
{
	(void)state;
	static const char *const group_row[] = {"00 01 03 02", "10 11 13 12", "30 31 33 32", "20 21 23 22"};
	static const char *const group_submesh[] = {"00 01 10 11", "02 03 12 13", "20 21 30 31", "22 23 32 33"};
	for (uint32_t g = 0; g < 4; g++)
		for (uint32_t p = 0; p < 4; p++) {
			const char *a = group_row[g] + (size_t)3 * p, *b = group_submesh[g] + (size_t)3 * p;
			assert_int_equal(loom_otis_group_row(2, number(a)), g * 4 + p);
			assert_int_equal(loom_otis_group_submesh(2, number(b)), g * 4 + p);
		}
	assert_ptr_equal(loom_otis_embedding_named("group-row"), loom_otis_group_row);
	assert_ptr_equal(loom_otis_embedding_named("group-submesh"), loom_otis_group_submesh);
	assert_null(loom_otis_embedding_named("group"));
}

static bool are_beside(uint32_t side, uint32_t p, uint32_t q)
{
	uint32_t down = p / side > q / side ? p / side - q / side : q / side - p / side;
	uint32_t across = p % side > q % side ? p % side - q % side : q % side - p % side;
	return down + across == 1;
}

// Each node once; by group-row, what is beside in a row is beside in a group, and what is beside in a column is in groups that
// are beside each other, on the same processor.
static void test_neighbours(void **state)
{
	(void)state;
	for (uint32_t side = 1; side <= 8; side++) {
		uint32_t n = side * side;
		bool *taken = calloc((size_t)2 * n * n, sizeof *taken);
		assert_non_null(taken);
		for (uint32_t v = 0; v < n * n; v++) {
			uint32_t at = loom_otis_group_row(side, v), sub = loom_otis_group_submesh(side, v);
			assert_true(at < n * n && sub < n * n && !taken[at] && !taken[n * n + sub]);
			taken[at] = taken[n * n + sub] = true;
			if (v % n + 1 < n) {
				uint32_t next = loom_otis_group_row(side, v + 1);
				assert_int_equal(next / n, at / n);
				assert_true(are_beside(side, next % n, at % n));
			}
			if (v / n + 1 < n) {
				uint32_t next = loom_otis_group_row(side, v + n);
				assert_int_equal(next % n, at % n);
				assert_true(are_beside(side, next / n, at / n));
			}
		}
		free(taken);
	}
}

static void make_plan(struct loom_plan *plan, struct loom_pattern *pattern, const char *fabric, const char *spec,
                      const char *map, const char *planner)
{
	struct loom_err err = {0};
	struct loom_topo topo;
	uint32_t extent[LOOM_DIMS_MAX];
	if (loom_topo_parse(&topo, fabric, &err) != 0)
		fail_msg("%s", err.text);
	const struct loom_pattern_options options = {
		.flits = 3, .n_dims = loom_topo_shape(extent, &topo), .extent = extent};
	if (loom_pattern_parse(pattern, spec, topo.n_nodes, &options, &err) != 0 ||
	    loom_plan_make(plan, &topo, pattern, &(struct loom_plan_options){.map = map, .planner = planner}, &err) !=
	            0)
		fail_msg("%s %s --map %s: %s", fabric, spec, map, err.text);
}

static void test_maps(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_pattern pattern;
	make_plan(&plan, &pattern, "otis-mesh:16v2", "shift:1,0,no-wrap", "group-row", "direct");
	for (uint32_t v = 0; v < 256; v++)
		assert_int_equal(plan.map[v], loom_otis_group_row(4, v));
	assert_int_equal(plan.n_order, 0);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	make_plan(&plan, &pattern, "otis-mesh:16v2", "transpose", "group-submesh", "direct");
	for (uint32_t v = 0; v < 256; v++)
		assert_int_equal(plan.map[v], loom_otis_group_submesh(4, v));
	assert_int_equal(plan.n_order, 8); // it is an order of address bits, too
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);

	struct loom_err err = {0};
	struct loom_topo topo;
	assert_int_equal(loom_topo_parse(&topo, "mesh:4x4", &err), 0);
	assert_int_equal(
		loom_pattern_parse(&pattern, "transpose", 16, &(struct loom_pattern_options){.flits = 3}, &err), 0);
	assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &(struct loom_plan_options){.map = "group-row"}, &err),
	                 LOOM_EINPUT);
	assert_non_null(
		strstr(err.text, "map group-row: it is for an otis-mesh, such as otis-mesh:16, not for mesh:4x4"));
	assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &(struct loom_plan_options){.map = "group-rows"}, &err),
	                 LOOM_EINPUT);
	assert_non_null(strstr(err.text, "did you mean \"group-row\"?"));
	loom_pattern_free(&pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figure3),
		cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_maps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
