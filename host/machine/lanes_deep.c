// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// FIFOs of more than two slots, and slow links. As in FIFOs of two slots, each slot is a bit; here the bits form a
// plane for each slot, and a cycle moves 64 FIFOs at once. A FIFO that loses a flit shifts its other flits forward; a
// FIFO that gets a flit stores it in the first slot that is then free. A cycle reads only as many planes as the
// fullest FIFO of the word has slots in use. Several worms can be in one FIFO, even with one flit each; so each FIFO
// has a ring of its worms.
//
// A slow link delays flits by d cycles and credits by b. A flit that crosses the lane in cycle t enters the FIFO in
// cycle t + d. If a flit leaves the FIFO in cycle t, the near end knows it in cycle t + b + 1. The near end counts
// the flits whose credits have not come back, and sends while they are fewer than the slots of the FIFO. Rings of
// planes, as many as the largest d and b, hold the flits and credits under way, by the cycle in which they come.
// Links of the same delay form a class.
#include "machine/lanes_internal.h"

#include <stdlib.h>
#include <string.h>

// The planes of a word, by meaning (struct lanes_deep).
struct planes {
	uint64_t *slot, *tail; // by slot: it holds a flit; that flit is a tail
	uint64_t *slow;        // the lanes of slow links
	uint64_t *of_class;    // by class: its lanes; if there is one class, the same plane as `slow`
	uint64_t *out;         // by k: more than k flits have crossed the lane whose credits have not come back
	// flit, flit_tail: by cycle modulo delay, the flits that leave the link, and the tails among them; word: by
	// cycle modulo back, the lanes that get a credit back
	uint64_t *flit, *flit_tail, *word;
};

static struct planes planes_of(const struct lanes_deep *deep, uint32_t i)
{
	uint64_t *p = deep->plane + (size_t)i * deep->n_planes;
	struct planes of = {.slot = p, .tail = p + deep->depth, .slow = p + 2 * (size_t)deep->depth};
	of.of_class = of.slow + (deep->n_classes > 1);
	of.out = of.of_class + deep->n_classes;
	of.flit = of.out + deep->depth;
	of.flit_tail = of.flit + deep->delay;
	of.word = of.flit_tail + deep->delay;
	return of;
}

// Finds the classes of delays, the shortest first.
static void find_classes(struct lanes_deep *deep, const struct loom_engine_net *net)
{
	bool is_there[LANES_DELAY_MAX + 1] = {false};
	for (uint32_t c = 0; net->delay && c < net->n_channels; c++)
		is_there[net->delay[c]] = true;
	for (unsigned d = 1; d <= LANES_DELAY_MAX; d++)
		if (is_there[d])
			deep->class_delay[deep->n_classes++] = (uint8_t)d;
}

static struct lanes_deep *new_deep(const struct loom_engine *e)
{
	struct lanes_deep *deep = calloc(1, sizeof *deep);
	const size_t n_lanes = e->n_lanes;
	if (!deep)
		return NULL;
	deep->depth = e->net.buffers > 2 ? e->net.buffers : 2;
	find_classes(deep, &e->net);
	deep->delay = deep->n_classes ? deep->class_delay[deep->n_classes - 1] : 0;
	deep->back = deep->delay ? deep->delay - e->net.router_delay : 0;
	deep->n_planes = 2 * deep->depth;
	if (deep->delay)
		deep->n_planes += (deep->n_classes > 1) + deep->n_classes + deep->depth + 2 * deep->delay + deep->back;
	LOOM_ARRAY(&deep->arrays, deep->plane, (size_t)e->n_words * deep->n_planes);
	LOOM_ARRAY(&deep->arrays, deep->until, e->n_words);
	LOOM_ARRAY(&deep->arrays, deep->worm, n_lanes * (deep->depth + 1));
	LOOM_ARRAY(&deep->arrays, deep->first, n_lanes);
	LOOM_ARRAY(&deep->arrays, deep->n, n_lanes);
	if (!deep->arrays.is_short)
		return deep;
	loom_lanes_deep_close(deep);
	return NULL;
}

int loom_lanes_deep_open(struct loom_engine *e)
{
	e->deep = new_deep(e);
	if (!e->deep)
		return -1;
	for (uint32_t c = 0; e->deep->delay && c < e->net.n_channels; c++)
		for (uint32_t v = 0; e->net.delay[c] && v < e->net.n_vcs; v++) {
			const uint32_t l = e->inner[c * e->net.n_vcs + v];
			const struct planes p = planes_of(e->deep, l / 64);
			unsigned k = 0;
			while (e->deep->class_delay[k] != e->net.delay[c])
				k++;
			*p.slow |= lanes_bit(l);
			p.of_class[k] |= lanes_bit(l);
		}
	return 0;
}

void loom_lanes_deep_close(struct lanes_deep *deep)
{
	if (!deep)
		return;
	loom_arrays_free(&deep->arrays);
	free(deep);
}

// Updates 64 columns of `depth` bits, each filled from the bottom. Those in `pop` lose their lowest bit, then those
// in `push` get one more.
static void move_column(uint64_t *bit, unsigned depth, uint64_t pop, uint64_t push)
{
	for (uint64_t k = 0, before = UINT64_MAX; k < depth && before; k++) {
		const uint64_t left = (bit[k] & ~pop) | (k + 1 == depth ? 0 : bit[k + 1] & pop);
		bit[k] = left | (push & before & ~left);
		before = left;
	}
}

// Updates the slots of 64 FIFOs as move_column does, and their tails with them. `tail`: the flits in `push` that are
// tails.
static void move_slots(uint64_t *slot, uint64_t *tails, unsigned depth, uint64_t pop, uint64_t push, uint64_t tail)
{
	for (uint64_t k = 0, before = UINT64_MAX; k < depth && before; k++) {
		const bool is_last = k + 1 == depth;
		const uint64_t left = (slot[k] & ~pop) | (is_last ? 0 : slot[k + 1] & pop), put = push & before & ~left;
		const uint64_t kept = (tails[k] & ~pop) | (is_last ? 0 : tails[k + 1] & pop);
		slot[k] = left | put;
		tails[k] = (kept & ~put) | (tail & put);
		before = left;
	}
}

// Handles the slow links of a word. Removes the flits that enter these links from `push`, adds the flits that leave
// them, and sends a credit for each flit that leaves its FIFO.
static void fly(struct loom_engine *e, uint32_t i, uint64_t pop, uint64_t *push, uint64_t *tail)
{
	struct lanes_deep *deep = e->deep;
	struct planes p = planes_of(deep, i);
	uint64_t *const flit = &p.flit[e->now % deep->delay], *const flit_tail = &p.flit_tail[e->now % deep->delay];
	uint64_t *const word = deep->back ? &p.word[e->now % deep->back] : NULL;
	const uint64_t slow = *p.slow, sent = *push & slow, comes = *flit, left = pop & slow, tails = *flit_tail;
	uint64_t told = word ? *word : 0;
	*flit = *flit_tail = 0;
	if (word)
		*word = 0;
	for (unsigned k = 0; k < deep->n_classes; k++) {
		const uint64_t d = deep->class_delay[k], b = d - e->net.router_delay, of = p.of_class[k];
		const uint64_t at = (e->now + d) % deep->delay;
		p.flit[at] |= sent & of;
		p.flit_tail[at] |= *tail & sent & of;
		if (b == 0)
			told |= left & of;
		else
			p.word[(e->now + b) % deep->back] |= left & of;
	}
	if (sent | left) {
		deep->until[i] = e->now + deep->delay;
		deep->last = deep->until[i];
	}
	move_column(p.out, deep->depth, told, sent);
	for (uint64_t first = comes & (~p.slot[0] | pop); first;
	     first &= first - 1) // the flit becomes the first one, and may be a header
		e->heads[e->n_heads++] = i * 64 + (unsigned)__builtin_ctzll(first);
	*push = (*push & ~slow) | comes;
	*tail = (*tail & ~slow) | tails;
}

void loom_lanes_deep_move(struct loom_engine *e, uint32_t i, uint64_t near, uint64_t pop, uint64_t push, uint64_t tail)
{
	struct lanes_word *w = &e->word[i];
	struct lanes_deep *deep = e->deep;
	struct planes p = planes_of(deep, i);
	push &= ~near;
	if (deep->delay)
		fly(e, i, pop, &push, &tail);
	move_slots(p.slot, p.tail, deep->depth, pop, push, tail);
	w->tail0 = p.tail[0];
	w->some = (w->some & near) | p.slot[0];
	w->full = (w->full & near) | p.slot[deep->depth - 1];
	if (deep->delay)
		w->full = (w->full & ~*p.slow) | (p.out[deep->depth - 1] & *p.slow);
}

uint64_t loom_lanes_deep_taken(const struct loom_engine *e, uint32_t i)
{
	const struct planes p = planes_of(e->deep, i);
	return e->deep->delay ? (e->word[i].some & ~*p.slow) | (p.out[0] & *p.slow) : e->word[i].some;
}

bool loom_lanes_deep_stir(const struct loom_engine *e)
{
	return e->now <= e->deep->last;
}

bool loom_lanes_deep_stirs(const struct loom_engine *e, uint32_t i)
{
	return e->now <= e->deep->until[i];
}

// Returns the index in the ring of FIFO f that is k behind its first worm.
static unsigned place(const struct lanes_deep *deep, uint32_t f, unsigned k)
{
	const unsigned at = deep->first[f] + k;
	return at <= deep->depth ? at : at - deep->depth - 1;
}

static uint32_t *ring_of(const struct lanes_deep *deep, uint32_t f)
{
	return deep->worm + (size_t)f * (deep->depth + 1);
}

void loom_lanes_deep_enter(struct loom_engine *e, uint32_t f, uint32_t worm)
{
	struct lanes_deep *deep = e->deep;
	ring_of(deep, f)[place(deep, f, deep->n[f]++)] = worm;
}

void loom_lanes_deep_leave(struct loom_engine *e, uint32_t f)
{
	struct lanes_deep *deep = e->deep;
	deep->first[f] = (uint8_t)place(deep, f, 1);
	deep->n[f]--;
}

uint32_t loom_lanes_deep_first(const struct loom_engine *e, uint32_t f)
{
	return ring_of(e->deep, f)[e->deep->first[f]];
}

uint32_t loom_lanes_deep_holds(const struct loom_engine *e, uint32_t f, bool *has_tail)
{
	const struct planes p = planes_of(e->deep, f / 64);
	uint32_t n = 0;
	while (n < e->deep->depth && !*has_tail && p.slot[n] & lanes_bit(f))
		*has_tail = p.tail[n++] & lanes_bit(f);
	return n;
}

uint32_t loom_lanes_deep_flies(const struct loom_engine *e, uint32_t l, bool *has_tail)
{
	const unsigned delay = e->deep->delay;
	const struct planes p = planes_of(e->deep, l / 64);
	uint32_t n = 0;
	for (unsigned k = 1; k <= delay && !*has_tail && loom_lanes_deep_stirs(e, l / 64); k++) { // the oldest first
		const unsigned at = (unsigned)((e->now + k) % delay);
		*has_tail = p.flit_tail[at] & lanes_bit(l);
		n += (p.flit[at] & lanes_bit(l)) != 0;
	}
	return n;
}

int loom_lanes_deep_renumber(struct loom_engine *e, const uint32_t *number)
{
	struct lanes_deep *old = e->deep, *deep = new_deep(e);
	if (!deep)
		return -1;
	for (uint32_t l = 0; l < e->n_lanes; l++) {
		const uint32_t to = number[l];
		const uint64_t *from_plane = old->plane + (size_t)(l / 64) * old->n_planes;
		uint64_t *to_plane = deep->plane + (size_t)(to / 64) * deep->n_planes;
		for (unsigned k = 0; k < old->n_planes; k++)
			to_plane[k] |= (from_plane[k] >> l % 64 & 1) << to % 64;
		memcpy(ring_of(deep, to), ring_of(old, l), (old->depth + 1) * sizeof *old->worm);
		deep->first[to] = old->first[l];
		deep->n[to] = old->n[l];
	}
	deep->last = old->last;
	for (uint32_t i = 0; i < e->n_words; i++)
		deep->until[i] = old->last;
	loom_lanes_deep_close(old);
	e->deep = deep;
	return 0;
}
