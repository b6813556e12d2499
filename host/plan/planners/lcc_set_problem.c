// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/planners/lcc_set_problem.h"

#include "base/clock.h"
#include "base/numbers.h"

unsigned loom_set_dependencies(uint64_t *d, const struct loom_set_problem *p, unsigned r, uint64_t set)
{
	const struct loom_set_member *member = &p->member[r];
	uint64_t basis[LOOM_GF2_MAX], made_of[LOOM_GF2_MAX], pivots = 0, all = 0;
	uint64_t t = member->is_scatter ? loom_gf2_mask(p->n) & ~set : set;
	unsigned nullity = 0;
	for (uint64_t rest = t; rest; rest &= rest - 1) {
		uint64_t v = member->column[__builtin_ctzll(rest)], sum = rest & -rest, common;
		while ((common = v & pivots)) {
			unsigned i = (unsigned)__builtin_ctzll(common);
			v ^= basis[i];
			sum ^= made_of[i];
		}
		if (v & t) {
			unsigned i = (unsigned)__builtin_ctzll(v & t);
			basis[i] = v;
			made_of[i] = sum;
			pivots |= loom_bit(i);
		} else { // the rest of v is a sum of unit vectors outside t
			all |= sum | v;
			nullity++;
		}
	}
	*d = all;
	return nullity;
}

int loom_set_tick(struct loom_set_problem *p, double done, struct loom_err *err)
{
	if (!p->progress)
		return 0;
	const double now_s = loom_clock_s();
	if (now_s - p->last_s < 0.25)
		return 0;
	p->last_s = now_s;
	return p->progress(p->user, done) ? loom_fail(err, LOOM_ETIMEOUT, "stopped before the best order was known")
	                                  : 0;
}
