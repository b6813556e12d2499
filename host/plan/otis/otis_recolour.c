// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The middles are edge colours of a bipartite graph of source groups and destination groups. Two colours are exchanged
// along a Kempe chain: the items of these colours that groups connect. Such exchanges can lead from any colouring to
// any other one.
//
// The cost is the most that any item goes in each of four directions, before the first OTIS move and after the second.
// The way in between is the same for all colourings. Each of these eight figures has a limit. One limit at a time is
// lowered by one, and the search looks for a colouring that keeps all limits.
#include "plan/otis/otis_recolour.h"

#include <inttypes.h>
#include <string.h>

#include "base/arrays.h"
#include "base/rng.h"
#include "plan/otis/otis_moves.h"

enum { LEGS = 2, LIMITS = LEGS * LOOM_OTIS_LIGHT };
#define TRIES_PER_ITEM 6 // chains that may fail until a limit is given up, per item of the permutation
#define UPHILL 10        // one chain in this number is kept although it exceeds the limits by a little

struct search {
	uint32_t n, n_items; // n: places of a group
	const uint32_t *source, *destination;
	uint32_t *middle, *best;              // by item
	uint32_t *of_source, *of_destination; // by group and colour: an item, or none
	uint8_t *hops;                        // [limit * n * n + from * n + to]: hops between two places
	uint32_t *beyond, *place_in_beyond;   // the items that exceed a limit, in any order; by item its index there
	uint32_t n_beyond;
	uint64_t excess; // hops beyond the limits, summed over all items
	uint8_t limit[LIMITS];
	struct loom_budget *budget;
	struct loom_rng rng;
	uint64_t tries; // chains to try for each limit
	bool is_over;
	struct loom_arrays arrays; // owns the arrays
};

static uint8_t hops_of(const struct search *s, uint32_t item, uint32_t colour, unsigned limit)
{
	uint32_t n = s->n, direction = limit % LOOM_OTIS_LIGHT;
	uint32_t from = limit < LOOM_OTIS_LIGHT ? s->source[item] % n : colour,
		 to = limit < LOOM_OTIS_LIGHT ? colour : s->destination[item] % n;
	return s->hops[((size_t)direction * n + from) * n + to];
}

static uint32_t excess_of(const struct search *s, uint32_t item, uint32_t colour)
{
	uint32_t sum = 0;
	for (unsigned k = 0; k < LIMITS; k++) {
		uint8_t hops = hops_of(s, item, colour, k);
		sum += hops > s->limit[k] ? (uint32_t)hops - s->limit[k] : 0;
	}
	return sum;
}

static void note(struct search *s, uint32_t item, bool is_beyond)
{
	uint32_t place = s->place_in_beyond[item];
	if ((place != LOOM_OTIS_NOBODY) == is_beyond)
		return;
	if (is_beyond) {
		s->place_in_beyond[item] = s->n_beyond;
		s->beyond[s->n_beyond++] = item;
		return;
	}
	uint32_t last = s->beyond[--s->n_beyond];
	s->beyond[place] = last;
	s->place_in_beyond[last] = place;
	s->place_in_beyond[item] = LOOM_OTIS_NOBODY;
}

static void count_all(struct search *s)
{
	s->excess = 0;
	for (uint32_t i = 0; i < s->n_items; i++) {
		uint32_t excess = excess_of(s, i, s->middle[i]);
		s->excess += excess;
		note(s, i, excess != 0);
	}
}

static uint32_t *at_source(const struct search *s, uint32_t item, uint32_t colour)
{
	return &s->of_source[s->source[item] / s->n * s->n + colour];
}

static uint32_t *at_destination(const struct search *s, uint32_t item, uint32_t colour)
{
	return &s->of_destination[s->destination[item] / s->n * s->n + colour];
}

// ---- Kempe chains ---------------------------------------------------------------------------------------------------

// Lists the items of the chain from `item` on, which changes its colour to `other`. The chain goes on by the
// destination group of the item. If that does not lead back, it goes on by the source group as well. chain: room for
// n_items.
static uint32_t find_chain(uint32_t *chain, const struct search *s, uint32_t item, uint32_t other)
{
	uint32_t n = 0, mine = s->middle[item], at = item;
	for (unsigned side = 0; side < 2; side++) {
		bool by_destination = side == 0;
		at = item;
		if (side == 0)
			chain[n++] = item;
		for (;;) {
			uint32_t next_colour = s->middle[at] == mine ? other : mine;
			at = by_destination ? *at_destination(s, at, next_colour) : *at_source(s, at, next_colour);
			if (at == item)
				return n; // the chain is a circle
			if (at == LOOM_OTIS_NOBODY)
				break;
			chain[n++] = at;
			by_destination = !by_destination;
		}
	}
	return n;
}

// Exchanges the two colours of all items of the chain.
static void turn(struct search *s, const uint32_t *chain, uint32_t n, uint32_t a, uint32_t b)
{
	for (uint32_t k = 0; k < n; k++) {
		*at_source(s, chain[k], s->middle[chain[k]]) = LOOM_OTIS_NOBODY;
		*at_destination(s, chain[k], s->middle[chain[k]]) = LOOM_OTIS_NOBODY;
	}
	for (uint32_t k = 0; k < n; k++) {
		uint32_t *colour = &s->middle[chain[k]];
		*colour = *colour == a ? b : a;
		*at_source(s, chain[k], *colour) = chain[k];
		*at_destination(s, chain[k], *colour) = chain[k];
		note(s, chain[k], excess_of(s, chain[k], *colour) != 0);
	}
}

// Gives an item that exceeds the limits another colour, with its chain, and keeps it if the total excess does not rise.
static void try_chain(struct search *s, uint32_t *chain)
{
	uint32_t item = s->beyond[loom_rng_below(&s->rng, s->n_beyond)], mine = s->middle[item], other = mine,
		 least = UINT32_MAX;
	for (unsigned k = 0; k < 4; k++) { // takes the best of a few colours for this item
		uint32_t colour = (uint32_t)loom_rng_below(&s->rng, s->n), excess = excess_of(s, item, colour);
		if (colour != mine && excess < least) {
			least = excess;
			other = colour;
		}
	}
	if (other == mine)
		return;
	uint32_t n = find_chain(chain, s, item, other);
	int64_t change = 0;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t now = s->middle[chain[k]];
		change += (int64_t)excess_of(s, chain[k], now == mine ? other : mine) - excess_of(s, chain[k], now);
	}
	if (!loom_budget_spend(s->budget, n + 4))
		s->is_over = true;
	if (change > 2 || (change > 0 && loom_rng_below(&s->rng, UPHILL) != 0))
		return;
	turn(s, chain, n, mine, other);
	s->excess = (uint64_t)((int64_t)s->excess + change);
}

// ---- Limits ---------------------------------------------------------------------------------------------------------

static void use_best(struct search *s)
{
	memcpy(s->middle, s->best, s->n_items * sizeof *s->middle);
	memset(s->of_source, 0xff, (size_t)s->n * s->n * sizeof *s->of_source);
	memset(s->of_destination, 0xff, (size_t)s->n * s->n * sizeof *s->of_destination);
	for (uint32_t i = 0; i < s->n_items; i++) {
		*at_source(s, i, s->middle[i]) = i;
		*at_destination(s, i, s->middle[i]) = i;
	}
}

// Sets the limits to those that the present middles keep.
static void measure(struct search *s)
{
	memset(s->limit, 0, sizeof s->limit);
	for (uint32_t i = 0; i < s->n_items; i++)
		for (unsigned k = 0; k < LIMITS; k++) {
			uint8_t hops = hops_of(s, i, s->middle[i], k);
			s->limit[k] = hops > s->limit[k] ? hops : s->limit[k];
		}
}

// Finds the least sum of the two limits of each direction: what some item goes by it with any middle.
static void find_least(uint8_t least[LOOM_OTIS_LIGHT], const struct search *s)
{
	memset(least, 0, LOOM_OTIS_LIGHT);
	for (uint32_t i = 0; i < s->n_items; i++)
		for (unsigned d = 0; d < LOOM_OTIS_LIGHT; d++) {
			uint8_t hops = hops_of(s, i, s->destination[i] % s->n, d);
			least[d] = hops > least[d] ? hops : least[d];
		}
}

// Looks for middles that keep all limits after limit k is lowered by one.
static bool lower(struct search *s, uint32_t *chain, unsigned k)
{
	uint8_t before[LIMITS];
	memcpy(before, s->limit, sizeof before);
	s->limit[k]--;
	count_all(s);
	for (uint64_t tries = s->tries; s->excess != 0 && tries > 0 && !s->is_over; tries--)
		try_chain(s, chain);
	if (s->excess == 0) {
		memcpy(s->best, s->middle, s->n_items * sizeof *s->best);
		measure(s);
		return true;
	}
	memcpy(s->limit, before, sizeof before);
	use_best(s);
	return false;
}

static void run(struct search *s, uint32_t *chain)
{
	uint8_t least[LOOM_OTIS_LIGHT];
	bool tried = false; // since the last success
	find_least(least, s);
	measure(s);
	for (unsigned k = 0, failed = 0; failed < LIMITS && !s->is_over; k = (k + 1) % LIMITS) {
		unsigned other = (k + LOOM_OTIS_LIGHT) % LIMITS; // the same direction on the other leg
		bool possible = s->limit[k] > 0 && s->limit[k] + s->limit[other] > least[k % LOOM_OTIS_LIGHT];
		const bool lowered = possible && lower(s, chain, k);
		tried = !lowered && (tried || possible);
		failed = lowered ? 0 : failed + 1;
		if (failed == LIMITS && tried && s->budget->has_deadline) { // there is time for more tries
			failed = 0;
			tried = false;
			s->tries *= 2;
		}
	}
}

int loom_otis_recolour(uint32_t *middle, uint32_t side, const uint32_t *source, const uint32_t *destination,
                       uint32_t n_items, struct loom_budget *budget, struct loom_err *err)
{
	uint32_t n = side * side, *chain;
	struct search s = {
		.n = n,
		.n_items = n_items,
		.source = source,
		.destination = destination,
		.middle = middle,
		.budget = budget,
	};
	LOOM_ARRAY(&s.arrays, chain, n_items + (size_t)1);
	LOOM_ARRAY(&s.arrays, s.best, n_items + (size_t)1);
	LOOM_ARRAY(&s.arrays, s.of_source, (size_t)n * n);
	LOOM_ARRAY(&s.arrays, s.of_destination, (size_t)n * n);
	LOOM_ARRAY(&s.arrays, s.hops, (size_t)LOOM_OTIS_LIGHT * n * n);
	LOOM_ARRAY(&s.arrays, s.beyond, n_items + (size_t)1);
	LOOM_ARRAY(&s.arrays, s.place_in_beyond, n_items + (size_t)1);
	bool done = !s.arrays.is_short;
	if (done) {
		for (uint32_t k = 0; k < LOOM_OTIS_LIGHT * n * n; k++)
			s.hops[k] = (uint8_t)loom_otis_hops_along(side, k / n % n, k % n,
			                                          (enum loom_otis_direction)(k / n / n));
		memset(s.place_in_beyond, 0xff, (n_items + (size_t)1) * sizeof *s.place_in_beyond);
		memcpy(s.best, middle, n_items * sizeof *middle);
		s.tries = (uint64_t)TRIES_PER_ITEM * n_items;
		loom_rng_init(&s.rng, 1);
		use_best(&s);
		run(&s, chain);
		memcpy(middle, s.best, n_items * sizeof *middle);
	}
	loom_arrays_free(&s.arrays);
	return done ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory to search middles of %" PRIu32 " items", n_items);
}
