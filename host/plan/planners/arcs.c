// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts arcs round a ring into passes. The ring is cut at the node that the fewest arcs cross. Each of these arcs needs
// a pass of its own, and the rest is a row of nodes. On it, the pass of an arc across the cut is open from the node
// where that arc ends to the node where it begins. All other passes are open along the whole row. From left to right
// each arc takes a pass that is free and stays open to the arc's end. The search tries all choices in turn, for a given
// number of passes. Of free passes that close at the same node it tries one, and it does not try a state again that has
// failed.
// failed once is not tried again.
// On full links there is no choice: an arc that begins takes over the pass of the arc that ends. So for a permutation
// the search ends at once if there are as many passes as messages on the busiest link.
#include "plan/planners/arcs.h"

#include <stdlib.h>

#include "base/numbers.h"

#define KNOWN_BITS 18   // the table of failed states has at most 2^18 entries
#define KNOWN_ARCS 4096 // on rings with more arcs no states are kept

struct inner { // an arc that does not cross the cut
	uint32_t begin, end, arc;
};

struct state {
	uint64_t a, b;
};

struct search {
	uint32_t n_links, n_across, n_passes;
	size_t n_inner;
	struct inner *inner;        // by `begin`, and from one node the longest first
	uint32_t *open, *close;     // [pass]: the nodes between which it is open; `open` moves to where it becomes free
	uint32_t *pass;             // [inner]
	struct state *known;        // states that failed; NULL: none are kept
	size_t n_known, room_known; // room_known: a power of two
	struct loom_budget *budget;
};

enum outcome { FOUND, NONE_THERE, NOT_KNOWN };

static uint64_t mix(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

// Hashes the state of the passes before inner arc i: how many become free and close at each node, not which ones. Two
// hashes of 64 bits make a collision too unlikely to matter.
static struct state state_of(const struct search *s, size_t i)
{
	struct state sum = {mix(i + 1), mix(~(uint64_t)i)};
	for (uint32_t p = 0; p < s->n_passes; p++) {
		uint32_t free_from = s->open[p] > s->inner[i].begin ? s->open[p] : s->inner[i].begin;
		uint64_t range = (uint64_t)free_from << 32 | s->close[p];
		sum.a += mix(range + 0x9e3779b97f4a7c15u);
		sum.b += mix(range ^ 0xd1b54a32d192ed03u);
	}
	sum.a += sum.a == 0; // 0 marks an empty entry
	return sum;
}

static struct state *place_of(const struct search *s, const struct state *state)
{
	size_t mask = s->room_known - 1, at = state->a & mask;
	while (s->known[at].a != 0 && (s->known[at].a != state->a || s->known[at].b != state->b))
		at = (at + 1) & mask;
	return &s->known[at];
}

static bool has_failed(const struct search *s, const struct state *state)
{
	return s->known && place_of(s, state)->a != 0;
}

static void has_now_failed(struct search *s, const struct state *state)
{
	if (!s->known || s->n_known >= s->room_known / 2)
		return;
	*place_of(s, state) = *state;
	s->n_known++;
}

// Finds the pass that closes next after node `after`, among those that inner arc i can take; of several the first.
// Returns s->n_passes if there is none.
static uint32_t next_choice(const struct search *s, size_t i, uint32_t after)
{
	uint32_t best = s->n_passes;
	const struct inner *inner = &s->inner[i];
	for (uint32_t p = 0; p < s->n_passes; p++)
		if (s->open[p] <= inner->begin && s->close[p] >= inner->end && s->close[p] > after &&
		    (best == s->n_passes || s->close[p] < s->close[best]))
			best = p;
	return best;
}

// Places inner arcs one after the other. after[i] and freed[i] hold the choice for arc i.
static enum outcome try_all(struct search *s, uint32_t *after, uint32_t *freed, struct state *states)
{
	size_t i = 0;
	bool fresh = true; // the search comes to arc i for the first time, not back to it
	while (i < s->n_inner) {
		if (!fresh && !loom_budget_spend(s->budget, s->n_passes)) // only further tries cost budget
			return NOT_KNOWN;
		if (fresh) {
			after[i] = 0;
			if (s->known)
				states[i] = state_of(s, i);
		}
		uint32_t p = fresh && has_failed(s, &states[i]) ? s->n_passes : next_choice(s, i, after[i]);
		if (p < s->n_passes) {
			after[i] = s->close[p];
			freed[i] = s->open[p];
			s->pass[i] = p;
			s->open[p] = s->inner[i].end;
			i++;
			fresh = true;
			continue;
		}
		has_now_failed(s, &states[i]);
		if (i == 0)
			return NONE_THERE;
		i--;
		s->open[s->pass[i]] = freed[i];
		fresh = false;
	}
	return FOUND;
}

static enum outcome try_passes(struct search *s, const uint32_t *across_open, const uint32_t *across_close)
{
	enum outcome outcome = NOT_KNOWN;
	size_t n = s->n_inner + 1;
	bool keeps = s->n_inner <= KNOWN_ARCS;
	s->open = calloc(2 * ((size_t)s->n_passes + 1), sizeof *s->open);
	uint32_t *after = calloc(2 * n, sizeof *after);
	struct state *states = calloc(n, sizeof *states);
	s->room_known = (size_t)1 << (s->n_inner + 4 < KNOWN_BITS ? s->n_inner + 4 : KNOWN_BITS);
	s->known = keeps ? calloc(s->room_known, sizeof *s->known) : NULL;
	s->n_known = 0;
	if (s->open && after && states && (s->known || !keeps)) {
		s->close = s->open + s->n_passes + 1;
		for (uint32_t p = 0; p < s->n_passes; p++) {
			s->open[p] = p < s->n_across ? across_open[p] : 0;
			s->close[p] = p < s->n_across ? across_close[p] : s->n_links;
		}
		outcome = try_all(s, after, after + n, states);
	} else {
		s->n_passes = 0; // out of memory
	}
	free(s->open);
	free(after);
	free(states);
	free(s->known);
	return outcome;
}

// Finds the messages on the busiest link, and the node that the fewest arcs cross.
static bool find_cut(uint32_t *cut, uint32_t *busiest, uint32_t n_links, const struct loom_arc *arc, size_t n)
{
	uint32_t load = 0, fewest = UINT32_MAX;
	uint32_t *begins = calloc(2 * ((size_t)n_links + 1), sizeof *begins);
	if (!begins)
		return false;
	uint32_t *ends = begins + n_links + 1;
	*busiest = *cut = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t end = (arc[i].first + arc[i].n) % n_links;
		begins[arc[i].first]++;
		ends[end]++;
		load += arc[i].first + arc[i].n > n_links; // across node 0
	}
	for (uint32_t x = 0; x < n_links;
	     x++) { // `load` is that of the link before node x, but at node 0 what leads across
		uint32_t across = x == 0 ? load : load - ends[x];
		if (across < fewest) {
			fewest = across;
			*cut = x;
		}
		load = across + begins[x];
		*busiest = load > *busiest ? load : *busiest;
	}
	free(begins);
	return true;
}

static int by_begin(const void *a, const void *b)
{
	const struct inner *x = a, *y = b;
	int by = loom_order(x->begin, y->begin);
	by = by ? by : loom_order(y->end, x->end);
	return by ? by : loom_order(x->arc, y->arc);
}

// Tries as many passes as the busiest link has arcs, then more until there are enough. The search ends: each arc across
// the cut has its own pass, and the row needs as many more passes as its busiest link has arcs.
static bool try_in_turn(struct search *s, struct loom_passes_found *out, const uint32_t *across)
{
	struct loom_budget *budget = s->budget;
	bool all_refuted = true;
	s->n_passes = out->n_least;
	for (;;) {
		struct loom_budget share = loom_budget_share(budget, 2), spent = share;
		s->budget = &spent;
		enum outcome outcome = try_passes(s, across, across + s->n_across);
		loom_budget_give_back(budget, &share, &spent);
		out->n_passes = s->n_passes;
		if (outcome == FOUND || s->n_passes == 0)
			return s->n_passes != 0;
		s->n_passes++;
		all_refuted = all_refuted && outcome == NONE_THERE;
		if (all_refuted) {
			out->n_least = s->n_passes;
			out->proof = LOOM_PROOF_SEARCH;
		}
	}
}

bool loom_arcs_colour(uint32_t *pass, struct loom_passes_found *out, uint32_t n_links, const struct loom_arc *arc,
                      size_t n, struct loom_budget *budget)
{
	struct search s = {.n_links = n_links, .budget = budget};
	struct loom_passes_found found = {.proof = LOOM_PROOF_LOAD};
	if (n == 0) {
		*out = (struct loom_passes_found){0};
		return true;
	}
	uint32_t cut = 0, *room = calloc(3 * (n + 1), sizeof *room);
	s.inner = calloc(n + 1, sizeof *s.inner);
	bool done = room && s.inner && find_cut(&cut, &found.n_least, n_links, arc, n);
	for (size_t i = 0; done && i < n; i++)
		s.n_across += (arc[i].first + n_links - cut) % n_links + arc[i].n > n_links;
	uint32_t *open = room, *close = room + s.n_across, n_across = 0;
	s.pass = room ? room + 2 * (size_t)s.n_across : NULL;
	for (size_t i = 0; done && i < n; i++) {
		uint32_t begin = (arc[i].first + n_links - cut) % n_links, end = begin + arc[i].n;
		if (end > n_links) {
			open[n_across] = end - n_links;
			close[n_across] = begin;
			pass[i] = n_across++;
		} else {
			s.inner[s.n_inner++] = (struct inner){begin, end, (uint32_t)i};
		}
	}
	if (done && s.n_inner)
		qsort(s.inner, s.n_inner, sizeof *s.inner, by_begin);
	done = done && try_in_turn(&s, &found, room);
	for (size_t i = 0; done && i < s.n_inner; i++)
		pass[s.inner[i].arc] = s.pass[i];
	free(s.inner);
	free(room);
	if (done)
		*out = found;
	return done;
}
