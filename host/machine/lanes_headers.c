// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles headers and tails one by one: headers ask for lanes and are granted them, and tails free them.
#include "machine/lanes_internal.h"

static uint16_t rank_of(const struct loom_engine *e, const struct lanes_worm *worm)
{
	return e->net.rank[worm->way[worm->at - 1]];
}

// Prepares a free lane for the first header in its queue, which may now cross it.
static inline void come_first(struct loom_engine *e, uint32_t l, const struct lanes_worm *worm)
{
	struct lanes_word *word = lanes_word_of(e, l);
	e->feeder[l] = worm->at == 0 ? worm->flits : worm->fifo;
	word->has |= lanes_bit(l);
	word->header |= lanes_bit(l);
}

void loom_lanes_enqueue(struct loom_engine *e, uint32_t w, uint32_t l)
{
	struct lanes_worm *worm = &e->worm[w];
	struct lanes_channel *channel = &e->channel[l >> e->shift];
	struct lanes_word *word = lanes_word_of(e, l);
	uint32_t *p = &e->lane[l].first;
	if (channel->waits++ == 0)
		channel->since = e->now + 1;
	worm->asked = e->now + 1;
	while (*p != LANES_NONE && (e->worm[*p].asked <= e->now || rank_of(e, &e->worm[*p]) < rank_of(e, worm)))
		p = &e->worm[*p].next;
	worm->next = *p;
	*p = w;
	word->asked |= lanes_bit(l);
	lanes_engage(e, l);
	if (p == &e->lane[l].first && !(word->held & lanes_bit(l)))
		come_first(e, l, worm);
}

static inline uint64_t bit_if(uint32_t l, bool condition)
{
	return (uint64_t)condition << l % 64;
}

// Joins a lane to the FIFO that feeds it, from now on until the worm's tail has crossed. The code has no branches,
// because a processor cannot predict whether the two are straight.
static inline void join(struct loom_engine *e, uint32_t f, uint32_t l)
{
	struct lanes_word *word = lanes_word_of(e, l), *from = lanes_word_of(e, f);
	bool is_straight = l == f + e->stride, is_empty = !(from->some & lanes_bit(f));
	e->next[f] = l;
	word->straight |= bit_if(l, is_straight);
	word->has &= ~bit_if(l, is_straight || is_empty);
	from->turns |= bit_if(f, !is_straight);
}

// Reports to the user that a header or a tail crosses a lane.
static void tell_crossing(const struct loom_engine *e, const struct lanes_worm *worm, uint32_t place, bool is_tail)
{
	const struct loom_engine_crossing crossing = {
		.id = worm->id, .place = place, .is_tail = is_tail, .asked = worm->asked, .cycle = e->now};
	e->user.crossed(e->user.user, &crossing);
}

// Reports that the tail of a worm crosses lane l. It looks for the lane in the route.
static void tell_tail(const struct loom_engine *e, const struct lanes_worm *worm, uint32_t l)
{
	uint32_t place = 0;
	while (e->inner[worm->way[place]] != l)
		place++;
	tell_crossing(e, worm, place, true);
}

// Has the first header in the queue of lane l cross it. The worm then holds the lane.
static inline void cross(struct loom_engine *e, uint32_t l)
{
	struct lanes_lane *lane = &e->lane[l];
	struct lanes_word *word = lanes_word_of(e, l);
	struct lanes_channel *channel = &e->channel[l >> e->shift];
	struct lanes_worm *worm = &e->worm[lane->first];
	uint32_t at = worm->at++;
	lane->last = lane->first;
	lane->first = worm->next;
	word->asked &= ~bit_if(l, worm->next == LANES_NONE);
	word->header &= ~lanes_bit(l);
	word->held |= lanes_bit(l);
	channel->waits--;
	channel->count.blocked += channel->waits == 0 ? e->now - channel->since : 0;
	channel->count.messages++;
	channel->count.flits += worm->flits;
	if (e->user.crossed)
		tell_crossing(e, worm, at, false);
	if (at > 0) {
		if (e->votes)
			loom_lanes_order_note(e, worm->fifo, l);
		join(e, worm->fifo, l);
	} else {
		worm->waited = (uint32_t)(e->now - worm->offer);
	}
	if (at + 1 == worm->n_way) {
		worm->header = e->now;
		return;
	}
	worm->fifo = e->lights ? loom_lanes_lights_far(e, l) : l;
	if (worm->fifo == l) {
		if (e->deep)
			loom_lanes_deep_enter(e, l, lane->last);
		e->heads[e->n_heads++] = l;
	}
}

void loom_lanes_headers_cross(struct loom_engine *e, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) { // fetches the memory before any of them crosses
		__builtin_prefetch(&e->worm[e->lane[e->lanes[k]].first], 1);
		__builtin_prefetch(&e->channel[e->lanes[k] >> e->shift], 1);
	}
	for (uint32_t k = 0; k < n; k++)
		cross(e, e->lanes[k]);
	e->n_grants += n;
}

// Frees lane l, which the tail of its worm has crossed. The next header in its queue can cross from the next cycle
// on.
static inline void give_free(struct loom_engine *e, uint32_t l)
{
	struct lanes_lane *lane = &e->lane[l];
	struct lanes_word *word = lanes_word_of(e, l);
	struct lanes_worm *worm = &e->worm[lane->last];
	uint32_t f = e->feeder[l];
	if (!(word->held & lanes_bit(l)))
		return; // the far end of an optical link, which no worm holds
	word->held &= ~lanes_bit(l);
	word->has &= ~lanes_bit(l);
	if (e->user.crossed)
		tell_tail(e, worm, l);
	if (word->source & lanes_bit(l)) {
		e->left[e->n_left++] = worm->node;
	} else {
		e->next[f] = LANES_NONE;
		word->straight &= ~lanes_bit(l);
		lanes_word_of(e, f)->turns &= ~lanes_bit(f);
		if (e->deep)
			loom_lanes_deep_leave(e, f);
		e->heads[e->n_heads++] = f;
	}
	if (word->drains & lanes_bit(l))
		e->arrived[e->n_arrived++] = lane->last;
	if (lane->first != LANES_NONE)
		come_first(e, l, &e->worm[lane->first]);
}

void loom_lanes_tails_cross(struct loom_engine *e, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		give_free(e, e->lanes[k]);
}

// Works in steps, each for all entries before the next one, so that reads of distant memory overlap.
void loom_lanes_heads_ask(struct loom_engine *e)
{
	uint32_t n = 0, *worm = e->heads, *lane = e->lanes;
	for (uint32_t k = 0; k < e->n_heads; k++) {
		uint32_t f = e->heads[k];
		bool is_free = e->next[f] == LANES_NONE, is_there = lanes_word_of(e, f)->some & lanes_bit(f);
		bool asks = is_free & is_there;
		e->next[f] = asks ? LANES_ASKS : e->next[f];
		worm[n] = e->deep ? loom_lanes_deep_first(e, f) : e->lane[f].last;
		n += asks;
	}
	for (uint32_t k = 0; k < n; k++)
		lane[k] = e->worm[worm[k]].way[e->worm[worm[k]].at];
	for (uint32_t k = 0; k < n; k++) {
		lane[k] = e->inner[lane[k]];
		__builtin_prefetch(&e->channel[lane[k] >> e->shift], 1);
		__builtin_prefetch(&e->lane[lane[k]], 1);
	}
	for (uint32_t k = 0; k < n; k++)
		loom_lanes_enqueue(e, worm[k], lane[k]);
}
