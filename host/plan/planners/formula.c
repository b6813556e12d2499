// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/formula.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/math/lcc.h>

#include "base/text.h"
#include "plan/cycles/objective.h"
#include "plan/planners/lcc_messages.h"
#include "plan/planners/planners.h"

#define DIMENSIONS_TOLD 1000000 // dimensions of a fabric up to which the refusal names their number

static const struct loom_topo_kind *cube(void)
{
	size_t i = 0;
	while (!loom_topo_kind_at(i)->complements_bits)
		i++;
	return loom_topo_kind_at(i);
}

bool loom_formula_is_for(unsigned *n, const char *fabric)
{
	const char *name = cube()->name;
	size_t length = strlen(name);
	uint64_t value;
	if (strncmp(fabric, name, length) != 0 || fabric[length] != ':' ||
	    !loom_text_number(&value, fabric + length + 1, strlen(fabric + length + 1)) || value <= LOOM_DIMS_MAX)
		return false;
	*n = value < DIMENSIONS_TOLD ? (unsigned)value : DIMENSIONS_TOLD;
	return true;
}

// Reads a bit order, such as "3,0,2,1".
static int read_order(unsigned *order, unsigned n, const char *text, struct loom_err *err)
{
	uint64_t seen = 0, value;
	unsigned d = 0;
	for (const char *at = text; at; d++) {
		size_t length = strcspn(at, ",");
		if (d == n || !loom_text_number(&value, at, length) || value >= n || seen >> value & 1)
			return loom_fail(err, LOOM_EINPUT,
			                 "map \"%.60s\": by formula it is best, identity or an order of the %u address "
			                 "bits, each of 0..%u once with commas between them",
			                 text, n, n - 1);
		seen |= UINT64_C(1) << value;
		order[d] = (unsigned)value;
		at = at[length] ? at + length + 1 : NULL;
	}
	return d == n ? 0
	              : loom_fail(err, LOOM_EINPUT, "map \"%.60s\" has %u numbers; the address bits are %u", text, d,
	                          n);
}

static int choose_planner(bool *set, const struct loom_pattern *p, const struct loom_plan_options *o,
                          struct loom_err *err)
{
	const char *one = loom_planner_lcc.name, *several = loom_planner_lcc_set.name;
	if (loom_objective_is_cycles(o->objective))
		return loom_fail(err, LOOM_EINPUT,
		                 "objective cycles: a plan by formula has no messages whose cycles could be computed; "
		                 "plans on cubes of up to %d dimensions have them",
		                 LOOM_DIMS_MAX);
	if (o->rule)
		return loom_fail(err, LOOM_EINPUT, "rule %.40s: the formulas are of messages by rule ascending",
		                 o->rule);
	if (o->planner && strcmp(o->planner, several) != 0 && (p->n_lccs > 1 || strcmp(o->planner, one) != 0))
		return loom_fail(err, LOOM_EINPUT, "planner %.40s: by formula %.60s is planned by %s%s%s", o->planner,
		                 p->name, p->n_lccs > 1 ? "" : one, p->n_lccs > 1 ? "" : " or ", several);
	*set = p->n_lccs > 1 || o->objective || (o->planner && strcmp(o->planner, several) == 0);
	return 0;
}

// Settles the order and the facts about the best one, as the planners of those names do.
static int settle(struct loom_formula *f, const struct loom_pattern *p, const struct loom_plan_options *o,
                  struct loom_err *err)
{
	bool set = false, is_free = !o->map || strcmp(o->map, "best") == 0;
	int rc = choose_planner(&set, p, o, err);
	for (unsigned d = 0; d < f->n; d++)
		f->order[d] = d;
	if (rc == 0 && !is_free && strcmp(o->map, "identity") != 0)
		rc = read_order(f->order, f->n, o->map, err);
	if (rc != 0)
		return rc;
	(void)snprintf(f->planner, sizeof f->planner, "%s", (set ? &loom_planner_lcc_set : &loom_planner_lcc)->name);
	if (set) {
		struct loom_lcc_settled settled;
		rc = loom_lcc_set_settle(f->order, &settled, p, o->objective, is_free, err);
		if (rc != 0)
			return rc;
		f->lower_bound = settled.lower_bound;
		f->objective_value = settled.value;
		(void)snprintf(f->objective, sizeof f->objective, "%s", settled.objective);
		return 0;
	}
	f->lower_bound = (uint32_t)loom_lcc_optimum(&p->lccs[0]);
	return is_free ? loom_lcc_settle(f->order, &p->lccs[0], err) : 0;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void raise_to(uint32_t *most, uint64_t value)
{
	*most = larger(*most, (uint32_t)value);
}

// Returns the messages on the busiest of the nodes' own channels. If many messages meet, 2^rank nodes have 2^(n-rank)
// messages each, and one less if each of them has a message to itself.
static uint64_t meeting(const struct loom_lcc *lcc, uint64_t to_self)
{
	unsigned rank = loom_gf2_rank(&lcc->a);
	uint64_t many = UINT64_C(1) << (lcc->a.n - rank);
	return many - (to_self == UINT64_C(1) << rank);
}

static int add_member(struct loom_formula *f, const struct loom_lcc *lcc, uint32_t member, uint32_t flits,
                      struct loom_err *err)
{
	struct loom_lcc placed = *lcc;
	uint64_t load[LOOM_GF2_MAX], crossings[LOOM_GF2_MAX];
	unsigned n = f->n, hops = 0;
	int rc = loom_lcc_farthest(&hops, lcc, err);
	if (rc != 0)
		return rc;
	loom_gf2_reorder(&placed.a, &lcc->a, f->order);
	placed.b = loom_gf2_reorder_vector(lcc->b, n, f->order);
	loom_lcc_contention(load, &placed);
	loom_lcc_crossings(crossings, &placed);
	for (unsigned d = 0; d < n; d++) {
		raise_to(&f->group[d].max, load[d]);
		raise_to(&f->member_contention[member], load[d]);
		f->group[d].sum += crossings[d];
	}
	uint64_t to_self = loom_lcc_to_self(lcc), all = UINT64_C(1) << n;
	bool is_scatter = lcc->kind == LOOM_LCC_SCATTER;
	uint32_t own = to_self < all ? (uint32_t)meeting(lcc, to_self) : 0;
	raise_to(&f->group[n].max, is_scatter ? own : to_self < all);
	raise_to(&f->group[n + 1].max, is_scatter ? to_self < all : own);
	f->group[n].sum += all - to_self;
	f->group[n + 1].sum += all - to_self;

	uint32_t most = larger(own, f->member_contention[member]);
	f->cycles[member] = most > 1 ? LOOM_CYCLES_UNKNOWN : most ? (uint64_t)flits + hops + 1 : 0;
	f->contention = larger(f->contention, f->member_contention[member]);
	f->messages += all;
	f->flits += all * flits;
	if (__builtin_add_overflow(f->passes_bound, most, &f->passes_bound))
		return loom_fail(
			err, LOOM_EINPUT,
			"%.60s on %s: free of contention it would take 2^32 passes or more, which is more than "
			"flitloom counts",
			f->pattern, f->fabric);
	return 0;
}

// Finds out if the permutation can go in one pass, by e-cube or by e^-1-cube, for which dimensions come in reverse
// order.
static void set_one_pass(struct loom_formula *f, const struct loom_lcc *lcc)
{
	unsigned opposite[LOOM_GF2_MAX];
	f->is_permutation = f->n_members == 1 && loom_gf2_rank(&lcc->a) == f->n;
	if (!f->is_permutation)
		return;
	for (unsigned d = 0; d < f->n; d++)
		opposite[d] = f->order[f->n - 1 - d];
	if (f->contention <= 1)
		f->one_pass_rules |= 1u << LOOM_RULE_ASCENDING;
	if (f->n > 1 && loom_lcc_contention_under(lcc, opposite) <= 1)
		f->one_pass_rules |= 1u << LOOM_RULE_DESCENDING;
}

int loom_formula_make(struct loom_formula *out, const struct loom_pattern *pattern, uint32_t flits,
                      const struct loom_plan_options *options, struct loom_err *err)
{
	struct loom_formula f = {.n = pattern->lccs[0].a.n, .n_members = pattern->n_lccs};
	(void)snprintf(f.fabric, sizeof f.fabric, "%s:%u", cube()->name, f.n);
	(void)snprintf(f.pattern, sizeof f.pattern, "%s", pattern->name);
	if (f.n > LOOM_FORMULA_DIMS_MAX)
		return loom_fail(err, LOOM_EINPUT, "%s: formulas plan cubes of up to %d dimensions", f.fabric,
		                 LOOM_FORMULA_DIMS_MAX);
	f.member_contention = calloc(f.n_members, sizeof *f.member_contention);
	f.cycles = calloc(f.n_members, sizeof *f.cycles);
	int rc = f.member_contention && f.cycles
	                 ? settle(&f, pattern, options, err)
	                 : loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " communications", f.n_members);
	for (uint32_t r = 0; rc == 0 && r < f.n_members; r++)
		rc = add_member(&f, &pattern->lccs[r], r, flits, err);
	if (rc != 0) {
		loom_formula_free(&f);
		return rc;
	}
	set_one_pass(&f, &pattern->lccs[0]);
	*out = f;
	return 0;
}

void loom_formula_free(struct loom_formula *formula)
{
	if (!formula)
		return;
	free(formula->member_contention);
	free(formula->cycles);
	*formula = (struct loom_formula){0};
}
