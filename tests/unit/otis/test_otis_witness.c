// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planner otis before the slow OTIS-Mesh, which plays its plans from [Sahni97] alone: every pass is one move, every item ends
// where it was to go, and the moves are as many as the report says.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/math/otis.h>
#include <flitloom/verdict.h>

#include "unit/help/golden_file.h"
#include "unit/help/otis_plans.h"

struct request {
	uint32_t n_groups;
	const char *spec, *map, *cost;
	uint64_t seed;
};

// Plans the request and plays the plan; the plan's own count of moves must be the same.
static struct ref_otis_played play(const struct request *rq)
{
	struct loom_err err = {0};
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_verdict verdict;
	char fabric[32];
	uint32_t extent[LOOM_DIMS_MAX];
	(void)snprintf(fabric, sizeof fabric, "otis-mesh:%" PRIu32, rq->n_groups);
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	const struct loom_pattern_options options = {
		.flits = 3, .seed = rq->seed, .n_dims = loom_topo_shape(extent, &topo), .extent = extent};
	const struct loom_plan_options how = {
		.planner = "otis", .map = rq->map ? rq->map : "identity", .cost = rq->cost};
	if (loom_pattern_parse(&pattern, rq->spec, topo.n_nodes, &options, &err) != 0 ||
	    loom_plan_make(&plan, &topo, &pattern, &how, &err) != 0 ||
	    loom_verdict_predict(&verdict, &plan, LOOM_MACHINE_FAST, &err) != 0)
		fail_msg("%s %s: %s", fabric, rq->spec, err.text);
	struct ref_otis_played played = otis_play_plan(&plan, &pattern);
	if (played.wrong[0])
		fail_msg("%s %s, seed %" PRIu64 ": %s", fabric, rq->spec, rq->seed, played.wrong);
	// A pass is a move; one alone may have nothing to move.
	assert_true(verdict.n_steps == played.electronic + played.otis || (plan.n_passes == 1 && !played.otis));
	assert_int_equal(verdict.predicted_moves.electronic, played.electronic);
	assert_int_equal(verdict.predicted_moves.otis, played.otis);
	assert_true(loom_plan_how_made(&plan)->moves.bound_electronic <= played.electronic ||
	            loom_plan_how_made(&plan)->moves.bound_otis < played.otis);
	loom_verdict_free(&verdict);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	return played;
}

static void assert_moves(struct ref_otis_played played, unsigned electronic, unsigned otis, const char *what)
{
	if (played.electronic != electronic || played.otis != otis)
		fail_msg("%s: %u electronic and %u OTIS moves, not %u and %u", what, played.electronic, played.otis,
		         electronic, otis);
}

static void test_all_bpc(void **state)
{
	(void)state;
	for (uint64_t k = 0; k < 384; k++) {
		char spec[160] = "bpc:";
		struct ref_bpc a;
		ref_bpc_number(&a, 4, k);
		ref_bpc_text(spec + strlen(spec), &a);
		struct ref_otis_played played = play(&(struct request){.n_groups = 4, .spec = spec});
		assert_true(played.electronic <= 16 * 2 - 8 &&
		            played.otis <= 4); // section 5's bound, cut to whole moves
	}
}

// The eight of Table 3: no more than the golden counts; transpose is one OTIS move.
static void test_table3(void **state)
{
	(void)state;
	static const char *const golden[] = {NULL,     "shuffle7",    "unshuffle7",         "bitrev",
	                                     "vecrev", "bit_shuffle", "shuffled_row_major", "swap_alg1"};
	static const uint32_t sizes[] = {4, 16, 64};
	json_t *golden_vectors = golden_json("003_otis.json"), *counts = json_object_get(golden_vectors, "counts");
	for (size_t s = 0; s < 3; s++) {
		char key[32];
		(void)snprintf(key, sizeof key, "sqrtN=%u", 2u << s);
		struct ref_bpc a;
		const char *name;
		for (unsigned k = 0; (name = ref_bpc_table3(&a, k, 4 * (unsigned)(s + 1))); k++) {
			struct ref_otis_played played = play(&(struct request){.n_groups = sizes[s], .spec = name});
			if (!golden[k]) {
				assert_moves(played, 0, 1, name);
				continue;
			}
			const json_t *one = json_object_get(json_object_get(counts, key), golden[k]);
			unsigned electronic = golden_number(one, "electronic"), otis = golden_number(one, "otis");
			if (played.electronic + played.otis > electronic + otis)
				fail_msg("%s on %u groups: %u electronic and %u OTIS moves, more than %u and %u", name,
				         sizes[s], played.electronic, played.otis, electronic, otis);
		}
	}
	json_decref(golden_vectors);
}

static void test_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 120; seed++) {
		uint32_t n_groups = seed % 6 ? 4 : 16;
		struct ref_otis_played played =
			play(&(struct request){.n_groups = n_groups, .spec = "random-perm", .seed = seed});
		if (played.otis > 2)
			fail_msg("seed %" PRIu64 ": %u OTIS moves", seed, played.otis);
	}
}

// A BPC permutation within the groups is as many moves as its displacement asks for: all of N = 4, some of N = 16.
static void test_local(void **state)
{
	(void)state;
	json_t *golden = golden_json("003_local_mesh_bpc.json"), *one;
	size_t k;
	json_array_foreach(json_object_get(golden, "cases"), k, one) {
		unsigned side = golden_number(one, "n");
		char spec[200] = "bpc:[";
		const json_t *vector = json_object_get(one, "A");
		unsigned q = (unsigned)json_array_size(vector);
		if (side > 4)
			continue;
		for (unsigned i = 2 * q; i-- > q;) // the group's bits stay
			(void)snprintf(spec + strlen(spec), sizeof spec - strlen(spec), "%u,", i);
		for (unsigned i = 0; i < q; i++)
			(void)snprintf(spec + strlen(spec), sizeof spec - strlen(spec), "%s%s",
			               json_string_value(json_array_get(vector, i)), i + 1 < q ? "," : "]");
		assert_moves(play(&(struct request){.n_groups = side * side, .spec = spec}),
		             golden_number(one, "steps"), 0, spec);
	}
	json_decref(golden);
}

// Section 3, corrected: moves of an N x N mesh.
static void test_embeddings(void **state)
{
	(void)state;
	for (uint32_t n = 2; n <= 8; n *= 2) {
		const struct {
			const char *map, *spec;
			unsigned electronic, otis;
		} wanted[] = {
			{"group-row", "shift:0,1,no-wrap", 3, 0},
			{"group-row", "shift:0,-1,no-wrap", 3, 0},
			{"group-row", "shift:1,0,no-wrap", 3, 2},
			{"group-row", "shift:-1,0,no-wrap", 3, 2},
			{"group-row", "transpose", 0, 1},
			{"group-submesh", "shift:0,1,no-wrap", n + 1, 2},
			{"group-submesh", "shift:1,0,no-wrap", n + 1, 2},
			{"group-submesh", "shift:0,-1,no-wrap", n + 1, 2},
			{"group-submesh", "transpose", 8 * (n - 1), 2},
		};
		for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
			char what[80];
			(void)snprintf(what, sizeof what, "%s --map %s, n = %u", wanted[i].spec, wanted[i].map, n);
			assert_moves(play(&(struct request){
					     .n_groups = n * n, .spec = wanted[i].spec, .map = wanted[i].map}),
			             wanted[i].electronic, wanted[i].otis, what);
		}
	}
}

// The choice follows the price of light, and is never dearer than the two ways of [Sahni97] with the swap, 12 and 4, 18 and 2.
static void test_costs(void **state)
{
	(void)state;
	struct ref_otis_played cheap =
		play(&(struct request){.n_groups = 16, .spec = "gypx-swap", .cost = "electronic=4,otis=1"});
	struct ref_otis_played dear =
		play(&(struct request){.n_groups = 16, .spec = "gypx-swap", .cost = "electronic=1,otis=9"});
	assert_true(4 * cheap.electronic + cheap.otis <= 4 * 12 + 4);
	assert_true(dear.electronic + 9 * dear.otis <= 18 + 9 * 2);
	assert_true(dear.otis < cheap.otis && dear.electronic > cheap.electronic);
}

// Theorem 1 by search.
static void test_distance(void **state)
{
	(void)state;
	for (uint32_t side = 2; side <= 5; side++) {
		uint32_t n = side * side * side * side, *hops = calloc(n, sizeof *hops);
		assert_non_null(hops);
		for (uint32_t from = 0; from < n; from += side < 4 ? 1 : 7) {
			ref_otis_distances(hops, side, from);
			for (uint32_t to = 0; to < n; to++)
				assert_int_equal(loom_otis_distance(side, from, to), hops[to]);
		}
		assert_int_equal(loom_otis_diameter(side), 4 * side - 3);
		free(hops);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_bpc),  cmocka_unit_test(test_table3),     cmocka_unit_test(test_random),
		cmocka_unit_test(test_local),    cmocka_unit_test(test_embeddings), cmocka_unit_test(test_costs),
		cmocka_unit_test(test_distance),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
