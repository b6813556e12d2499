// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the places of channels. If most worms that cross a channel come from one other channel, on the same lane,
// the two get places side by side, because flits then move 64 at a time (lanes_step.c). The engine learns these usual
// predecessors while it runs: each channel keeps a candidate by majority vote [Boyer91]. All channels change their
// places after a while, and once more after a longer while.
#include "base/arrays.h"
#include "base/numbers.h"
#include "machine/lanes_internal.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 1, LAST = 8 }; // headers across each channel, on average, before places change

int loom_lanes_order_open(struct loom_engine *e)
{
	e->usual = calloc(e->n_places, sizeof *e->usual);
	e->votes = calloc(e->n_places, sizeof *e->votes);
	e->reorder_at = FIRST * (uint64_t)e->net.n_channels;
	return e->usual && e->votes ? 0 : -1;
}

void loom_lanes_order_note(struct loom_engine *e, uint32_t from, uint32_t to)
{
	uint32_t a = from >> e->shift, b = to >> e->shift;
	if (a >= e->net.n_channels || ((from ^ to) & (e->stride - 1)) != 0)
		return;
	if (e->votes[b] == 0)
		e->usual[b] = a;
	if (e->usual[b] == a)
		e->votes[b]++;
	else
		e->votes[b]--;
}

// A place and its usual predecessor.
struct pair {
	uint32_t before, place, votes;
};

static int by_votes(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	const int by = loom_order(y->votes, x->votes);
	return by ? by : loom_order(x->place, y->place);
}

struct order {
	struct pair *pair;  // by place
	uint32_t *follower; // by place: the next place of its chain; LANES_NONE: the chain ends
	bool *follows;      // by place: it has a predecessor in its chain
	// by place: another place of its chain, nearer to the one that stands for the chain; that one itself
	uint32_t *chain;
	uint32_t *new_place; // by place
	struct lanes_word *word;
	uint32_t *lanes;  // room for the new `feeder`, then for the new `next`
	uint32_t *number; // by lane: its new number
	struct lanes_lane *lane;
	struct lanes_channel *channel;
	struct loom_arrays arrays; // owns the arrays
};

static bool take_room(struct order *o, const struct loom_engine *e)
{
	LOOM_ARRAY(&o->arrays, o->pair, e->n_places);
	LOOM_ARRAY(&o->arrays, o->follower, e->n_places);
	LOOM_ARRAY(&o->arrays, o->follows, e->n_places);
	LOOM_ARRAY(&o->arrays, o->chain, e->n_places);
	LOOM_ARRAY(&o->arrays, o->new_place, e->n_places);
	LOOM_ARRAY(&o->arrays, o->word, (size_t)e->n_words + 2);
	LOOM_ARRAY(&o->arrays, o->lanes, e->n_lanes);
	LOOM_ARRAY(&o->arrays, o->number, e->n_lanes);
	LOOM_ARRAY(&o->arrays, o->lane, e->n_lanes);
	LOOM_ARRAY(&o->arrays, o->channel, e->n_places);
	return !o->arrays.is_short;
}

// Returns the place that stands for the chain of a place. It shortens the search for later calls.
static uint32_t chain_of(struct order *o, uint32_t place)
{
	while (o->chain[place] != place) {
		o->chain[place] = o->chain[o->chain[place]];
		place = o->chain[place];
	}
	return place;
}

// Joins channels to chains. The pairs with most votes come first.
static void make_chains(struct order *o, const struct loom_engine *e)
{
	const uint32_t n = e->net.n_channels;
	for (uint32_t p = 0; p < n; p++) {
		o->pair[p] = (struct pair){.before = e->usual[p], .place = p, .votes = e->votes[p]};
		o->follower[p] = LANES_NONE;
		o->chain[p] = p;
	}
	qsort(o->pair, n, sizeof *o->pair, by_votes);
	for (uint32_t k = 0; k < n && o->pair[k].votes > 0; k++) {
		uint32_t a = o->pair[k].before, b = o->pair[k].place;
		if (o->follower[a] != LANES_NONE || chain_of(o, a) == chain_of(o, b))
			continue;
		o->follower[a] = b;
		o->follows[b] = true;
		o->chain[chain_of(o, b)] = chain_of(o, a);
	}
}

// Numbers the places: chains first, then single channels. The far ends of optical links keep their places.
static void choose_places(struct order *o, const struct loom_engine *e)
{
	const uint32_t n = e->net.n_channels;
	uint32_t next = 0;
	for (uint32_t alone = 0; alone < 2; alone++) {
		for (uint32_t head = 0; head < n; head++) {
			if (o->follows[head] || (o->follower[head] == LANES_NONE) != alone)
				continue;
			for (uint32_t p = head; p != LANES_NONE; p = o->follower[p])
				o->new_place[p] = next++;
		}
	}
	for (uint32_t p = n; p < e->n_places; p++)
		o->new_place[p] = p;
}

// Returns the new number of a lane. LANES_NONE and LANES_ASKS stay the same.
static uint32_t new_lane(const struct order *o, const struct loom_engine *e, uint32_t l)
{
	return l >= e->n_lanes ? l : o->new_place[l >> e->shift] << e->shift | (l & (e->stride - 1));
}

// Moves the bits of all lanes to their new numbers.
static void move_words(struct order *o, struct loom_engine *e)
{
	enum { FIELDS = sizeof(struct lanes_word) / sizeof(uint64_t) };
	for (uint32_t l = 0; l < e->n_lanes; l++) {
		uint64_t from[FIELDS], to[FIELDS];
		uint32_t m = new_lane(o, e, l);
		memcpy(from, lanes_word_of(e, l), sizeof from);
		memcpy(to, &o->word[1 + m / 64], sizeof to);
		for (unsigned k = 0; k < FIELDS; k++)
			to[k] |= (from[k] >> l % 64 & 1) << m % 64;
		memcpy(&o->word[1 + m / 64], to, sizeof to);
	}
	memcpy(e->word - 1, o->word, ((size_t)e->n_words + 2) * sizeof *o->word);
	memset(e->engaged, 0, (e->n_words / 64 + 1) * sizeof *e->engaged);
	for (uint32_t i = 0; i < e->n_words; i++)
		if ((e->word[i].held | e->word[i].asked | e->word[i].some) || e->deep)
			lanes_engage(e, i * 64);
}

// Moves all that is kept by lane or by place, and renames the lanes in it.
static void move_lanes(struct order *o, struct loom_engine *e)
{
	for (uint32_t l = 0; l < e->n_lanes; l++)
		o->lane[new_lane(o, e, l)] = e->lane[l];
	memcpy(e->lane, o->lane, e->n_lanes * sizeof *o->lane);
	for (uint32_t l = 0; l < e->n_lanes; l++)
		o->lanes[new_lane(o, e, l)] = e->next[l] >= LANES_ASKS ? e->next[l] : new_lane(o, e, e->next[l]);
	memcpy(e->next, o->lanes, e->n_lanes * sizeof *o->lanes);
	for (uint32_t l = 0; l < e->n_lanes; l++) {
		uint32_t m = new_lane(o, e, l);
		bool is_source = lanes_word_of(e, m)->source & lanes_bit(m); // the word has moved already
		o->lanes[m] = is_source ? e->feeder[l] : new_lane(o, e, e->feeder[l]);
	}
	memcpy(e->feeder, o->lanes, e->n_lanes * sizeof *o->lanes);
	for (uint32_t p = 0; p < e->n_places; p++)
		o->channel[o->new_place[p]] = e->channel[p];
	memcpy(e->channel, o->channel, e->n_places * sizeof *o->channel);
	for (uint32_t p = 0; p < e->n_places; p++) {
		o->pair[o->new_place[p]].before = o->new_place[e->usual[p]];
		o->pair[o->new_place[p]].votes = e->votes[p];
	}
	for (uint32_t p = 0; p < e->n_places; p++) {
		e->usual[p] = o->pair[p].before;
		e->votes[p] = o->pair[p].votes;
	}
	for (uint32_t k = 0; k < e->net.n_channels * e->net.n_vcs; k++)
		e->inner[k] = new_lane(o, e, e->inner[k]);
	for (uint32_t w = 0; w < e->n_fresh; w++)
		e->worm[w].fifo = new_lane(o, e, e->worm[w].fifo);
}

// Finds out again which of the worms that hold lanes are straight, and sets the bits that depend on it.
static void join_anew(struct loom_engine *e)
{
	for (uint32_t f = 0; f < e->n_lanes; f++) {
		uint32_t l = e->next[f];
		if (l >= LANES_ASKS)
			continue;
		struct lanes_word *from = lanes_word_of(e, f), *to = lanes_word_of(e, l);
		from->turns &= ~lanes_bit(f);
		to->has &= ~lanes_bit(l);
		to->straight &= ~lanes_bit(l);
		if (l == f + e->stride) {
			to->straight |= lanes_bit(l);
			continue;
		}
		from->turns |= lanes_bit(f);
		if (from->some & lanes_bit(f))
			to->has |= lanes_bit(l);
	}
}

static void move_all(struct order *o, struct loom_engine *e)
{
	for (uint32_t l = 0; l < e->n_lanes; l++)
		o->number[l] = new_lane(o, e, l);
	if (e->deep && loom_lanes_deep_renumber(e, o->number) != 0)
		return;
	move_words(o, e);
	move_lanes(o, e);
	join_anew(e);
	if (e->lights)
		loom_lanes_lights_moved(e, o->new_place);
}

void loom_lanes_reorder(struct loom_engine *e)
{
	struct order o = {0};
	if (take_room(&o, e)) { // without memory all channels stay where they are, which is only slower
		make_chains(&o, e);
		choose_places(&o, e);
		move_all(&o, e);
	}
	loom_arrays_free(&o.arrays);
	if (e->reorder_at < LAST * (uint64_t)e->net.n_channels) {
		e->reorder_at = LAST * (uint64_t)e->net.n_channels;
		return;
	}
	free(e->usual);
	free(e->votes);
	e->usual = e->votes = NULL;
}
