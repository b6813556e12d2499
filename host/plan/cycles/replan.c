// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches for places, with a new plan from the planner for each map, so that its claims about passes, routes and
// loads hold for every map.
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/pair_routes.h>

#include "plan/cycles/cycles.h"
#include "plan/plan_internal.h"

#define PLAN_STEPS 20000u // budget of a planner that makes passes or searches, for one map; also the cost of its plan
#define PLAN_COSTS 4u     // cost of another planner's plan of one map, in runs of the machine

// A permutation of the nodes that is its own inverse.
struct exchange {
	bool is_linear; // adds bit a of a node's number to bit b, or exchanges both bits; else exchanges nodes a and b
	bool adds;
	uint32_t a, b;
};

struct replan {
	struct loom_cycles_search *s;
	struct loom_plan_options options; // options of the plans
	uint32_t *map, *best;             // owned: the present map; the best plan's map
	struct loom_pair_routes pairs[2]; // owned: for the options
	uint64_t steps;                   // the cost of a plan for which nothing is searched
	bool has_better;
	struct loom_plan tried; // owned: on the present map; zeroed: there is none
	struct exchange last;
	unsigned n_bits; // bits of a node's number if maps that are linear in them are tried, too; else 0
};

static uint32_t exchanged(uint32_t node, const struct exchange *e)
{
	if (!e->is_linear)
		return node == e->a ? e->b : node == e->b ? e->a : node;
	const uint32_t a = node >> e->a & 1, b = node >> e->b & 1;
	return node ^ (e->adds ? a << e->b : (a ^ b) << e->a | (a ^ b) << e->b);
}

static void apply(struct replan *r)
{
	for (uint32_t v = 0; v < r->s->plan->topo.n_nodes; v++)
		r->map[v] = exchanged(r->map[v], &r->last);
}

static void undo(void *user)
{
	apply(user);
}

static struct exchange draw(const struct replan *r, struct loom_rng *rng)
{
	struct exchange e = {.is_linear = r->n_bits > 1 && loom_rng_below(rng, 2)};
	const uint32_t n = e.is_linear ? r->n_bits : r->s->plan->topo.n_nodes;
	e.adds = e.is_linear && loom_rng_below(rng, 2);
	e.a = (uint32_t)loom_rng_below(rng, n);
	e.b = (uint32_t)loom_rng_below(rng, n - 1);
	e.b += e.b >= e.a;
	return e;
}

// Makes the plan on the present map. Sets *is_made to false if it is impossible, for instance because passes would
// lock.
static int plan_anew(bool *is_made, struct replan *r, struct loom_err *err)
{
	struct loom_err why = {0};
	loom_plan_free(&r->tried);
	int code = loom_plan_make_on(&r->tried, &r->s->plan->topo, r->s->pattern, &r->options, r->map, &why);
	if (r->pairs[0].n_nodes || r->pairs[1].n_nodes) // from now on the pairs' routes are known
		r->s->descent.steps = r->steps;
	*is_made = code == 0;
	return code == 0 || code == LOOM_EINPUT ? 0 : loom_fail(err, code, "%s", why.text);
}

static int make(bool *is_made, void *user, struct loom_rng *rng, struct loom_err *err)
{
	struct replan *r = user;
	r->last = draw(r, rng);
	apply(r);
	int code = plan_anew(is_made, r, err);
	if (!*is_made)
		apply(r);
	return code;
}

static void better(void *user)
{
	struct replan *r = user;
	r->has_better = true;
	memcpy(r->best, r->map, r->s->plan->topo.n_nodes * sizeof *r->best);
}

static int begin(struct replan *r, struct loom_cycles_search *s, struct loom_err *err)
{
	const uint32_t n_nodes = s->plan->topo.n_nodes;
	*r = (struct replan){.s = s, .options = *s->options};
	r->options.objective = NULL;
	r->options.map = NULL;
	r->options.planner = s->planner->name;
	r->options.budget_seconds = 0;
	r->options.most_steps = PLAN_STEPS;
	r->options.progress = NULL;
	r->options.pair_routes = r->pairs;
	r->n_bits = s->plan->topo.kind->complements_bits && s->pattern->n_lccs > 0 ? s->plan->topo.n_dims : 0;
	r->map = calloc(n_nodes, sizeof *r->map);
	r->best = calloc(n_nodes, sizeof *r->best);
	if (!r->map || !r->best)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a map of %u nodes", n_nodes);
	memcpy(r->map, s->plan->map, n_nodes * sizeof *r->map);
	return 0;
}

// Replaces the plan with which the search began by the best plan. Keeps the notes on how the first plan was found.
static int take(struct replan *r, struct loom_err *err)
{
	bool is_made = false;
	memcpy(r->map, r->best, r->s->plan->topo.n_nodes * sizeof *r->map);
	r->options.stopped = NULL; // this plan could be made before
	int code = plan_anew(&is_made, r, err);
	if (code)
		return code;
	if (!is_made)
		return loom_fail(err, LOOM_EINTERNAL, "planner %s does not plan the same map twice",
		                 r->s->planner->name);
	const struct loom_plan old = *r->s->plan;
	r->tried.making->contest = old.making->contest;
	r->tried.making->placement = old.making->placement;
	*r->s->plan = r->tried;
	r->tried = old;
	return 0;
}

int loom_cycles_replan(struct loom_cycles_search *s, struct loom_err *err)
{
	struct replan r;
	int code = begin(&r, s, err);
	const struct loom_change change = {.make = make, .undo = undo, .user = &r};
	struct loom_descent *d = &s->descent;
	d->plan = &r.tried;
	d->steps = r.steps = PLAN_COSTS * loom_descent_steps(s->plan);
	if ((s->planner->searches || s->plan->n_passes > s->plan->n_members) && d->steps < PLAN_STEPS)
		d->steps = PLAN_STEPS;
	d->better = better;
	d->user = &r;
	if (code == 0 && s->plan->topo.n_nodes > 1)
		code = loom_descent_run(d, &change, 1, err);
	if (code == 0 && r.has_better)
		code = take(&r, err);
	d->plan = s->plan;
	d->better = NULL;
	loom_plan_free(&r.tried);
	loom_pair_routes_free(&r.pairs[0]);
	loom_pair_routes_free(&r.pairs[1]);
	free(r.map);
	free(r.best);
	return code;
}
