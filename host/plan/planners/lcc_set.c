// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/lcc_set.h>

#include <stdlib.h>
#include <string.h>

#include <flitloom/math/lcc.h>

#include "base/clock.h"
#include "base/numbers.h"
#include "plan/planners/lcc_set_problem.h"

static const char *const names[] = {[LOOM_MAXMAX] = "maxmax", [LOOM_MAXSUM] = "maxsum", [LOOM_SUMSUM] = "sumsum"};

static uint64_t add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

const char *loom_objective_name(enum loom_objective objective)
{
	return names[objective];
}

int loom_objective_parse(enum loom_objective *out, const char *name, struct loom_err *err)
{
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		if (!strcmp(name, names[i])) {
			*out = (enum loom_objective)i;
			return 0;
		}
	return loom_fail(err, LOOM_EINPUT,
	                 "objective \"%.40s\" is not known: maxmax, maxsum or sumsum of a set, or cycles", name);
}

uint64_t loom_lcc_set_value(const struct loom_lcc *lccs, unsigned m, const unsigned *order,
                            enum loom_objective objective)
{
	uint64_t sum[LOOM_GF2_MAX] = {0}, value = 0;
	for (unsigned r = 0; r < m; r++) {
		struct loom_lcc placed = lccs[r];
		uint64_t t[LOOM_GF2_MAX];
		loom_gf2_reorder(&placed.a, &lccs[r].a, order);
		placed.b = loom_gf2_reorder_vector(lccs[r].b, lccs[r].a.n, order);
		loom_lcc_contention(t, &placed);
		for (unsigned i = 0; i < placed.a.n; i++)
			sum[i] = objective == LOOM_MAXMAX ? loom_larger(sum[i], t[i]) : add(sum[i], t[i]);
	}
	for (unsigned i = 0; m > 0 && i < lccs[0].a.n; i++)
		value = objective == LOOM_SUMSUM ? add(value, sum[i]) : loom_larger(value, sum[i]);
	return value;
}

// Returns the bits that some member changes. A bit that no member changes costs nothing at any place, and does not
// affect the costs of the others.
static uint64_t changed_bits(const struct loom_lcc *lccs, unsigned m)
{
	uint64_t changed = 0;
	for (unsigned r = 0; r < m; r++)
		for (unsigned i = 0; i < lccs[r].a.n; i++)
			if (lccs[r].a.row[i] != loom_bit(i) || lccs[r].b >> i & 1)
				changed |= loom_bit(i);
	return changed;
}

static void add_member(struct loom_set_problem *p, const struct loom_lcc *lcc, const unsigned *kept)
{
	struct loom_set_member *new = &p->member[p->n_members];
	memset(new, 0, sizeof *new);
	new->is_scatter = lcc->kind == LOOM_LCC_SCATTER;
	for (unsigned i = 0; i < p->n; i++) {
		for (unsigned j = 0; j < p->n; j++)
			new->column[j] |= (lcc->a.row[kept[i]] >> kept[j] & 1) << i;
		if (lcc->a.row[kept[i]] == loom_bit(kept[i]) && !(lcc->b >> kept[i] & 1))
			new->idle |= loom_bit(i);
	}
	if (new->idle == loom_gf2_mask(p->n))
		return;
	for (unsigned r = 0; r < p->n_members; r++) {
		struct loom_set_member *old = &p->member[r];
		if (old->is_scatter == new->is_scatter && old->idle == new->idle &&
		    !memcmp(old->column, new->column, sizeof old->column)) {
			old->weight++;
			return;
		}
	}
	new->weight = 1;
	p->n_members++;
}

// Returns the best value of a few orders that are cheap to make.
static uint64_t reachable_value(const struct loom_lcc *lccs, unsigned m, enum loom_objective objective)
{
	unsigned order[LOOM_GF2_MAX];
	uint64_t best = UINT64_MAX;
	for (unsigned r = 0; r < m && r < 16; r++) {
		loom_lcc_optimize(order, &lccs[r]);
		uint64_t value = loom_lcc_set_value(lccs, m, order, objective);
		best = value < best ? value : best;
	}
	return best;
}

int loom_lcc_set_optimize(struct loom_set_result *out, const struct loom_lcc *lccs, unsigned m,
                          enum loom_objective objective, const struct loom_set_limits *limits, struct loom_err *err)
{
	struct loom_set_problem p = {
		.max_bytes = limits->max_bytes, .progress = limits->progress, .user = limits->user};
	struct loom_set_result result = {0};
	unsigned kept[LOOM_GF2_MAX], n_idle = 0, idle[LOOM_GF2_MAX];
	int rc = 0;
	if (m < 1)
		return loom_fail(err, LOOM_EINPUT, "an empty set of communications");
	for (unsigned r = 1; r < m; r++)
		if (lccs[r].a.n != lccs[0].a.n)
			return loom_fail(err, LOOM_EINPUT,
			                 "communication %u of the set has %u address bits, the first has %u", r,
			                 lccs[r].a.n, lccs[0].a.n);
	uint64_t changed = changed_bits(lccs, m);
	for (unsigned i = 0; i < lccs[0].a.n; i++) {
		if (changed >> i & 1)
			kept[p.n++] = i;
		else
			idle[n_idle++] = i;
	}
	if (p.n > 0) {
		p.member = malloc(m * sizeof *p.member);
		if (!p.member)
			return loom_fail(err, LOOM_ENOMEM, "out of memory for a set of %u communications", m);
		for (unsigned r = 0; r < m; r++)
			add_member(&p, &lccs[r], kept);
		p.last_s = loom_clock_s();
		rc = objective == LOOM_MAXMAX ? loom_set_search_largest(&result, &p, err)
		                              : loom_set_search_sums(&result, &p, objective == LOOM_MAXSUM,
		                                                     reachable_value(lccs, m, objective), err);
		free(p.member);
	}
	if (rc)
		return rc;
	for (unsigned i = 0; i < p.n; i++)
		result.order[i] = kept[result.order[i]];
	memcpy(result.order + p.n, idle, n_idle * sizeof idle[0]);
	result.lower_bound = result.value;
	*out = result;
	return 0;
}
