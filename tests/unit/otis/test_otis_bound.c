// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The bound on moves: against all sequences of steps on the OTIS-Mesh of 16 processors, and Theorem 3 of [Sahni97].
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/math/otis.h>

#include "base/rng.h"

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

// ---- All sequences of steps -------------------------------------------------------------------------------------------

// reach[d][set]: where items on these nodes can be after a step in direction d that each of them takes or does not take. An
// item that needs its steps alone can take them whatever the others do, so what takes longer than this search says takes
// longer with one item per node, too.
static uint16_t reach[LOOM_OTIS_DIRECTIONS][1 << 16];

static void make_reach(void)
{
	for (unsigned d = 0; d < LOOM_OTIS_DIRECTIONS; d++)
		for (uint32_t set = 0; set < 1 << 16; set++) {
			uint32_t out = set, there;
			for (uint32_t v = 0; v < 16; v++)
				if ((set >> v & 1) && loom_otis_neighbour(&there, 2, v, (enum loom_otis_direction)d))
					out |= UINT32_C(1) << there;
			reach[d][set] = (uint16_t)out;
		}
}

// True if these numbers of steps of each sort, in some order, can bring all items where they belong.
static bool can(const uint16_t set[16], const uint32_t *to, unsigned last, unsigned electronic, unsigned otis)
{
	bool all = true;
	for (unsigned i = 0; i < 16; i++)
		all = all && (set[i] >> to[i] & 1);
	if (all)
		return true;
	for (unsigned d = 0; d < LOOM_OTIS_DIRECTIONS; d++) {
		uint16_t next[16];
		bool light = d == LOOM_OTIS_LIGHT;
		if (d == last || (light ? otis : electronic) == 0) // twice the same is once, on side 2
			continue;
		for (unsigned i = 0; i < 16; i++)
			next[i] = reach[d][set[i]];
		if (can(next, to, d, electronic - !light, otis - light))
			return true;
	}
	return false;
}

static bool can_do(const uint32_t *to, unsigned electronic, unsigned otis)
{
	uint16_t set[16];
	for (unsigned i = 0; i < 16; i++)
		set[i] = (uint16_t)(1u << i);
	return can(set, to, LOOM_OTIS_DIRECTIONS, electronic, otis);
}

static void identity(uint32_t *at, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		at[i] = i;
}

// True if items share an optical link, which carries one item at a time; the search does not know that.
static bool shares_a_light(const uint32_t *to)
{
	bool used[16] = {false}, shares = false;
	for (uint32_t v = 0; v < 16; v++) {
		uint32_t pair = v / 4 * 4 + to[v] / 4;
		shares = shares || (used[pair] && v / 4 != to[v] / 4);
		used[pair] = true;
	}
	return shares;
}

// Checks that nothing costs less than the bound. Counts where independent steps meet the bound.
static unsigned check_bound(const uint32_t *to, const struct loom_otis_cost *cost)
{
	uint32_t source[16];
	struct loom_otis_step_counts bound;
	identity(source, 16);
	assert_int_equal(loom_otis_bound(&bound, 2, source, to, 16, cost, NULL), 0);
	double least = loom_otis_cost_of(cost, bound.electronic, bound.otis);
	for (unsigned otis = 0; otis < 4; otis++) {
		unsigned electronic = 0;
		while (electronic < 8 && loom_otis_cost_of(cost, electronic + 1, otis) < least)
			electronic++;
		if (loom_otis_cost_of(cost, electronic, otis) < least && !(otis == 1 && shares_a_light(to)) &&
		    can_do(to, electronic, otis))
			fail_msg("%u electronic and %u OTIS moves do what %u and %u are said to be needed for",
			         electronic, otis, bound.electronic, bound.otis);
	}
	return can_do(to, bound.electronic, bound.otis);
}

static void test_exhaustive(void **state)
{
	static const struct loom_otis_cost costs[] = {{1, 1}, {1, 3}, {3, 1}};
	struct loom_rng rng;
	unsigned met = 0, n = 0;
	(void)state;
	make_reach();
	loom_rng_init(&rng, 14);
	for (unsigned k = 0; k < 24; k++) {
		uint32_t to[16], order[4];
		shuffle(to, 16, &rng);
		for (uint32_t g = 0; k % 4 == 1 && g < 4; g++) { // one that stays within groups
			shuffle(order, 4, &rng);
			for (uint32_t p = 0; p < 4; p++)
				to[4 * g + p] = 4 * g + order[p];
		}
		shuffle(order, 4, &rng);
		for (uint32_t v = 0, flip = to[0]; k % 4 >= 2 && v < 16; v++) { // BPC permutations
			to[v] = flip;
			for (unsigned j = 0; j < 4; j++)
				to[v] ^= (v >> j & 1) << order[j];
		}
		for (unsigned c = 0; c < 3; c++, n++)
			met += check_bound(to, &costs[c]);
	}
	assert_true(met > n / 2); // the bound is met often enough to be useful
}

// ---- Theorem 3 --------------------------------------------------------------------------------------------------------

// The transpose of the N x N mesh whose submeshes are the groups: 8(n-1) electronic and 2 OTIS moves.
static void test_theorem3(void **state)
{
	const struct loom_otis_cost costs[] = {{1, 1}, {1, 100}, {100, 1}};
	(void)state;
	for (uint32_t side = 2; side <= 16; side *= 2) {
		uint32_t n = side * side, *source = calloc(n * n, sizeof *source), *to = calloc(n * n, sizeof *to);
		assert_true(source && to);
		identity(source, n * n);
		for (uint32_t v = 0; v < n * n; v++) {
			uint32_t g = v / n, p = v % n;
			to[v] = (g % side * side + g / side) * n + p % side * side + p / side;
		}
		for (unsigned c = 0; c < 3; c++) {
			struct loom_otis_step_counts bound;
			assert_int_equal(loom_otis_bound(&bound, side, source, to, n * n, &costs[c], NULL), 0);
			assert_int_equal(bound.electronic, 8 * (side - 1));
			assert_int_equal(bound.otis, 2);
		}
		free(source);
		free(to);
	}
}

// By hand: items with no, one and two optical moves; an item alone takes its shortest way.
static void test_by_hand(void **state)
{
	static const struct {
		uint32_t side, n_items, source[2], to[2], electronic, otis;
		struct loom_otis_cost cost;
	} cases[] = {
		{4, 1, {0}, {0}, 0, 0, {1, 1}},
		{4, 1, {0}, {15}, 6, 0, {1, 1}},                  // across its group
		{4, 1, {1 * 16 + 3}, {3 * 16 + 1}, 0, 1, {1, 1}}, // by light alone
		{4, 1, {0}, {15 * 16}, 6, 1, {1, 1}},             // to (0,15), by light: half of that two would take
		{4, 2, {0, 1}, {16, 17}, 1, 2, {1, 1}},           // both to group 1, so by even ways
		{4, 2, {0, 1}, {16, 17}, 1, 2, {1, 100}},         // and if light is dear
		{4, 1, {0 * 16 + 1}, {1 * 16 + 1}, 1, 1, {1, 1}}, // to (0,1), by light to (1,0), right
		{2, 2, {0, 15}, {15, 0}, 8, 1, {1, 1}},  // one right and down, the other left and up, twice each
		{3, 2, {0, 80}, {80, 0}, 16, 1, {1, 1}}, // no power of two: 8 hops by each of them
	};
	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		struct loom_otis_step_counts bound;
		assert_int_equal(loom_otis_bound(&bound, cases[k].side, cases[k].source, cases[k].to, cases[k].n_items,
		                                 &cases[k].cost, NULL),
		                 0);
		if (bound.electronic != cases[k].electronic || bound.otis != cases[k].otis)
			fail_msg("case %zu: %u electronic and %u OTIS", k, bound.electronic, bound.otis);
	}
}

// The bound of either way is the least sum of four maxima: here by trying all 2^n choices.
static void test_choices(void **state)
{
	struct loom_rng rng;
	(void)state;
	loom_rng_init(&rng, 15);
	for (unsigned k = 0; k < 60; k++) {
		uint32_t side = 3 + k % 3, n = side * side, source[625], to[625], least = UINT32_MAX;
		shuffle(source, n * n, &rng);
		shuffle(to, n * n, &rng);
		enum { ITEMS = 9 };
		to[ITEMS - 1] = to[0] / n * n + (to[0] + 1) % n; // two from one group to one other: two OTIS moves
		source[ITEMS - 1] = source[0] / n * n + (source[0] + 1) % n;
		bool clash = to[0] / n == source[0] / n;
		for (unsigned i = 1; i < ITEMS - 1; i++)
			clash = clash || to[i] == to[ITEMS - 1] || source[i] == source[ITEMS - 1];
		if (clash)
			continue;
		for (uint32_t odd = 0; odd < 1 << ITEMS; odd++) {
			uint32_t most[4] = {0};
			for (unsigned i = 0; i < ITEMS; i++) {
				uint32_t a[2] = {source[i] % n, source[i] / n}, b[2] = {to[i] % n, to[i] / n},
					 hops[4] = {0};
				for (unsigned half = 0; half < 2; half++) {
					uint32_t from = a[half], end = b[half ^ (odd >> i & 1)];
					int x = (int)(end % side) - (int)(from % side),
					    y = (int)(end / side) - (int)(from / side);
					hops[x > 0 ? 0 : 1] += (uint32_t)abs(x);
					hops[y > 0 ? 2 : 3] += (uint32_t)abs(y);
				}
				for (unsigned d = 0; d < 4; d++)
					most[d] = hops[d] > most[d] ? hops[d] : most[d];
			}
			uint32_t sum = most[0] + most[1] + most[2] + most[3];
			least = sum < least ? sum : least;
		}
		struct loom_otis_step_counts bound;
		assert_int_equal(loom_otis_bound(&bound, side, source, to, ITEMS, &(struct loom_otis_cost){1, 1}, NULL),
		                 0);
		assert_int_equal(bound.otis, 2);
		assert_int_equal(bound.electronic, least);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exhaustive),
		cmocka_unit_test(test_theorem3),
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_choices),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
