// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Removes hops of an item that undo one another. The other hops start from the same nodes as before, and no node sends
// more than before, so the steps remain legal.
#include <inttypes.h>

#include "base/arrays.h"
#include "plan/otis/otis_moves.h"

static unsigned opposite(unsigned direction)
{
	return direction == LOOM_OTIS_LIGHT ? direction : direction ^ 1;
}

// The hops of each item so far that no later hop has undone, the last one first.
struct hops {
	size_t *last;              // by item: a hop + 1, or 0
	size_t *before;            // by hop: the item's hop before it, + 1, or 0
	uint8_t *direction;        // by hop
	bool *stays;               // by hop
	struct loom_arrays arrays; // owns the arrays
};

static bool begin(struct hops *out, const struct loom_otis_moves *m)
{
	size_t n_hops = m->first[m->n_steps] + 1;
	LOOM_ARRAY(&out->arrays, out->last, m->n_items + 1);
	LOOM_ARRAY(&out->arrays, out->before, n_hops);
	LOOM_ARRAY(&out->arrays, out->direction, n_hops);
	LOOM_ARRAY(&out->arrays, out->stays, n_hops);
	return !out->arrays.is_short;
}

static void add(struct hops *h, size_t hop, uint32_t item, unsigned direction)
{
	size_t last = h->last[item];
	h->direction[hop] = (uint8_t)direction;
	h->stays[hop] = last == 0 || h->direction[last - 1] != opposite(direction);
	if (h->stays[hop]) {
		h->before[hop] = last;
		h->last[item] = hop + 1;
	} else {
		h->stays[last - 1] = false;
		h->last[item] = h->before[last - 1];
	}
}

static void leave_out(struct loom_otis_moves *m, const struct hops *h)
{
	uint32_t n_steps = 0;
	size_t n_hops = 0, at = 0;
	m->electronic = m->otis = 0;
	for (uint32_t s = 0; s < m->n_steps; s++) {
		size_t before = n_hops, stop = m->first[s + 1]; // first[s + 1] may be overwritten below
		uint8_t direction = m->direction[s];
		for (; at < stop; at++)
			if (h->stays[at])
				m->hop[n_hops++] = m->hop[at];
		if (n_hops == before)
			continue;
		m->direction[n_steps] = direction;
		m->first[++n_steps] = n_hops;
		*(direction == LOOM_OTIS_LIGHT ? &m->otis : &m->electronic) += 1;
	}
	m->n_steps = n_steps;
}

int loom_otis_moves_trim(struct loom_otis_moves *moves, struct loom_err *err)
{
	return loom_otis_moves_trim_to(moves, NULL, err);
}

int loom_otis_moves_trim_to(struct loom_otis_moves *moves, const bool *stays_home, struct loom_err *err)
{
	struct hops h = {0};
	bool done = begin(&h, moves);
	for (uint32_t s = 0; done && s < moves->n_steps; s++)
		for (size_t k = moves->first[s]; k < moves->first[s + 1]; k++)
			if (!stays_home || !stays_home[moves->hop[k].item])
				add(&h, k, moves->hop[k].item, moves->direction[s]);
	if (done)
		leave_out(moves, &h);
	loom_arrays_free(&h.arrays);
	return done ? 0
	            : loom_fail(err, LOOM_ENOMEM, "out of memory to trim the moves of %" PRIu32 " items",
	                        moves->n_items);
}
