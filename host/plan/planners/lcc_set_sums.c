// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "plan/planners/lcc_set_problem.h"

#define BITS_MAX 40 // no machine has memory for a table of 2^40 entries

// Dynamic programming (Theorem 5): best[S] is the least value of the objective over the orders of the bits in S, placed
// at dimensions 0..|S|-1. The sets come in ascending order, by decisions on their bits from the highest down. Each
// decision takes one of two vectors per member into a basis, and reduces all undecided vectors by it. 2^k sets share
// the work for n-k undecided bits, so a set costs a few word operations instead of an elimination.

// A vector, and the chosen vectors (by bit) that were added to the original to make it.
struct vector {
	uint64_t v, made_of;
};

// A member after the bits above `undecided` were decided. choice[l][1] is the vector if l is in S, [0] if not.
struct state {
	unsigned nullity;
	uint64_t dependent;
	struct vector choice[BITS_MAX][2];
};

struct walk {
	struct loom_set_problem *p;
	bool largest_dimension;
	unsigned entry_bytes;
	void *best;          // 2^n entries
	struct state *state; // [undecided][member], n+1 levels
	struct price {
		uint64_t mask, off;
	} * off; // room for two per member: the bits in `mask` cost `off` less
	struct loom_err *err;
};

static inline uint64_t load(const void *best, uint64_t set, unsigned entry_bytes)
{
	return entry_bytes == 2   ? ((const uint16_t *)best)[set]
	       : entry_bytes == 4 ? ((const uint32_t *)best)[set]
	                          : ((const uint64_t *)best)[set];
}

// Stores a value. A value that does not fit is stored as the largest one that fits. That one is never the least,
// because a smaller value is known to be reachable.
static inline void store(void *best, uint64_t set, uint64_t value, unsigned entry_bytes)
{
	if (entry_bytes == 2)
		((uint16_t *)best)[set] = value > UINT16_MAX ? UINT16_MAX : (uint16_t)value;
	else if (entry_bytes == 4)
		((uint32_t *)best)[set] = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
	else
		((uint64_t *)best)[set] = value;
}

// Computes the cost of placing a bit of `set` last: the value returned, less the `off` of every entry whose mask has
// the bit.
static uint64_t prices(struct price *off, unsigned *n_off, const struct loom_set_member *member, unsigned nullity,
                       uint64_t dependent, uint64_t set)
{
	// No bit is both idle and dependent: the row of an idle bit is that of the identity, so it takes part in no
	// dependency.
	uint64_t full = member->weight << nullity, idle = set & member->idle, cheap = set & dependent;
	if (idle)
		off[(*n_off)++] = (struct price){idle, full};
	if (cheap)
		off[(*n_off)++] = (struct price){cheap, full / 2};
	return full;
}

static inline uint64_t price_of(unsigned j, uint64_t full, const struct price *off, unsigned n_off)
{
	for (unsigned k = 0; k < n_off; k++)
		full -= off[k].off & -(off[k].mask >> j & 1);
	return full;
}

static inline uint64_t joined(uint64_t before, uint64_t price, bool largest_dimension)
{
	return !largest_dimension ? before + price : before > price ? before : price;
}

static inline void settle(struct walk *w, uint64_t set, unsigned entry_bytes)
{
	uint64_t full = 0, least = set ? UINT64_MAX : 0;
	unsigned n_off = 0;
	for (unsigned r = 0; r < w->p->n_members; r++)
		full += prices(w->off, &n_off, &w->p->member[r], w->state[r].nullity, w->state[r].dependent, set);
	for (uint64_t rest = set; rest; rest &= rest - 1) {
		unsigned j = (unsigned)__builtin_ctzll(rest);
		uint64_t before = load(w->best, set & ~(rest & -rest), entry_bytes);
		uint64_t value = joined(before, price_of(j, full, w->off, n_off), w->largest_dimension);
		least = value < least ? value : least;
	}
	store(w->best, set, least, entry_bytes);
}

// Makes choice `c` for bit l = undecided-1. *to describes the bits below it.
static void decide(struct state *to, const struct state *from, unsigned l, unsigned c)
{
	const struct vector taken = {from->choice[l][c].v, from->choice[l][c].made_of | (uint64_t)1 << l};
	const uint64_t pivot = taken.v & -taken.v; // 0 if the vector depends on those taken before
	to->nullity = from->nullity + !pivot;
	to->dependent = from->dependent | (pivot ? 0 : taken.made_of);
	for (unsigned k = 0; k < l; k++)
		for (unsigned d = 0; d < 2; d++) {
			const uint64_t reduce = -(uint64_t)((from->choice[k][d].v & pivot) != 0);
			to->choice[k][d].v = from->choice[k][d].v ^ (taken.v & reduce);
			to->choice[k][d].made_of = from->choice[k][d].made_of ^ (taken.made_of & reduce);
		}
}

static int descend(struct walk *w, unsigned undecided, uint64_t set)
{
	const unsigned m = w->p->n_members;
	if (undecided == 0) {
		switch (w->entry_bytes) {
		case 2: settle(w, set, 2); break;
		case 4: settle(w, set, 4); break;
		default: settle(w, set, 8);
		}
		return 0;
	}
	if (undecided == 16) {
		int rc = loom_set_tick(w->p, (double)set / (double)((uint64_t)1 << w->p->n), w->err);
		if (rc)
			return rc;
	}
	for (unsigned c = 0; c < 2; c++) {
		for (unsigned r = 0; r < m; r++)
			decide(&w->state[(undecided - 1) * m + r], &w->state[undecided * m + r], undecided - 1, c);
		int rc = descend(w, undecided - 1, set | (uint64_t)c << (undecided - 1));
		if (rc)
			return rc;
	}
	return 0;
}

// Finds the order. The choices are not stored, so it finds each again by its value, from the full set back.
static void trace_back(unsigned *order, const struct walk *w)
{
	uint64_t set = loom_gf2_mask(w->p->n);
	for (unsigned i = w->p->n; i-- > 0;) {
		uint64_t full = 0, d;
		unsigned n_off = 0;
		for (unsigned r = 0; r < w->p->n_members; r++) {
			unsigned q = loom_set_dependencies(&d, w->p, r, set);
			full += prices(w->off, &n_off, &w->p->member[r], q, d, set);
		}
		uint64_t value = load(w->best, set, w->entry_bytes);
		for (uint64_t rest = set; rest;) {
			unsigned j = 63 - (unsigned)__builtin_clzll(rest);
			rest &= ~((uint64_t)1 << j);
			order[i] = j;
			uint64_t before = load(w->best, set & ~((uint64_t)1 << j), w->entry_bytes);
			if (joined(before, price_of(j, full, w->off, n_off), w->largest_dimension) == value)
				break;
		}
		set &= ~((uint64_t)1 << order[i]);
	}
}

int loom_set_search_sums(struct loom_set_result *out, struct loom_set_problem *p, bool largest_dimension,
                         uint64_t reachable, struct loom_err *err)
{
	const unsigned n = p->n, m = p->n_members;
	struct walk w = {.p = p, .largest_dimension = largest_dimension, .err = err};
	w.entry_bytes = reachable < UINT16_MAX ? 2 : reachable < UINT32_MAX ? 4 : 8;
	const uint64_t fixed = m * (sizeof *p->member + 2 * sizeof *w.off + (n + 1) * sizeof *w.state);
	unsigned fits = 0;
	while (fits < BITS_MAX && fixed + ((uint64_t)w.entry_bytes << (fits + 1)) <= p->max_bytes)
		fits++;
	if (n > fits)
		return loom_fail(err, LOOM_EINPUT,
		                 "sums over %u dimensions with traffic need a table of 2^%u entries; "
		                 "%llu bytes are enough for %u",
		                 n, n, (unsigned long long)p->max_bytes, fits);
	w.best = malloc((size_t)w.entry_bytes << n);
	w.state = malloc((n + 1) * m * sizeof *w.state);
	w.off = malloc(2 * m * sizeof *w.off);
	int rc = 0;
	if (!w.best || !w.state || !w.off)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for 2^%u entries of %u bytes", n, w.entry_bytes);
	if (!rc) {
		for (unsigned r = 0; r < m; r++) {
			struct state *s = &w.state[n * m + r];
			s->nullity = 0;
			s->dependent = 0;
			for (unsigned l = 0; l < n; l++) {
				s->choice[l][!p->member[r].is_scatter] = (struct vector){p->member[r].column[l], 0};
				s->choice[l][p->member[r].is_scatter] = (struct vector){(uint64_t)1 << l, 0};
			}
		}
		rc = descend(&w, n, 0);
	}
	if (!rc) {
		trace_back(out->order, &w);
		out->value = load(w.best, loom_gf2_mask(n), w.entry_bytes);
		out->n_visited = (uint64_t)1 << n;
		out->bytes = fixed + ((uint64_t)w.entry_bytes << n);
	}
	free(w.best);
	free(w.state);
	free(w.off);
	return rc;
}
