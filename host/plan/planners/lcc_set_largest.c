// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/planners/lcc_set_problem.h"

// Finds the least e such that some order keeps every T_ri at or below 2^e. For each e in turn it starts with the full
// set, removes any bit that may go last, then any bit that may go last of the rest, and so on. A set from which the
// empty set cannot be reached is dead, and is remembered. The search visits only sets that can be reached from the full
// set.

// Sets of bits, none empty. Invariant: n_slots is a power of two, at least a quarter of the slots are free (0).
struct dead {
	uint64_t *slot;
	uint64_t n_slots, n_used;
	uint64_t peak_bytes;
};

// A set on the present path of the search, and those of its bits that are still to be tried as the one placed last.
struct step {
	uint64_t set, to_try;
	double weight; // of one bit to try, as a share of the whole search
};

static uint64_t *slot_of(const struct dead *dead, uint64_t set)
{
	uint64_t i = (set * 0x9e3779b97f4a7c15u) >> 20;
	while (dead->slot[i & (dead->n_slots - 1)] && dead->slot[i & (dead->n_slots - 1)] != set)
		i++;
	return &dead->slot[i & (dead->n_slots - 1)];
}

static int grow(struct dead *dead, const struct loom_set_problem *p, struct loom_err *err)
{
	struct dead bigger = {.n_slots = dead->n_slots ? dead->n_slots * 2 : 1024, .n_used = dead->n_used};
	bigger.peak_bytes = (bigger.n_slots + dead->n_slots) * sizeof *dead->slot;
	if (bigger.peak_bytes > p->max_bytes)
		return loom_fail(
			err, LOOM_ENOMEM,
			"%llu sets of dimensions did not settle the best order, more do not fit into %llu bytes",
			(unsigned long long)dead->n_used, (unsigned long long)p->max_bytes);
	bigger.slot = calloc(bigger.n_slots, sizeof *bigger.slot);
	if (!bigger.slot)
		return loom_fail(err, LOOM_ENOMEM, "out of memory: %llu sets of dimensions remembered",
		                 (unsigned long long)dead->n_used);
	for (uint64_t i = 0; i < dead->n_slots; i++)
		if (dead->slot[i])
			*slot_of(&bigger, dead->slot[i]) = dead->slot[i];
	free(dead->slot);
	*dead = bigger;
	return 0;
}

static int remember(struct dead *dead, uint64_t set, const struct loom_set_problem *p, struct loom_err *err)
{
	if ((dead->n_used + 1) * 4 > dead->n_slots * 3) {
		int rc = grow(dead, p, err);
		if (rc)
			return rc;
	}
	*slot_of(dead, set) = set;
	dead->n_used++;
	return 0;
}

// Returns the bits that may go last of `set` without a contention above 2^e. The nullity q is at most e+1. It is so at
// the start; a removal that costs 2^(e') leaves a nullity of at most e'+1, and the removal of an idle bit leaves it as
// it was.
static uint64_t may_go_last(const struct loom_set_problem *p, uint64_t set, unsigned e)
{
	uint64_t may = set;
	for (unsigned r = 0; r < p->n_members && may; r++) {
		uint64_t d;
		unsigned q = loom_set_dependencies(&d, p, r, set);
		assert(q <= e + 1);
		if (q > e)
			may &= p->member[r].idle | d;
	}
	return may;
}

// Searches for an order. Returns 1 if it found one, 0 if there is none, or an error.
static int search(unsigned *order, struct dead *dead, uint64_t *n_visited, struct loom_set_problem *p, unsigned e,
                  struct loom_err *err)
{
	struct step path[LOOM_GF2_MAX];
	unsigned depth = 0;
	double done = 0;
	uint64_t next = loom_gf2_mask(p->n);
	for (;;) {
		// Goes down to `next`.
		path[depth] = (struct step){.set = next, .to_try = may_go_last(p, next, e)};
		double share = depth ? path[depth - 1].weight : 1;
		if (path[depth].to_try)
			path[depth].weight = share / __builtin_popcountll(path[depth].to_try);
		else
			done += share;
		int rc = (++*n_visited & 1023) ? 0 : loom_set_tick(p, done < 1 ? done : 1, err);
		if (rc)
			return rc;
		// Goes to the next set that is not known to be dead, and backs out of sets that are now dead.
		for (;;) {
			struct step *s = &path[depth];
			if (!s->to_try) {
				rc = remember(dead, s->set, p, err);
				if (rc)
					return rc;
				if (depth == 0)
					return 0;
				depth--;
				continue;
			}
			unsigned j = 63 - (unsigned)__builtin_clzll(s->to_try);
			s->to_try &= ~((uint64_t)1 << j);
			next = s->set & ~((uint64_t)1 << j);
			order[p->n - 1 - depth] = j;
			if (!next)
				return 1;
			if (!*slot_of(dead, next))
				break;
			done += s->weight;
		}
		depth++;
	}
}

int loom_set_search_largest(struct loom_set_result *out, struct loom_set_problem *p, struct loom_err *err)
{
	struct dead dead = {0};
	unsigned e = 0;
	int rc = grow(&dead, p, err);
	// No order gives a single member less than 2^(n-1-rank), so the search begins there.
	for (unsigned r = 0; r < p->n_members; r++) {
		uint64_t d, all = loom_gf2_mask(p->n);
		unsigned q = loom_set_dependencies(&d, p, r, p->member[r].is_scatter ? 0 : all);
		e = q > e + 1 ? q - 1 : e;
	}
	while (!rc) {
		rc = search(out->order, &dead, &out->n_visited, p, e, err);
		if (rc)
			break;
		memset(dead.slot, 0, dead.n_slots * sizeof *dead.slot);
		dead.n_used = 0;
		e++;
	}
	out->value = (uint64_t)1 << e;
	out->bytes = dead.peak_bytes + p->n_members * sizeof *p->member;
	free(dead.slot);
	return rc < 0 ? rc : 0;
}
