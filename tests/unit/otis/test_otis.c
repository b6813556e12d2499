// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves on an OTIS-Mesh of permutations that no golden file has: all BPC permutations of 16 processors, random ones, arbitrary
// and partial permutations; what local permutations take; what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/math/otis.h>

#include "base/rng.h"
#include "unit/help/orders.h"
#include "unit/help/otis_moves_checks.h"

static void shuffle(uint32_t *to, uint32_t n, struct loom_rng *rng)
{
	for (uint32_t i = 0; i < n; i++)
		to[i] = i;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t k = (uint32_t)loom_rng_below(rng, i), t = to[k];
		to[k] = to[i - 1];
		to[i - 1] = t;
	}
}

static void succeed(int rc, const struct loom_err *err)
{
	if (rc != 0)
		fail_msg("%s", err->text);
}

// Raises `most` to the hops in each direction between two places of a group.
static void raise(uint32_t most[4], uint32_t side, uint32_t from, uint32_t to)
{
	int x = (int)(to % side) - (int)(from % side), y = (int)(to / side) - (int)(from / side);
	uint32_t *of_x = &most[x > 0 ? 0 : 1], *of_y = &most[y > 0 ? 2 : 3];
	*of_x = (uint32_t)abs(x) > *of_x ? (uint32_t)abs(x) : *of_x;
	*of_y = (uint32_t)abs(y) > *of_y ? (uint32_t)abs(y) : *of_y;
}

// ---- BPC permutations -------------------------------------------------------------------------------------------------

// bits: bit j goes to bit order[j], complemented if that bit of flip is 1.
static void check_bpc(unsigned p, const unsigned *order, uint32_t flip)
{
	uint32_t n_nodes = UINT32_C(1) << p, side = UINT32_C(1) << p / 4;
	struct loom_lcc lcc = {.kind = LOOM_LCC_PERMUTATION, .a.n = p, .b = flip};
	struct loom_err err = {0};
	uint32_t *to = calloc(n_nodes, sizeof *to), *source = calloc(n_nodes, sizeof *source);
	unsigned k = 0, low = UINT32_MAX;
	assert_true(to && source);
	for (unsigned j = 0; j < p; j++) {
		lcc.a.row[order[j]] = UINT64_C(1) << j;
		k += j < p / 2 && order[j] >= p / 2;
	}
	for (uint32_t v = 0; v < n_nodes; v++) {
		source[v] = v;
		to[v] = flip;
		for (unsigned j = 0; j < p; j++)
			to[v] ^= (v >> j & 1) << order[j];
	}
	assert_true(loom_otis_is_bpc(&lcc));
	for (int how = LOOM_OTIS_AS_PAPER; how <= LOOM_OTIS_EXCHANGE_OTHERS; how++) {
		struct loom_otis_moves m;
		succeed(loom_otis_general(&m, side, &lcc, (enum loom_otis_general)how, &err), &err);
		otis_check_moves(&m, NULL, to);
		bool leaving = how == LOOM_OTIS_EXCHANGE_K || (how == LOOM_OTIS_AS_PAPER && k < p / 4);
		assert_int_equal(m.otis, leaving ? 2 * k + 2 : p - 2 * k + 1);
		succeed(loom_otis_moves_trim(&m, &err), &err);
		otis_check_moves(&m, NULL, to);
		low = m.n_steps < low ? m.n_steps : low;
		loom_otis_moves_free(&m);
	}
	struct loom_otis_step_counts bound;
	succeed(loom_otis_bound(&bound, side, source, to, n_nodes, &(struct loom_otis_cost){1, 1}, &err), &err);
	assert_true(bound.electronic + bound.otis <= low);
	free(to);
	free(source);
}

static void test_all_of_16(void **state)
{
	unsigned order[4] = {0, 1, 2, 3}, n = 0;
	(void)state;
	do
		for (uint32_t flip = 0; flip < 16; flip++, n++)
			check_bpc(4, order, flip);
	while (next_order(order, 4));
	assert_int_equal(n, 384);
}

static void test_random_bpc(void **state)
{
	uint64_t seed = 3;
	(void)state;
	for (unsigned k = 0; k < 200; k++) {
		unsigned order[8];
		random_order(order, 8, &seed);
		check_bpc(8, order, (uint32_t)(loom_splitmix64(&seed) & 255));
	}
	for (unsigned k = 0; k < 3; k++) {
		unsigned order[12];
		random_order(order, 12, &seed);
		check_bpc(12, order, (uint32_t)(loom_splitmix64(&seed) & 4095));
	}
}

static void test_no_bpc(void **state)
{
	struct loom_lcc lcc = {.kind = LOOM_LCC_PERMUTATION, .a.n = 8};
	struct loom_otis_moves m;
	struct loom_err err = {0};
	(void)state;
	for (unsigned i = 0; i < 8; i++)
		lcc.a.row[i] = UINT64_C(1) << i;
	assert_true(loom_otis_is_bpc(&lcc));
	lcc.a.row[3] |= 1;
	assert_false(loom_otis_is_bpc(&lcc));
	assert_int_equal(loom_otis_general(&m, 4, &lcc, LOOM_OTIS_AS_PAPER, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "no BPC permutation"));
	lcc.a.row[3] = 1;
	assert_false(loom_otis_is_bpc(&lcc)); // bit 0 twice
	lcc.a.row[3] = 8;
	assert_int_equal(loom_otis_general(&m, 8, &lcc, LOOM_OTIS_AS_PAPER, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "of 8 address bits; those of side 8 are 12"));
	assert_int_equal(loom_otis_general(&m, 3, &lcc, LOOM_OTIS_AS_PAPER, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "power of two"));
	assert_int_equal(loom_otis_sequence(&m, 64, LOOM_OTIS_SHUFFLE, &err), LOOM_EINPUT);
	assert_null(loom_otis_sequence_name(LOOM_OTIS_SEQUENCES));
	assert_null(loom_otis_direction_name(LOOM_OTIS_DIRECTIONS));
}

// ---- Arbitrary permutations -------------------------------------------------------------------------------------------

static void check_any(uint32_t side, const uint32_t *source, const uint32_t *to, uint32_t n_items)
{
	struct loom_otis_moves m;
	struct loom_otis_step_counts bound, mesh;
	struct loom_err err = {0};
	bool possible;
	succeed(loom_otis_bound(&bound, side, source, to, n_items, &(struct loom_otis_cost){1, 1}, &err), &err);
	succeed(loom_otis_any(&m, side, source, to, n_items, &err), &err);
	otis_check_moves(&m, source, to);
	assert_true(m.otis <= 2);
	assert_true(m.electronic + m.otis >= bound.electronic + bound.otis);
	assert_true(m.electronic <= 12 * (side - 1));
	loom_otis_moves_free(&m);
	succeed(loom_otis_by_one(&m, &possible, side, source, to, n_items, &err), &err);
	if (possible) {
		otis_check_moves(&m, source, to);
		assert_true(m.otis <= 1);
		assert_true(m.electronic + m.otis >= bound.electronic + bound.otis);
		loom_otis_moves_free(&m);
	}
	assert_true(possible || bound.otis == 2);
	loom_otis_mesh_4d_count(&mesh, side, source, to, n_items);
	succeed(loom_otis_mesh_4d(&m, side, source, to, n_items, &err), &err);
	otis_check_moves(&m, source, to);
	assert_true(m.electronic >= mesh.electronic && m.electronic + m.otis >= bound.electronic + bound.otis);
	loom_otis_moves_free(&m);
}

static void test_any(void **state)
{
	static const struct {
		uint32_t side;
		unsigned times;
	} sizes[] = {{2, 1000}, {3, 100}, {4, 1000}, {5, 20}, {8, 3}};
	struct loom_rng rng;
	(void)state;
	loom_rng_init(&rng, 5);
	for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
		uint32_t side = sizes[k].side, n_nodes = side * side * side * side;
		uint32_t *source = calloc(n_nodes, sizeof *source), *to = calloc(n_nodes, sizeof *to);
		assert_true(source && to);
		for (unsigned i = 0; i < sizes[k].times; i++) {
			shuffle(source, n_nodes, &rng);
			shuffle(to, n_nodes, &rng);
			check_any(side, source, to, i % 4 ? n_nodes : (uint32_t)loom_rng_below(&rng, n_nodes + 1));
		}
		free(source);
		free(to);
	}
}

// Table 1: shuffle, vector reversal and swap can be played in as many steps.
static void test_mesh_4d(void **state)
{
	(void)state;
	for (uint32_t side = 4; side <= 16; side *= 2) {
		const struct {
			enum loom_otis_sequence sequence;
			uint32_t electronic, otis;
			bool played;
		} rows[] = {{LOOM_OTIS_TRANSPOSE, 8 * (side - 1), 8 * (side - 1), false},
		            {LOOM_OTIS_SHUFFLE, 4 * side, 4 * side, true},
		            {LOOM_OTIS_UNSHUFFLE, 4 * side, 4 * side, false},
		            {LOOM_OTIS_BIT_REVERSAL, 8 * (side - 1), 8 * (side - 1), false},
		            {LOOM_OTIS_VECTOR_REVERSAL, 8 * (side - 1), 8 * (side - 1), true},
		            {LOOM_OTIS_SWAP_XOR, 4 * (side - 1), 4 * (side - 1), true}};
		uint32_t n_nodes = side * side * side * side, *source = calloc(n_nodes, sizeof *source);
		assert_non_null(source);
		for (uint32_t v = 0; v < n_nodes; v++)
			source[v] = v;
		for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
			struct loom_otis_moves m, mesh;
			struct loom_otis_step_counts least;
			assert_int_equal(loom_otis_sequence(&m, side, rows[k].sequence, NULL), 0);
			loom_otis_mesh_4d_count(&least, side, source, m.at, n_nodes);
			assert_int_equal(least.electronic, rows[k].electronic);
			assert_int_equal(least.otis, rows[k].otis);
			assert_int_equal(loom_otis_mesh_4d(&mesh, side, source, m.at, n_nodes, NULL), 0);
			assert_int_equal(mesh.electronic == least.electronic && mesh.otis == least.otis,
			                 rows[k].played);
			loom_otis_moves_free(&m);
			loom_otis_moves_free(&mesh);
		}
		free(source);
	}
}

// Each group sends each other one item: one OTIS move, and within groups what a random permutation asks for.
static void test_by_one(void **state)
{
	struct loom_rng rng;
	uint32_t source[256], to[256], within[16];
	(void)state;
	loom_rng_init(&rng, 6);
	for (unsigned k = 0; k < 50; k++) {
		for (uint32_t v = 0; v < 256; v++)
			source[v] = v;
		for (uint32_t g = 0; g < 16; g++) {
			shuffle(within, 16, &rng);
			for (uint32_t p = 0; p < 16; p++)
				to[16 * g + p] = within[p] * 16 + g;
		}
		struct loom_otis_moves m;
		bool possible = false;
		struct loom_err err = {0};
		uint32_t most[4] = {0};
		for (uint32_t v = 0; v < 256; v++)
			raise(most, 4, v % 16, to[v] / 16);
		succeed(loom_otis_by_one(&m, &possible, 4, source, to, 256, &err), &err);
		assert_true(possible);
		otis_check_moves(&m, source, to);
		assert_int_equal(m.otis, 1);
		assert_int_equal(m.electronic, most[0] + most[1] + most[2] + most[3]); // after it each is in place
		loom_otis_moves_free(&m);
	}
}

// Within groups, different in each: as many steps in each direction as some item goes in it.
static void test_local(void **state)
{
	struct loom_rng rng;
	(void)state;
	loom_rng_init(&rng, 7);
	for (unsigned k = 0; k < 300; k++) {
		uint32_t side = 2 + k % 7, n = side * side, within[64], most[4] = {0}, n_items = 0;
		uint32_t *at = calloc(n * n, sizeof *at), *to = calloc(n * n, sizeof *to);
		struct loom_otis_moves m;
		struct loom_err err = {0};
		bool partial = k % 3 == 0;
		assert_true(at && to);
		for (uint32_t g = 0; g < n; g++) {
			shuffle(within, n, &rng);
			for (uint32_t p = 0; p < n; p++) {
				if (partial && loom_rng_below(&rng, 2))
					continue;
				at[n_items] = g * n + p;
				to[n_items++] = g * n + within[p];
				raise(most, side, p, within[p]);
			}
		}
		succeed(loom_otis_moves_begin(&m, side, at, n_items, &err), &err);
		succeed(loom_otis_moves_local(&m, to, &err), &err);
		otis_check_moves(&m, at, to);
		assert_int_equal(m.electronic, most[0] + most[1] + most[2] + most[3]);
		assert_int_equal(m.otis, 0);
		loom_otis_moves_free(&m);
		free(at);
		free(to);
	}
}

// Several items on a node: they go one after the other, the farthest first; and those without light stay.
static void test_several_on_a_node(void **state)
{
	const uint32_t at[3] = {0, 0, 0}, to[3] = {1, 2, 3};
	struct loom_otis_moves m;
	(void)state;
	assert_int_equal(loom_otis_moves_begin(&m, 4, at, 3, NULL), 0);
	assert_int_equal(loom_otis_moves_local(&m, to, NULL), 0);
	otis_check_moves(&m, at, to);
	assert_int_equal(m.n_steps, 3);
	assert_int_equal(m.hop[0].item, 2);
	loom_otis_moves_free(&m);
	assert_int_equal(loom_otis_moves_begin(&m, 4, (const uint32_t[]){1, 1, 0}, 3, NULL), 0);
	assert_int_equal(loom_otis_moves_light(&m, NULL, NULL), 0);
	assert_int_equal(m.n_steps, 2);
	otis_check_moves(&m, (const uint32_t[]){1, 1, 0}, (const uint32_t[]){16, 16, 0});
	assert_int_equal(loom_otis_moves_light(&m, (const bool[]){false, true, true}, NULL), 0);
	assert_int_equal(m.n_steps, 3);
	assert_int_equal(loom_otis_moves_trim(&m, NULL), 0);
	otis_check_moves(&m, (const uint32_t[]){1, 1, 0}, (const uint32_t[]){16, 1, 0});
	assert_int_equal(m.n_steps, 1); // the second item's two hops are gone, and its steps
	loom_otis_moves_free(&m);
}

static void test_errors(void **state)
{
	struct loom_otis_moves m;
	struct loom_err err = {0};
	(void)state;
	assert_int_equal(loom_otis_moves_begin(&m, 1, NULL, 0, &err), LOOM_EINPUT);
	assert_int_equal(loom_otis_moves_begin(&m, 33, NULL, 0, &err), LOOM_EINPUT);
	assert_int_equal(loom_otis_moves_begin(&m, 2, (const uint32_t[]){16}, 1, &err), LOOM_EINPUT);
	assert_int_equal(loom_otis_moves_begin(&m, 2, (const uint32_t[]){3, 15, 16}, 3, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "item 2 is on node 16, there are 16");
	assert_int_equal(loom_otis_any(&m, 2, (const uint32_t[]){1, 1}, (const uint32_t[]){2, 3}, 2, &err),
	                 LOOM_EINPUT);
	assert_non_null(strstr(err.text, "item 1 is the second on node 1"));
	assert_int_equal(loom_otis_any(&m, 2, (const uint32_t[]){1, 2}, (const uint32_t[]){3, 3}, 2, &err),
	                 LOOM_EINPUT);
	assert_non_null(strstr(err.text, "item 1 is the second to node 3"));
	assert_int_equal(loom_otis_any(&m, 2, (const uint32_t[]){1}, (const uint32_t[]){16}, 1, &err), LOOM_EINPUT);
	assert_int_equal(loom_otis_moves_begin(&m, 2, (const uint32_t[]){1}, 1, &err), 0);
	assert_int_equal(loom_otis_moves_local(&m, (const uint32_t[]){4}, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "electronic steps stay in a group"));
	loom_otis_moves_free(&m);
	loom_otis_moves_free(NULL);
}

// ---- Costs ------------------------------------------------------------------------------------------------------------

static void test_cost(void **state)
{
	static const struct {
		const char *text;
		double electronic, otis;
	} good[] = {{NULL, 1, 1},           {"otis=4", 1, 4},
	            {"electronic=2", 2, 1}, {"electronic=1,otis=0.25", 1, 0.25},
	            {"otis=0", 1, 0},       {"otis=10.5,electronic=3", 3, 10.5},
	            {"electronic=0", 0, 1}};
	static const char *const bad[] = {"",
	                                  "otis",
	                                  "otis=",
	                                  "otis=x",
	                                  "otis=1.",
	                                  "otis=.5",
	                                  "otis=-1",
	                                  "otis=1e3",
	                                  "otis=1,otis=2",
	                                  "light=4",
	                                  "otis=1,",
	                                  "electronic=0,otis=0",
	                                  "otis=1000001",
	                                  "otis=1.2.3",
	                                  "otis=0000000000000001"};
	(void)state;
	for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
		struct loom_otis_cost cost;
		assert_int_equal(loom_otis_cost_parse(&cost, good[k].text, NULL), 0);
		assert_true(cost.electronic == good[k].electronic && cost.otis == good[k].otis);
	}
	for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
		struct loom_otis_cost cost = {-1, -1};
		struct loom_err err = {0};
		if (loom_otis_cost_parse(&cost, bad[k], &err) != LOOM_EINPUT)
			fail_msg("\"%s\" is taken for %g and %g", bad[k], cost.electronic, cost.otis);
		assert_true(strstr(err.text, "cost: ") == err.text && cost.otis == -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_of_16),
		cmocka_unit_test(test_random_bpc),
		cmocka_unit_test(test_no_bpc),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_by_one),
		cmocka_unit_test(test_local),
		cmocka_unit_test(test_several_on_a_node),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_cost),
		cmocka_unit_test(test_mesh_4d),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
