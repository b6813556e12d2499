// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planners mesh and torus: as many passes as the busiest row or column needs, none with contention; and the colouring of
// bipartite graphs behind them.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include <flitloom/plan.h>

#include "base/rng.h"
#include "unit/help/cut_checks.h"
#include "plan/planners/bipartite.h"

// --- Colours -----------------------------------------------------------------------------------------------------------

static uint32_t degree_by_count(const struct loom_bipartite *g)
{
	uint32_t most = 0;
	for (unsigned side = 0; side < 2; side++)
		for (uint32_t v = 0; v < (side ? g->n_right : g->n_left); v++) {
			uint32_t degree = 0;
			for (size_t i = 0; i < g->n_edges; i++)
				degree += (side ? g->right[i] : g->left[i]) == v;
			most = degree > most ? degree : most;
		}
	return most;
}

static void check_colours(const struct loom_bipartite *g)
{
	uint32_t n = 0, degree = 0, wanted = degree_by_count(g);
	uint32_t *colour = malloc((g->n_edges + 1) * sizeof *colour);
	assert_non_null(colour);
	assert_true(loom_bipartite_colour(colour, &n, g));
	assert_true(loom_bipartite_degree(&degree, g));
	assert_int_equal(n, wanted);
	assert_int_equal(degree, wanted);
	bool *seen = calloc((size_t)n * (g->n_left + g->n_right) + n + 1, sizeof *seen);
	bool *used = seen + (size_t)n * (g->n_left + g->n_right);
	assert_non_null(seen);
	for (size_t i = 0; i < g->n_edges; i++) {
		assert_true(colour[i] < n);
		bool *left = &seen[(size_t)colour[i] * (g->n_left + g->n_right) + g->left[i]];
		bool *right = &seen[(size_t)colour[i] * (g->n_left + g->n_right) + g->n_left + g->right[i]];
		if (*left || *right)
			fail_msg("edge %zu, %" PRIu32 "-%" PRIu32 ": another one there has colour %" PRIu32
			         " of %" PRIu32,
			         i, g->left[i], g->right[i], colour[i], n);
		*left = *right = used[colour[i]] = true;
	}
	for (uint32_t c = 0; c < n; c++)
		assert_true(used[c]);
	free(seen);
	free(colour);
}

static void random_graph(uint32_t n_left, uint32_t n_right, size_t n_edges, unsigned style, struct loom_rng *rng)
{
	uint32_t *left = malloc((n_edges + 1) * sizeof *left), *right = malloc((n_edges + 1) * sizeof *right);
	assert_true(left && right);
	for (size_t i = 0; i < n_edges; i++) {
		left[i] = (uint32_t)loom_rng_below(rng, n_left);
		right[i] = (uint32_t)loom_rng_below(rng, n_right);
		if (style == 1 && loom_rng_below(rng, 2)) // a few busy ones, and many edges between the same two
			left[i] = right[i] = 0;
		if (style == 2) // every left vertex has as many
			left[i] = (uint32_t)(i % n_left);
	}
	check_colours(&(struct loom_bipartite){n_left, n_right, n_edges, left, right});
	free(left);
	free(right);
}

static void test_colours(void **state)
{
	(void)state;
	static const uint32_t sides[] = {1, 2, 3, 5, 16, 33};
	struct loom_rng rng;
	loom_rng_init(&rng, 1);
	for (size_t a = 0; a < sizeof sides / sizeof sides[0]; a++)
		for (size_t b = 0; b < sizeof sides / sizeof sides[0]; b++)
			for (unsigned i = 0; i < 60; i++)
				random_graph(sides[a], sides[b], loom_rng_below(&rng, 12 * (i + 1)), i % 3, &rng);
	random_graph(1, 1, 0, 0, &rng);
	random_graph(300, 7, 5000, 0, &rng);
	random_graph(127, 127, 127 * 63, 2, &rng);
}

// --- Plans -------------------------------------------------------------------------------------------------------------

struct shape {
	const char *planner, *fabric;
	uint32_t passes; // of any permutation
};

static const struct shape shapes[] = {
	{"mesh", "mesh:2x3", 3},
	{"mesh", "mesh:3x2", 3},
	{"mesh", "mesh:1x6", 6},
	{"mesh", "mesh:5x8", 8},
	{"mesh", "mesh:7x7", 7},
	{"mesh", "mesh:16x16", 16},
	{"torus", "torus:1x4", 4},
	{"torus", "torus:2x2", 2},
	{"torus", "torus:5x3", 5},
	{"torus", "torus:8x8", 8},
	{"torus", "torus:16x16", 16},
	{"mesh", "mesh:3x2x4", 6}, // rows of 4 (8 of them would be 8), or of 8, of which there are 3: 6 and 4 is best
	{"torus", "torus:3x2x4", 6},
	{"torus", "torus:2x3x2x3", 6}, // rows of 6
	{"mesh", "mesh:2x2x2x2x2", 8},
};

static void test_permutations(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
		for (uint64_t seed = 1; seed <= 20; seed++) {
			struct loom_plan plan;
			struct loom_pattern pattern;
			cut_by(&plan, &pattern, shapes[i].planner, shapes[i].fabric, "random-perm", seed);
			if (plan.n_passes != shapes[i].passes)
				fail_msg("%s: %" PRIu32 " passes, not %" PRIu32, shapes[i].fabric, plan.n_passes,
				         shapes[i].passes);
			assert_true(cut_check(&plan) <= plan.n_passes);
			assert_true(loom_plan_contention(&plan) <= 1);
			assert_true(loom_plan_cycles(&plan) != LOOM_CYCLES_UNKNOWN);
			cut_check_messages(&plan, &pattern);
			loom_plan_free(&plan);
			loom_pattern_free(&pattern);
		}
}

// Counts what one row sends and one column receives.
static uint32_t busiest(const struct loom_pattern *pattern, uint32_t columns)
{
	uint32_t most = 0;
	for (uint32_t v = 0; v < pattern->n_nodes; v++) {
		uint32_t row = 0, column = 0;
		for (size_t i = 0; i < pattern->n_messages; i++) {
			row += pattern->messages[i].source / columns == v;
			column += pattern->messages[i].destination % columns == v;
		}
		most = row > most ? row : most;
		most = column > most ? column : most;
	}
	return most;
}

// Several messages per node, nodes without any, many to one node, messages of a set.
static void test_lists(void **state)
{
	(void)state;
	static const char *const specs[] = {"uniform:100", "uniform:7", "hotspot:3", "all-to-all", "identity"};
	for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++)
		for (uint64_t seed = 1; seed <= (s < 2 ? 20 : 1); seed++)
			for (unsigned wraps = 0; wraps < 2; wraps++) {
				struct loom_plan plan;
				struct loom_pattern pattern;
				cut_by(&plan, &pattern, wraps ? "torus" : "mesh", wraps ? "torus:4x6" : "mesh:4x6",
				       specs[s], seed);
				assert_int_equal(plan.n_passes, busiest(&pattern, 6));
				(void)cut_check(&plan);
				cut_check_messages(&plan, &pattern);
				loom_plan_free(&plan);
				loom_pattern_free(&pattern);
			}
	struct loom_plan plan;
	struct loom_pattern pattern;
	cut_by(&plan, &pattern, "torus", "torus:4x4", "set:transpose+bit-reverse", 1);
	assert_int_equal(plan.n_passes, 8);
	(void)cut_check(&plan);
	cut_check_messages(&plan, &pattern);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
}

static void perm_text(char *out, size_t size, const json_t *destinations)
{
	size_t used = (size_t)snprintf(out, size, "perm:"), i;
	const json_t *item;
	json_array_foreach(destinations, i, item)
		used += (size_t)snprintf(out + used, size - used, "%s%d", i ? "," : "", (int)json_integer_value(item));
	assert_true(used < size);
}

static void test_golden(void **state)
{
	(void)state;
	const char *directory = getenv("GOLDEN");
	char path[256], text[4096], fabric[40];
	(void)snprintf(path, sizeof path, "%s/001_mesh.json", directory ? directory : "tests/golden");
	json_t *root = json_load_file(path, 0, NULL), *item;
	size_t i;
	assert_non_null(root);
	assert_true(json_array_size(json_object_get(root, "cases")) > 0);
	json_array_foreach(json_object_get(root, "cases"), i, item) {
		const json_t *loads = json_object_get(item, "max_link_load_lower_bound");
		for (unsigned wraps = 0; wraps < 2; wraps++) {
			const char *kind = wraps ? "torus" : "mesh";
			struct loom_plan plan;
			struct loom_pattern pattern;
			(void)snprintf(fabric, sizeof fabric, "%s:%dx%d", kind,
			               (int)json_integer_value(json_object_get(item, "p")),
			               (int)json_integer_value(json_object_get(item, "q")));
			perm_text(text, sizeof text, json_object_get(item, "dest_of_row_major_index"));
			cut_by(&plan, &pattern, kind, fabric, text, 1);
			assert_int_equal(plan.n_passes, json_integer_value(json_object_get(item, "passes")));
			cut_check_messages(&plan, &pattern);
			// The largest load of a link; the busiest channel may be a node's own, which has one message.
			unsigned load =
				(unsigned)json_integer_value(json_object_get(loads, wraps ? "torus_short" : "mesh"));
			assert_int_equal(cut_check(&plan), load > 0 ? load : 1);
			loom_plan_free(&plan);
			loom_pattern_free(&pattern);
		}
	}
	json_decref(root);
}

// --- What each planner accepts -------------------------------------------------------------------------------------------

static void refused(const char *planner, const char *fabric)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_err err = {0};
	const struct loom_pattern_options options = {.flits = 3, .seed = 1};
	const struct loom_plan_options by = {.planner = planner};
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	assert_int_equal(loom_pattern_parse(&pattern, "random-perm", topo.n_nodes, &options, &err), 0);
	assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &by, &err), LOOM_EINPUT);
	assert_null(strchr(err.text, '\n'));
	assert_non_null(strstr(err.text, "planners that can"));
	loom_pattern_free(&pattern);
}

static void test_refused(void **state)
{
	(void)state;
	refused("mesh", "torus:4x4");
	refused("torus", "mesh:4x4");
	refused("mesh", "line:8");
	refused("torus", "ring:8");
	refused("mesh", "cube:3");
	refused("mesh", "omega:8");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_colours), cmocka_unit_test(test_permutations), cmocka_unit_test(test_lists),
		cmocka_unit_test(test_golden),  cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
