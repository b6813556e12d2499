// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Shares the slots of a list out among switches that work side by side.
#include <stdlib.h>

#include "base/numbers.h"
#include "circuits/circuits_internal.h"

struct piece {
	size_t slot;
	uint32_t on, cycles;
};

struct sharing {
	const struct loom_circuit_list *list;
	uint32_t n_switches, dark;
	size_t *order;  // the list's slots, the longest first
	uint64_t *room; // by switch: the room that is left; each slot takes its cycles and the dark after it
	struct piece *piece;
	size_t n_pieces;
};

static int longest_first(const void *a, const void *b, void *list)
{
	const uint32_t *cycles = ((const struct loom_circuit_list *)list)->cycles;
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	const int by = loom_order(cycles[y], cycles[x]);
	return by ? by : loom_order(x, y);
}

static uint32_t roomiest(const struct sharing *w)
{
	uint32_t best = 0;
	for (uint32_t k = 1; k < w->n_switches; k++)
		if (w->room[k] > w->room[best])
			best = k;
	return best;
}

// Returns the switch with the least room that is enough, or n_switches if none has enough.
static uint32_t tightest(const struct sharing *w, uint64_t cost)
{
	uint32_t best = w->n_switches;
	for (uint32_t k = 0; k < w->n_switches; k++)
		if (w->room[k] >= cost && (best == w->n_switches || w->room[k] < w->room[best]))
			best = k;
	return best;
}

static bool put(struct sharing *w, size_t slot, uint32_t on, uint32_t cycles)
{
	if (w->n_pieces == w->list->n_slots + (size_t)w->n_switches * w->n_switches)
		return false;
	w->piece[w->n_pieces++] = (struct piece){.slot = slot, .on = on, .cycles = cycles};
	w->room[on] -= (uint64_t)cycles + w->dark;
	return true;
}

// True if everything fits into `room` on each switch.
static bool fits(struct sharing *w, uint64_t room)
{
	w->n_pieces = 0;
	for (uint32_t k = 0; k < w->n_switches; k++)
		w->room[k] = room;
	for (size_t i = 0; i < w->list->n_slots; i++) {
		const size_t slot = w->order[i];
		for (uint32_t left = w->list->cycles[slot]; left > 0;) {
			uint32_t on = tightest(w, (uint64_t)left + w->dark);
			uint32_t cycles = left;
			if (on == w->n_switches) {
				on = roomiest(w);
				if (w->room[on] <= w->dark)
					return false;
				cycles = (uint32_t)(w->room[on] - w->dark);
			}
			if (!put(w, slot, on, cycles))
				return false;
			left -= cycles;
		}
	}
	return true;
}

// Finds the least room with which this method succeeds, and leaves the pieces in their places.
static void find_least(struct sharing *w)
{
	uint64_t sum = 0;
	for (size_t s = 0; s < w->list->n_slots; s++)
		sum += (uint64_t)w->list->cycles[s] + w->dark;
	uint64_t low = (sum + w->n_switches - 1) / w->n_switches, high = sum;
	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;
		if (fits(w, middle))
			high = middle;
		else
			low = middle + 1;
	}
	(void)fits(w, high);
}

static int by_slot(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	const int by = loom_order(x->slot, y->slot);
	return by ? by : loom_order(x->on, y->on);
}

int loom_circuit_share_out(struct loom_circuit_schedule *out, const struct loom_circuit_list *list,
                           struct loom_err *err)
{
	struct sharing w = {.list = list, .n_switches = out->n_switches, .dark = out->dark};
	const size_t most = list->n_slots + (size_t)w.n_switches * w.n_switches;
	int rc = 0;
	w.order = malloc((list->n_slots + 1) * sizeof *w.order);
	w.room = malloc(w.n_switches * sizeof *w.room);
	w.piece = malloc(most * sizeof *w.piece);
	if (!w.order || !w.room || !w.piece)
		rc = loom_circuit_no_memory(err);
	for (size_t s = 0; rc == 0 && s < list->n_slots; s++)
		w.order[s] = s;
	if (rc == 0 && list->n_slots > 0) {
		qsort_r(w.order, list->n_slots, sizeof *w.order, longest_first, (void *)list);
		find_least(&w);
		qsort(w.piece, w.n_pieces, sizeof *w.piece, by_slot); // on each switch in the order of the list
	}
	for (size_t p = 0; rc == 0 && p < w.n_pieces; p++)
		rc = loom_circuit_append(out, w.piece[p].on, w.piece[p].cycles, list->to + w.piece[p].slot * list->n,
		                         err);
	free(w.order);
	free(w.room);
	free(w.piece);
	return rc;
}
