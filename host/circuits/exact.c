// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The search takes slots in the order of their lengths, the longest first; the order does not change the cost. So no
// later slot is longer than the present one, and the rest is cut into pieces of at most that length. A line needs at
// least as many slots as it has pieces, and as many cycles as it has flits. A matching is chosen row by row. A
// remainder that was searched before, for slots of the same length and at the same cost or less, is not searched again.
// searched again.
#include "circuits/exact.h"

#include <stdlib.h>
#include <string.h>

#define N_MOST LOOM_CIRCUIT_EXACT_NODES
#define SEEN_BITS 14u
#define DEPTH_MOST 64u

struct state {
	uint8_t left[N_MOST][N_MOST];
};

struct seen {
	struct state state;
	uint32_t cycles;
	uint64_t spent;
	bool used;
};

struct exact {
	uint32_t n, dark;
	struct loom_circuit_search *search;
	struct seen *seen;
	uint64_t best;
	uint32_t cycles[DEPTH_MOST], to[DEPTH_MOST][N_MOST];
	struct loom_circuit_list *list;
	bool over;
	int rc;
	struct loom_err *err;
};

// Returns a lower bound of the cost of the rest, with slots of at most `cycles`. Lines whose bit is set in `open`
// (rows, then columns) may still get a piece of the slot that is being filled.
static uint64_t least(const struct exact *w, const struct state *s, uint32_t cycles, uint32_t open)
{
	uint32_t flits[2 * N_MOST] = {0}, slots[2 * N_MOST] = {0}, most_flits = 0, most_slots = 0;
	for (uint32_t i = 0; i < w->n; i++)
		for (uint32_t j = 0; j < w->n; j++) {
			const uint32_t f = s->left[i][j], k = f <= cycles ? f > 0 : (f + cycles - 1) / cycles;
			flits[i] += f;
			flits[N_MOST + j] += f;
			slots[i] += k;
			slots[N_MOST + j] += k;
		}
	for (uint32_t l = 0; l < 2 * N_MOST; l++) {
		if (open >> l & 1 && slots[l] > 0) {
			flits[l] -= flits[l] < cycles ? flits[l] : cycles;
			slots[l]--;
		}
		most_flits = flits[l] > most_flits ? flits[l] : most_flits;
		most_slots = slots[l] > most_slots ? slots[l] : most_slots;
	}
	return most_flits + (uint64_t)most_slots * w->dark;
}

static bool was_seen(struct exact *w, const struct state *s, uint32_t cycles, uint64_t spent)
{
	uint64_t hash = cycles;
	for (uint32_t i = 0; i < N_MOST; i++) {
		uint64_t row;
		memcpy(&row, s->left[i], sizeof row);
		hash = (hash ^ row) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	struct seen *at = &w->seen[hash >> (64 - SEEN_BITS)];
	if (at->used && at->cycles == cycles && at->spent <= spent && memcmp(&at->state, s, sizeof *s) == 0)
		return true;
	*at = (struct seen){.state = *s, .cycles = cycles, .spent = spent, .used = true};
	return false;
}

static void keep(struct exact *w, uint32_t depth, uint64_t spent)
{
	w->best = spent;
	w->list->n_slots = 0;
	for (uint32_t k = 0; w->rc == 0 && k < depth; k++)
		w->rc = loom_circuit_list_add(w->list, w->cycles[k], w->to[k], w->err);
}

static void look(struct exact *w, const struct state *s, uint32_t cycles, uint64_t spent, uint32_t depth);

// A slot that is being filled. The rows below `row` are settled.
struct under_way {
	struct state left;
	uint32_t cycles, depth, row, taken; // taken: columns, as bits
	uint64_t spent;
};

static void next_row(struct exact *w, const struct under_way *u)
{
	w->search->work += (uint64_t)w->n * w->n;
	if (loom_circuit_search_is_over(w->search))
		w->over = true;
	const uint32_t all = (1u << N_MOST) - 1, rows = all & ~((1u << u->row) - 1);
	const uint32_t open = u->row < w->n ? rows | (all & ~u->taken) << N_MOST : 0;
	if (w->over || w->rc != 0 || u->spent + least(w, &u->left, u->cycles, open) >= w->best)
		return;
	if (u->row == w->n) {
		look(w, &u->left, u->cycles, u->spent, u->depth + 1);
		return;
	}
	const uint8_t *row = u->left.left[u->row];
	bool idle = true;
	for (uint32_t j = 0; j < w->n; j++) {
		if (row[j] == 0 || u->taken >> j & 1)
			continue;
		struct under_way next = *u;
		next.left.left[u->row][j] = (uint8_t)(row[j] > u->cycles ? row[j] - u->cycles : 0);
		next.taken |= 1u << j;
		next.row++;
		w->to[u->depth][u->row] = j;
		next_row(w, &next);
		idle = false;
	}
	// The row may also stay dark, because other rows may need all columns that it could have.
	struct under_way next = *u;
	next.row++;
	w->to[u->depth][u->row] = LOOM_CIRCUIT_NO_PORT;
	if (idle || u->row + 1 < w->n)
		next_row(w, &next);
}

static void look(struct exact *w, const struct state *s, uint32_t cycles, uint64_t spent, uint32_t depth)
{
	uint32_t longest = 0;
	for (uint32_t i = 0; i < w->n; i++)
		for (uint32_t j = 0; j < w->n; j++)
			longest = s->left[i][j] > longest ? s->left[i][j] : longest;
	if (longest == 0) {
		if (spent < w->best)
			keep(w, depth, spent);
		return;
	}
	if (depth == DEPTH_MOST) {
		w->over = true;
		return;
	}
	for (uint32_t c = cycles < longest ? cycles : longest; c > 0 && !w->over; c--) {
		if (spent + least(w, s, c, 0) >= w->best)
			return; // with shorter slots the bound only grows
		if (was_seen(w, s, c, spent))
			continue;
		const struct under_way u = {.left = *s, .cycles = c, .depth = depth, .spent = spent + c + w->dark};
		w->cycles[depth] = c;
		next_row(w, &u);
	}
}

int loom_circuit_exact(struct loom_circuit_list *list, bool *done, const struct loom_demand *demand, uint32_t dark,
                       struct loom_circuit_search *search, struct loom_err *err)
{
	struct exact w = {.n = demand->n, .dark = dark, .search = search, .list = list, .err = err};
	struct state s = {.left = {{0}}};
	*done = false;
	if (demand->n > N_MOST)
		return 0;
	for (uint32_t i = 0; i < w.n; i++)
		for (uint32_t j = 0; j < w.n; j++) {
			const uint32_t f = demand->flits[(size_t)i * w.n + j];
			if (f > LOOM_CIRCUIT_EXACT_FLITS)
				return 0;
			s.left[i][j] = (uint8_t)f;
		}
	for (size_t k = 0; k < list->n_slots; k++)
		w.best += (uint64_t)list->cycles[k] + dark;
	if (least(&w, &s, UINT32_MAX / 2, 0) >= w.best) {
		*done = true;
		return 0;
	}
	w.seen = calloc((size_t)1 << SEEN_BITS, sizeof *w.seen);
	if (!w.seen)
		return loom_circuit_no_memory(err);
	look(&w, &s, UINT32_MAX / 2, 0, 0);
	*done = !w.over;
	free(w.seen);
	return w.rc;
}
