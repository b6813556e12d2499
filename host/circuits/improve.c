// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "circuits/improve.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/room.h"
#include "circuits/peel.h"
#include "circuits/remains.h"
#include "circuits/slice.h"

#define NO LOOM_CIRCUIT_NO_PORT
#define TAKEN_MOST 6u
#define LOOKED_AT 24u // slots in which the search looks for room for a piece

struct slot {
	uint32_t cycles;
	uint32_t *to, *from, *flits; // [row], [column], [row]; one block, owned
};

// A move of flits into the free room of a slot, kept so that it can be undone.
struct moved {
	size_t slot;
	uint32_t row, flits;
	bool fresh; // the pair is new in the slot
};

struct improving {
	uint32_t n, dark;
	struct slot *slot;
	size_t n_slots, room_slots;
	size_t *chosen; // slots that are removed, ascending
	uint32_t n_chosen;
	struct loom_piece *piece;
	size_t n_pieces;
	struct moved *moved;
	size_t n_moved, room_pieces, room_moved;
	struct loom_circuit_list fresh;
	struct loom_circuit_search *search;
};

bool loom_circuit_search_is_over(const struct loom_circuit_search *search)
{
	return search->work >= search->budget || (search->stopped && search->stopped(search->user));
}

// --- The list as slots with their flits ------------------------------------------------------------------------------

static bool new_slot(struct improving *w, uint32_t cycles)
{
	if (!LOOM_ROOM(w->slot, w->room_slots, w->n_slots + 1))
		return false;
	uint32_t *to = malloc(3 * (size_t)w->n * sizeof *to);
	if (!to)
		return false;
	for (uint32_t i = 0; i < 2 * w->n; i++)
		to[i] = NO;
	memset(to + 2 * (size_t)w->n, 0, w->n * sizeof *to);
	w->slot[w->n_slots++] =
		(struct slot){.cycles = cycles, .to = to, .from = to + w->n, .flits = to + 2 * (size_t)w->n};
	return true;
}

static void put(struct slot *s, uint32_t row, uint32_t column, uint32_t flits)
{
	s->to[row] = column;
	s->from[column] = row;
	s->flits[row] += flits;
}

// Adds the slots of a list. Each takes as many flits of `left` as it can, and is cut to the cycles that they need.
static bool add_list(struct improving *w, const struct loom_circuit_list *list, uint32_t *left)
{
	for (size_t s = 0; s < list->n_slots; s++) {
		uint32_t most = 0;
		if (!new_slot(w, list->cycles[s]))
			return false;
		struct slot *slot = &w->slot[w->n_slots - 1];
		for (uint32_t i = 0; i < w->n; i++) {
			const uint32_t j = list->to[s * w->n + i];
			uint32_t *rest = j == NO ? NULL : &left[(size_t)i * w->n + j];
			if (!rest || *rest == 0)
				continue;
			const uint32_t f = *rest < slot->cycles ? *rest : slot->cycles;
			put(slot, i, j, f);
			*rest -= f;
			most = f > most ? f : most;
		}
		slot->cycles = most;
		if (most == 0)
			free(w->slot[--w->n_slots].to);
	}
	return true;
}

// --- A round

static int ascending(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	return loom_order(x, y);
}

// Draws a few slots: any slots, or some of about the same length.
static void choose(struct improving *w)
{
	struct loom_rng *rng = &w->search->rng;
	const size_t most = w->n_slots < TAKEN_MOST ? w->n_slots : TAKEN_MOST;
	const bool near = loom_rng_below(rng, 2);
	w->n_chosen = 0;
	w->chosen[w->n_chosen++] = (size_t)loom_rng_below(rng, w->n_slots);
	const uint64_t wanted = 1 + loom_rng_below(rng, most);
	for (unsigned tries = 0; w->n_chosen < wanted && tries < 4 * TAKEN_MOST; tries++) {
		size_t s = (size_t)loom_rng_below(rng, w->n_slots);
		for (unsigned k = 0; near && k < 6; k++) {
			const size_t other = (size_t)loom_rng_below(rng, w->n_slots);
			const int64_t first = w->slot[w->chosen[0]].cycles;
			if (other != w->chosen[0] &&
			    llabs((int64_t)w->slot[other].cycles - first) < llabs((int64_t)w->slot[s].cycles - first))
				s = other;
		}
		uint32_t k = 0;
		while (k < w->n_chosen && w->chosen[k] != s)
			k++;
		if (k == w->n_chosen)
			w->chosen[w->n_chosen++] = s;
	}
	qsort(w->chosen, w->n_chosen, sizeof *w->chosen, ascending);
}

static bool is_chosen(const struct improving *w, size_t s)
{
	for (uint32_t k = 0; k < w->n_chosen; k++)
		if (w->chosen[k] == s)
			return true;
	return false;
}

static bool list_pieces(struct improving *w)
{
	const size_t most = (size_t)w->n_chosen * w->n;
	if (!LOOM_ROOM(w->piece, w->room_pieces, most) || !LOOM_ROOM(w->moved, w->room_moved, most * LOOKED_AT))
		return false;
	w->n_pieces = w->n_moved = 0;
	for (uint32_t k = 0; k < w->n_chosen; k++) {
		const struct slot *s = &w->slot[w->chosen[k]];
		for (uint32_t i = 0; i < w->n; i++)
			if (s->flits[i] > 0)
				w->piece[w->n_pieces++] =
					(struct loom_piece){.row = i, .column = s->to[i], .flits = s->flits[i]};
	}
	return true;
}

// Moves a piece, or parts of it, into slots that have room.
static void move_out(struct improving *w, struct loom_piece *p)
{
	const size_t looks = w->n_slots < LOOKED_AT ? w->n_slots : LOOKED_AT;
	size_t s = (size_t)loom_rng_below(&w->search->rng, w->n_slots);
	w->search->work += looks;
	for (size_t k = 0; k < looks && p->flits > 0; k++, s = s + 1 < w->n_slots ? s + 1 : 0) {
		struct slot *slot = &w->slot[s];
		const bool same = slot->to[p->row] == p->column;
		if ((!same && (slot->to[p->row] != NO || slot->from[p->column] != NO)) || is_chosen(w, s))
			continue;
		const uint32_t room = slot->cycles - slot->flits[p->row];
		const uint32_t f = room < p->flits ? room : p->flits;
		if (f == 0 || (f < p->flits && f < p->flits / 4))
			continue;
		put(slot, p->row, p->column, f);
		p->flits -= f;
		w->moved[w->n_moved++] = (struct moved){.slot = s, .row = p->row, .flits = f, .fresh = !same};
	}
}

static void take_back(struct improving *w)
{
	while (w->n_moved > 0) {
		const struct moved m = w->moved[--w->n_moved];
		struct slot *s = &w->slot[m.slot];
		s->flits[m.row] -= m.flits;
		if (m.fresh) {
			s->from[s->to[m.row]] = NO;
			s->to[m.row] = NO;
		}
	}
}

static int by_pair(const void *a, const void *b)
{
	const struct loom_piece *x = a, *y = b;
	const int by = loom_order(x->row, y->row);
	return by ? by : loom_order(x->column, y->column);
}

// Merges the pieces of one pair, and drops pieces without flits.
static void merge(struct improving *w)
{
	size_t n = 0;
	if (w->n_pieces > 1)
		qsort(w->piece, w->n_pieces, sizeof *w->piece, by_pair);
	for (size_t p = 0; p < w->n_pieces; p++) {
		if (w->piece[p].flits == 0)
			continue;
		if (n > 0 && by_pair(&w->piece[n - 1], &w->piece[p]) == 0)
			w->piece[n - 1].flits += w->piece[p].flits;
		else
			w->piece[n++] = w->piece[p];
	}
	w->n_pieces = n;
}

static void remove_chosen(struct improving *w)
{
	for (uint32_t k = w->n_chosen; k-- > 0;) {
		free(w->slot[w->chosen[k]].to);
		w->slot[w->chosen[k]] = w->slot[--w->n_slots];
	}
}

// Puts the flits of the pieces into the new slots. `left` is all 0 before and after.
static bool accept(struct improving *w, uint32_t *left)
{
	remove_chosen(w);
	for (size_t p = 0; p < w->n_pieces; p++)
		left[(size_t)w->piece[p].row * w->n + w->piece[p].column] = w->piece[p].flits;
	return add_list(w, &w->fresh, left);
}

static int one_round(struct improving *w, uint32_t *left, struct loom_err *err)
{
	struct loom_rng *rng = &w->search->rng;
	uint64_t cost = 0;
	bool done = true;
	int rc;
	choose(w);
	for (uint32_t k = 0; k < w->n_chosen; k++)
		cost += (uint64_t)w->slot[w->chosen[k]].cycles + w->dark;
	if (!list_pieces(w))
		return loom_circuit_no_memory(err);
	w->search->work += w->n_pieces + w->n;
	if (loom_rng_below(rng, 4) > 0)
		for (size_t p = 0; p < w->n_pieces; p++)
			move_out(w, &w->piece[p]);
	merge(w);
	w->fresh.n_slots = 0;
	if (loom_rng_below(rng, 3) > 0)
		rc = loom_circuit_slice(&w->fresh, &done, w->piece, w->n_pieces, w->dark, cost + 1, rng,
		                        &w->search->work, err);
	else
		rc = loom_circuit_peel(&w->fresh, w->piece, w->n_pieces, rng, &w->search->work, err);
	if (rc == 0 && done && loom_circuit_list_cost(&w->fresh, w->dark) <= cost)
		return accept(w, left) ? 0 : loom_circuit_no_memory(err);
	take_back(w);
	return rc;
}

static uint64_t cost_of(const struct improving *w)
{
	uint64_t cost = 0;
	for (size_t s = 0; s < w->n_slots; s++)
		cost += (uint64_t)w->slot[s].cycles + w->dark;
	return cost;
}

static int to_list(struct loom_circuit_list *list, const struct improving *w, struct loom_err *err)
{
	int rc = 0;
	list->n_slots = 0;
	for (size_t s = 0; rc == 0 && s < w->n_slots; s++)
		rc = loom_circuit_list_add(list, w->slot[s].cycles, w->slot[s].to, err);
	return rc;
}

int loom_circuit_improve(struct loom_circuit_list *list, const struct loom_demand *demand, uint32_t dark,
                         struct loom_circuit_search *search, struct loom_err *err)
{
	const size_t all = (size_t)demand->n * demand->n;
	struct improving w = {.n = demand->n, .dark = dark, .fresh = {.n = demand->n}, .search = search};
	uint32_t *left = malloc(all * sizeof *left);
	w.chosen = malloc(TAKEN_MOST * sizeof *w.chosen);
	int rc = left && w.chosen ? 0 : loom_circuit_no_memory(err);
	if (rc == 0) {
		memcpy(left, demand->flits, all * sizeof *left);
		if (!add_list(&w, list, left))
			rc = loom_circuit_no_memory(err);
	}
	while (rc == 0 && w.n_slots > 0 && !loom_circuit_search_is_over(search) && cost_of(&w) > search->enough)
		rc = one_round(&w, left, err);
	if (rc == 0)
		rc = to_list(list, &w, err);
	for (size_t s = 0; s < w.n_slots; s++)
		free(w.slot[s].to);
	free(w.slot);
	free(w.chosen);
	free(w.piece);
	free(w.moved);
	free(left);
	loom_circuit_list_free(&w.fresh);
	return rc;
}
