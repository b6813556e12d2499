// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Slots of items between their hops: an item's slot is its own from the step in which it comes to the one in which it leaves, and
// there are as many as items are on a node at once, counted step by step.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "plan/otis/otis_moves.h"
#include "plan/otis/otis_slots.h"

enum { SIDE_MOST = 3, NODES_MOST = 81, STEPS_MOST = 40, ITEMS_MOST = 400 };

struct scene {
	struct loom_otis_moves m;
	uint32_t at[ITEMS_MOST];
	uint8_t direction[STEPS_MOST];
	size_t first[STEPS_MOST + 1];
	struct loom_otis_hop hop[STEPS_MOST * NODES_MOST];
};

// Draws moves: in each step some items move, at most one from a node.
static void random_moves(struct scene *s, uint32_t side, uint32_t n_steps, uint32_t n_items, struct loom_rng *rng)
{
	*s = (struct scene){.m = {.side = side, .n_items = n_items, .n_steps = n_steps}};
	s->m.at = s->at;
	s->m.direction = s->direction;
	s->m.first = s->first;
	s->m.hop = s->hop;
	for (uint32_t i = 0; i < n_items; i++)
		s->at[i] = (uint32_t)loom_rng_below(rng, loom_otis_nodes(side));
	size_t n = 0;
	for (uint32_t step = 0; step < n_steps; step++) {
		bool goes[NODES_MOST] = {false};
		s->direction[step] = (uint8_t)loom_rng_below(rng, LOOM_OTIS_DIRECTIONS);
		for (uint32_t i = 0; i < n_items; i++) {
			uint32_t from = s->at[i], to;
			if (goes[from] || loom_rng_below(rng, 3) == 0 ||
			    !loom_otis_neighbour(&to, side, from, (enum loom_otis_direction)s->direction[step]))
				continue;
			goes[from] = true;
			s->hop[n++] = (struct loom_otis_hop){i, from};
			s->at[i] = to;
		}
		s->first[step + 1] = n;
	}
}

// Returns the step of the next hop of the item of hop k, n_steps if there is none.
static uint32_t leaves(const struct scene *s, uint32_t step, size_t k)
{
	for (uint32_t later = step + 1; later < s->m.n_steps; later++)
		for (size_t h = s->first[later]; h < s->first[later + 1]; h++)
			if (s->hop[h].item == s->hop[k].item)
				return later;
	return s->m.n_steps;
}

static void check(const struct scene *s)
{
	static bool used[NODES_MOST][LOOM_OTIS_SLOTS_MOST + 1][STEPS_MOST];
	static uint32_t there[NODES_MOST][STEPS_MOST];
	static uint8_t keep[STEPS_MOST * NODES_MOST];
	uint32_t n_slots = 77, most = 0;
	memset(used, 0, sizeof used);
	memset(there, 0, sizeof there);
	memset(keep, 0xee, sizeof keep);
	assert_int_equal(loom_otis_slots(keep, &n_slots, &s->m, NULL), 0);
	for (uint32_t step = 0; step < s->m.n_steps; step++)
		for (size_t k = s->first[step]; k < s->first[step + 1]; k++) {
			uint32_t node, gone = leaves(s, step, k);
			assert_int_equal(keep[k] == 0, gone == s->m.n_steps);
			if (keep[k] == 0)
				continue;
			assert_true(loom_otis_neighbour(&node, s->m.side, s->hop[k].from,
			                                (enum loom_otis_direction)s->direction[step]));
			for (uint32_t t = step; t <= gone; t++) {
				assert_false(used[node][keep[k]][t]);
				used[node][keep[k]][t] = true;
				most = ++there[node][t] > most ? there[node][t] : most;
			}
		}
	assert_int_equal(n_slots, most);
	assert_int_equal(keep[s->first[s->m.n_steps]], 0xee);
}

static void test_random(void **state)
{
	(void)state;
	static struct scene s;
	struct loom_rng rng;
	loom_rng_init(&rng, 5);
	for (unsigned round = 0; round < 150; round++) {
		uint32_t side = 2 + round % 2, n_steps = (uint32_t)loom_rng_below(&rng, STEPS_MOST + 1);
		random_moves(&s, side, n_steps, 1 + (uint32_t)loom_rng_below(&rng, round % 3 ? 40 : ITEMS_MOST), &rng);
		check(&s);
	}
}

// n items come to node 0 one after the other, and then leave one after the other: as many slots as there are at most are taken, one
// more is refused.
static void test_many_at_once(void **state)
{
	(void)state;
	static const uint32_t counts[] = {0, 1, 14, 15, 16, 74, 75, 76, 254, 255, 256, 300};
	static struct loom_otis_hop hop[800];
	static uint8_t direction[800], keep[800];
	static size_t first[801];
	static uint32_t at[400];
	for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
		uint32_t n = counts[c], n_slots = 77;
		for (uint32_t i = 0; i < 2 * n; i++) { // from the right neighbour to the left, then back
			hop[i] = (struct loom_otis_hop){i % n, i < n ? 1 : 0};
			direction[i] = i < n ? LOOM_OTIS_LEFT : LOOM_OTIS_RIGHT;
			first[i + 1] = i + 1;
		}
		const struct loom_otis_moves m = {.side = 2,
		                                  .n_items = n,
		                                  .at = at,
		                                  .n_steps = 2 * n,
		                                  .direction = direction,
		                                  .first = first,
		                                  .hop = hop};
		struct loom_err err = {0};
		int code = loom_otis_slots(keep, &n_slots, &m, &err);
		assert_int_equal(code, n <= LOOM_OTIS_SLOTS_MOST ? 0 : LOOM_EINPUT);
		if (code == 0)
			assert_int_equal(n_slots, n);
		else
			assert_non_null(strstr(err.text, "these moves need more than 255 slots on a node"));
	}
	assert_int_equal(loom_otis_slots_of_a_chip(2), 7);
	assert_int_equal(loom_otis_slots_of_a_chip(4), 7);
	assert_int_equal(loom_otis_slots_of_a_chip(5), 9);
	assert_int_equal(loom_otis_slots_of_a_chip(8), 15);
	assert_int_equal(loom_otis_slots_of_a_chip(16), 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_many_at_once)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
