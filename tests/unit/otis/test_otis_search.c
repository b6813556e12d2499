// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches for fewer moves than [Sahni97] has: that every route they may come upon is one, that what they count is what it
// takes, and that they find what they are known to find.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "unit/help/otis_moves_checks.h"
#include "plan/otis/otis_bit_routes.h"
#include "plan/otis/otis_moves.h"
#include "plan/otis/otis_recolour.h"

static void random_bits(struct loom_otis_bits *out, unsigned n, struct loom_rng *rng)
{
	*out = (struct loom_otis_bits){.n = n, .flip = (uint32_t)loom_rng_below(rng, UINT64_C(1) << n)};
	for (unsigned j = 0; j < n; j++)
		out->to[j] = (uint8_t)j;
	for (unsigned j = n; j > 1; j--) {
		unsigned k = (unsigned)loom_rng_below(rng, j);
		uint8_t t = out->to[k];
		out->to[k] = out->to[j - 1];
		out->to[j - 1] = t;
	}
}

static uint32_t *images(const struct loom_otis_bits *bits)
{
	uint32_t *to = calloc((size_t)1 << bits->n, sizeof *to);
	assert_non_null(to);
	for (uint32_t v = 0; v >> bits->n == 0; v++)
		to[v] = loom_otis_bits_apply(bits, v);
	return to;
}

static void play(struct loom_otis_step_counts *out, const struct loom_otis_bit_route *route,
                 const struct loom_otis_bits *bits)
{
	struct loom_otis_moves m;
	struct loom_err err = {0};
	uint32_t *to = images(bits);
	if (loom_otis_bit_route_play(&m, UINT32_C(1) << bits->n / 4, route, bits, &err) != 0)
		fail_msg("%s", err.text);
	otis_check_moves(&m, NULL, to);
	unsigned n_meet = 0;
	for (unsigned i = 0; i < route->k; i++)
		n_meet += route->how[i] == LOOM_OTIS_PAIR_PLACE || route->how[i] == LOOM_OTIS_PAIR_GROUP;
	assert_int_equal(strstr(m.by, ", items meet") != NULL, n_meet != 0);
	*out = (struct loom_otis_step_counts){m.electronic, m.otis};
	loom_otis_moves_free(&m);
	free(to);
}

// Routes at random, far from the first one: order, flip, how pairs go.
static void test_routes(void **state)
{
	struct loom_rng rng;
	unsigned n_meet = 0, n_apart = 0;
	(void)state;
	loom_rng_init(&rng, 21);
	for (unsigned round = 0; round < 400; round++) {
		struct loom_otis_bits bits;
		struct loom_otis_bit_route r;
		struct loom_otis_step_counts want, have;
		bool meet = false;
		random_bits(&bits, round % 10 == 9 ? 12 : round % 2 ? 8 : 4, &rng);
		bool across = round % 5 == 4;
		loom_otis_bit_route_first(&r, &bits, across);
		for (unsigned i = 0; i < r.q && !across; i++) {
			unsigned k = (unsigned)loom_rng_below(&rng, r.q);
			uint8_t t = r.order[i];
			r.order[i] = r.order[k];
			r.order[k] = t;
		}
		r.flip = (uint32_t)loom_rng_below(&rng, UINT64_C(1) << r.q);
		for (unsigned i = 0; i + 1 < r.k; i++) {
			uint8_t t = r.group[i];
			r.group[i] = r.group[i + 1];
			r.group[i + 1] = t;
		}
		for (unsigned i = 0; i < r.k && !across; i++) {
			r.how[i] = (uint8_t)loom_rng_below(&rng, round % 3 ? LOOM_OTIS_PAIRS : 1);
			meet = meet || r.how[i] == LOOM_OTIS_PAIR_PLACE || r.how[i] == LOOM_OTIS_PAIR_GROUP;
		}
		want = loom_otis_bit_route_count(&r, &bits);
		play(&have, &r, &bits);
		assert_true(have.otis <= want.otis); // fewer if all meet where there is no light
		assert_true(have.electronic >= want.electronic);
		if (!meet) {
			assert_int_equal(have.otis, want.otis);
			assert_int_equal(have.electronic, want.electronic);
		}
		n_meet += meet;
		n_apart += !meet;
	}
	assert_true(n_meet > 50 && n_apart > 100);
}

// The search reaches the known costs of linear middles: 64 + 2 for the shuffle of side 16 where [Sahni97] takes 70 + 2, and so on.
static void test_finds(void **state)
{
	static const struct {
		uint32_t side;
		enum loom_otis_sequence sequence;
		unsigned allowed;
		uint32_t electronic, otis; // at most
	} rows[] = {
		{4, LOOM_OTIS_SHUFFLE, 1, 18, 2},      {16, LOOM_OTIS_SHUFFLE, 1, 66, 2},
		{16, LOOM_OTIS_UNSHUFFLE, 1, 66, 2},   {16, LOOM_OTIS_SHUFFLE, 15, 64, 3},
		{8, LOOM_OTIS_BIT_SHUFFLE, 1, 54, 2},  {8, LOOM_OTIS_BIT_SHUFFLE, 9, 46, 4},
		{8, LOOM_OTIS_BIT_SHUFFLE, 15, 42, 6}, {4, LOOM_OTIS_VECTOR_REVERSAL, 1, 24, 2},
		{8, LOOM_OTIS_SWAP_XOR, 1, 42, 2},     {8, LOOM_OTIS_SWAP_XOR, 9, 28, 6},
	};
	(void)state;
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct loom_otis_bits bits;
		struct loom_otis_bit_route r;
		struct loom_budget budget;
		struct loom_otis_step_counts have;
		loom_budget_begin(&budget, NULL, UINT64_C(700) * LOOM_OTIS_ROUTE_STEPS);
		assert_int_equal(loom_otis_bits_of_sequence(&bits, rows[k].sequence, rows[k].side, NULL), 0);
		loom_otis_bit_route_search(&r, &bits, &(struct loom_otis_cost){1, 1}, rows[k].allowed, &budget);
		play(&have, &r, &bits);
		if (have.electronic > rows[k].electronic || have.otis > rows[k].otis)
			fail_msg("%s, side %u: %u electronic and %u OTIS moves",
			         loom_otis_sequence_name(rows[k].sequence), rows[k].side, have.electronic, have.otis);
		for (unsigned i = 0; i < r.k; i++)
			assert_true(rows[k].allowed >> r.how[i] & 1);
	}
}

// It ends, also where there is nothing to change: routes across of which no bit stays, or one.
static void test_ends(void **state)
{
	struct loom_rng rng;
	(void)state;
	loom_rng_init(&rng, 23);
	for (unsigned round = 0; round < 60; round++) {
		struct loom_otis_bits bits;
		struct loom_otis_bit_route r;
		struct loom_budget budget;
		struct loom_otis_step_counts have;
		loom_budget_begin(&budget, NULL, UINT64_C(20) * LOOM_OTIS_ROUTE_STEPS);
		random_bits(&bits, 4, &rng);
		loom_otis_bit_route_search(&r, &bits, &(struct loom_otis_cost){1, 1}, round % 16, &budget);
		play(&have, &r, &bits);
		assert_int_equal(r.across, round % 16 == 0);
	}
}

// ---- Recolouring ------------------------------------------------------------------------------------------------------

static uint32_t steps_by(const uint32_t *middle, uint32_t side, const uint32_t *source, const uint32_t *to, uint32_t n)
{
	struct loom_otis_moves m;
	struct loom_err err = {0};
	if (loom_otis_by_middle(&m, side, source, to, middle, n, &err) != 0)
		fail_msg("%s", err.text);
	otis_check_moves(&m, source, to);
	uint32_t steps = m.electronic;
	assert_true(m.otis <= 2);
	loom_otis_moves_free(&m);
	return steps;
}

// Checks that no two items from one group, and no two to one group, have the same middle.
static void check_middles(const uint32_t *middle, uint32_t n, const uint32_t *source, const uint32_t *to,
                          uint32_t n_items)
{
	uint8_t *seen = calloc(2 * (size_t)n * n, 1);
	assert_non_null(seen);
	for (uint32_t i = 0; i < n_items; i++) {
		assert_true(middle[i] < n);
		assert_int_equal(seen[source[i] / n * n + middle[i]]++, 0);
		assert_int_equal(seen[n * n + to[i] / n * n + middle[i]]++, 0);
	}
	free(seen);
}

static void test_recolour(void **state)
{
	struct loom_rng rng;
	unsigned gained = 0;
	(void)state;
	loom_rng_init(&rng, 22);
	for (unsigned round = 0; round < 40; round++) {
		uint32_t side = 2 + round % 4, n = side * side, n_nodes = n * n, source[625], to[625], middle[625];
		for (uint32_t v = 0; v < n_nodes; v++)
			source[v] = to[v] = v;
		for (uint32_t v = n_nodes; v > 1; v--) {
			uint32_t k = (uint32_t)loom_rng_below(&rng, v), j = (uint32_t)loom_rng_below(&rng, v),
				 t = to[k];
			to[k] = to[v - 1];
			to[v - 1] = t;
			t = source[j];
			source[j] = source[v - 1];
			source[v - 1] = t;
		}
		uint32_t n_items = round % 3 ? n_nodes : (uint32_t)loom_rng_below(&rng, n_nodes + 1);
		struct loom_budget budget;
		struct loom_err err = {0};
		assert_int_equal(loom_otis_first_middle(middle, side, source, to, n_items, &err), 0);
		check_middles(middle, n, source, to, n_items);
		uint32_t before = steps_by(middle, side, source, to, n_items);
		loom_budget_begin(&budget, NULL, round % 5 ? 300000 : 500); // that ends it in between, too
		assert_int_equal(loom_otis_recolour(middle, side, source, to, n_items, &budget, &err), 0);
		check_middles(middle, n, source, to, n_items);
		uint32_t after = steps_by(middle, side, source, to, n_items);
		assert_true(after <= before);
		gained += before - after;
	}
	assert_true(gained > 60);
}

// A search ends once no limit can be lower, however much time it still has.
static void test_recolour_ends(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 23);
	for (unsigned round = 0; round < 20; round++) {
		uint32_t source[16], to[16], middle[16];
		const struct loom_plan_options options = {.budget_seconds = 3600};
		struct loom_budget budget;
		for (uint32_t v = 0; v < 16; v++)
			source[v] = to[v] = v;
		for (uint32_t v = 16; round && v > 1; v--) {
			uint32_t k = (uint32_t)loom_rng_below(&rng, v), t = to[k];
			to[k] = to[v - 1];
			to[v - 1] = t;
		}
		assert_int_equal(loom_otis_first_middle(middle, 2, source, to, 16, NULL), 0);
		// As low as it can be: a search of some steps has found it.
		loom_budget_begin(&budget, NULL, 3000000);
		assert_int_equal(loom_otis_recolour(middle, 2, source, to, 16, &budget, NULL), 0);
		if (steps_by(middle, 2, source, to, 16) > 4) // one in each direction
			continue;
		loom_budget_begin(&budget, &options, 0);
		assert_int_equal(loom_otis_recolour(middle, 2, source, to, 16, &budget, NULL), 0);
		check_middles(middle, 4, source, to, 16);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_routes), cmocka_unit_test(test_finds),
	                                   cmocka_unit_test(test_ends), cmocka_unit_test(test_recolour),
	                                   cmocka_unit_test(test_recolour_ends)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
