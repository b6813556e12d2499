// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// FIFOs of more than two slots. The slots are bits as those of two are, a plane of them for each slot, and a cycle moves 64 FIFOs at
// once: who loses a flit takes what is in the slots behind, who gets one has it in the first slot that is free then. Only as many
// planes are looked at as the fullest FIFO of the word has slots in use. Several worms can be in a FIFO, one of a flit each; so
// each FIFO has a ring of them.
#include "machine/lanes_internal.h"

#include <stdlib.h>
#include <string.h>

int loom_lanes_deep_open(struct loom_engine *e)
{
	struct lanes_deep *deep = calloc(1, sizeof *deep);
	const size_t n_lanes = e->n_lanes;
	e->deep = deep;
	if (!deep)
		return -1;
	deep->depth = e->net.buffers;
	deep->slot = calloc((size_t)e->n_words * 2 * deep->depth, sizeof *deep->slot);
	deep->worm = calloc(n_lanes * (deep->depth + 1), sizeof *deep->worm);
	deep->first = calloc(n_lanes, sizeof *deep->first);
	deep->n = calloc(n_lanes, sizeof *deep->n);
	return deep->slot && deep->worm && deep->first && deep->n ? 0 : -1;
}

void loom_lanes_deep_close(struct lanes_deep *deep)
{
	if (!deep)
		return;
	free(deep->slot);
	free(deep->worm);
	free(deep->first);
	free(deep->n);
	free(deep);
}

static uint64_t *slots_of(const struct lanes_deep *deep, uint32_t i)
{
	return deep->slot + (size_t)i * 2 * deep->depth;
}

void loom_lanes_deep_move(struct loom_engine *e, uint32_t i, uint64_t pop, uint64_t push, uint64_t tail)
{
	struct lanes_word *w = &e->word[i];
	const unsigned depth = e->deep->depth;
	uint64_t *slot = slots_of(e->deep, i), *tails = slot + depth;
	const uint64_t near = e->lights ? loom_lanes_lights_near_of(e, i) : 0; // whose flits go elsewhere
	push &= ~near;
	for (uint64_t k = 0, before = UINT64_MAX; k < depth && before; k++) {
		const bool is_last = k + 1 == depth;
		const uint64_t left = (slot[k] & ~pop) | (is_last ? 0 : slot[k + 1] & pop), put = push & before & ~left;
		const uint64_t kept = (tails[k] & ~pop) | (is_last ? 0 : tails[k + 1] & pop);
		slot[k] = left | put;
		tails[k] = (kept & ~put) | (tail & put);
		before = left;
	}
	w->tail0 = tails[0];
	w->some = (w->some & near) | slot[0];
	w->full = (w->full & near) | slot[depth - 1];
}

// The place in the ring of a FIFO that is k behind its first worm.
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
	const uint64_t *slot = slots_of(e->deep, f / 64), *tails = slot + e->deep->depth;
	uint32_t n = 0;
	while (n < e->deep->depth && !*has_tail && slot[n] & lanes_bit(f))
		*has_tail = tails[n++] & lanes_bit(f);
	return n;
}

int loom_lanes_deep_renumber(struct loom_engine *e, const uint32_t *number)
{
	struct lanes_deep *old = e->deep;
	if (loom_lanes_deep_open(e) != 0) {
		loom_lanes_deep_close(e->deep);
		e->deep = old;
		return -1;
	}
	struct lanes_deep *deep = e->deep;
	for (uint32_t l = 0; l < e->n_lanes; l++) {
		const uint32_t to = number[l];
		const uint64_t *from_slot = slots_of(old, l / 64);
		uint64_t *to_slot = slots_of(deep, to / 64);
		for (unsigned k = 0; k < 2 * old->depth; k++)
			to_slot[k] |= (from_slot[k] >> l % 64 & 1) << to % 64;
		memcpy(ring_of(deep, to), ring_of(old, l), (old->depth + 1) * sizeof *old->worm);
		deep->first[to] = old->first[l];
		deep->n[to] = old->n[l];
	}
	loom_lanes_deep_close(old);
	return 0;
}
