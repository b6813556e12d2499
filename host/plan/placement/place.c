// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans on a placement that is searched for, or read from a file. It is always compared with the placement row by row.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/planner.h>
#include <flitloom/routes/pair_routes.h>

#include "base/clock.h"
#include "plan/cycles/objective.h"
#include "plan/placement/placement.h"
#include "plan/plan_internal.h"

#define STARTS 3 // row by row, greedy, Scotch
// The search goes in laps. Each lap does the same with twice the steps of the lap before.
#define LAPS 5                   // laps if there is no budget
#define LAPS_MOST 30             // the most laps if there is a budget
#define REFINE_STEPS 250000      // loads changed by each refinement of the first lap
#define PLAN_STEPS 1000000       // steps of a planner for each plan of the first lap
#define LAST_PLAN_STEPS 32000000 // of the bound of what was found
#define FEW_STEPS 20000          // of each plan whose flits follow from its map alone
#define SEARCH_SHARE 0.85        // of the budget; the bound has the rest

// A plan is better if it has less in the first field that differs.
struct placed_cost {
	uint64_t flits;  // on the busiest link
	uint64_t cycles; // LOOM_CYCLES_UNKNOWN: the machine gives none
	uint64_t on_all; // flits, on all links
};

struct place {
	const struct loom_topo *topo;
	const struct loom_pattern *pattern;
	const struct loom_plan_options *options; // the caller's
	struct loom_plan_options of_plan;        // options of the plans on the way
	struct loom_pair_routes pairs[2];        // owned: for those options
	struct loom_place_scene scene;           // owned
	uint32_t *map;                           // owned, scratch
	struct loom_plan best;                   // n_passes 0: none yet
	struct placed_cost cost;                 // of the best
	uint64_t row_major;                      // LOOM_FLITS_UNKNOWN: there can be no such plan
	struct loom_err why;                     // the first plan that could not be made
	int rc;
	bool flits_follow; // the flits follow from the map, whatever the planner searches for
	bool has_end;      // there is a budget
	double began;      // loom_clock_s
	double seconds;    // the time after which the search is over
	bool is_over;      // stopped by the clock or by the caller: a plan under way does not count then
};

// True if a search must stop: the caller asks for it, or the time is up and there is already a plan.
static bool is_stopped(void *user)
{
	struct place *p = user;
	const struct loom_plan_options *o = p->options;
	p->is_over = p->is_over || (o->stopped && o->stopped(o->user)) ||
	             (p->has_end && p->best.n_passes != 0 && loom_clock_s() - p->began >= p->seconds);
	return p->is_over;
}

static void forward(void *user, const char *text)
{
	const struct loom_plan_options *o = ((const struct place *)user)->options;
	if (o->progress)
		o->progress(o->user, text);
}

int loom_plan_placed_flits(uint64_t *on_busiest, uint64_t *on_all, const struct loom_plan *plan, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo), channel;
	uint64_t sum = 0, most = 0, *load = calloc(n_channels, sizeof *load);
	if (!load)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the loads of a placement");
	*on_all = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		struct loom_route route;
		if (i > 0 && m->pass != plan->messages[i - 1].pass) {
			memset(load, 0, n_channels * sizeof *load);
			sum += most;
			most = 0;
		}
		for (loom_plan_route_begin(&route, plan, i); loom_route_next(&route, &channel);) {
			load[channel] += m->flits;
			*on_all += m->flits;
			if (load[channel] > most && !loom_topo_is_local(&plan->topo, channel))
				most = load[channel];
		}
	}
	free(load);
	*on_busiest = sum + most;
	return 0;
}

static void tell(struct place *p)
{
	char text[120], before[40] = "";
	if (p->row_major != LOOM_FLITS_UNKNOWN)
		(void)snprintf(before, sizeof before, "; row by row %" PRIu64, p->row_major);
	(void)snprintf(text, sizeof text, "placed: %" PRIu64 " flits on the busiest link%s", p->cost.flits, before);
	forward(p, text);
}

static int count_cost(struct placed_cost *out, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_err why = {0};
	int rc = loom_plan_placed_flits(&out->flits, &out->on_all, plan, err);
	if (rc != 0)
		return rc;
	rc = loom_objective_count(&out->cycles, plan, &why);
	if (rc == LOOM_ENOMEM)
		return loom_fail(err, rc, "%s", why.text);
	if (rc != 0)
		out->cycles = LOOM_CYCLES_UNKNOWN;
	return 0;
}

static bool is_less(const struct placed_cost *a, const struct placed_cost *b)
{
	if (a->flits != b->flits)
		return a->flits < b->flits;
	return a->cycles != b->cycles ? a->cycles < b->cycles : a->on_all < b->on_all;
}

// Makes the plan on p->map, and keeps the better of it and the best so far. A plan whose search was cut short counts
// only if there is no other, so more time never gives a worse plan. *flits_out (may be NULL): its flits;
// LOOM_FLITS_UNKNOWN: no such plan is possible.
static int enter(struct place *p, uint64_t *flits_out, struct loom_err *err)
{
	struct loom_plan plan;
	struct loom_err why = {0};
	struct placed_cost cost = {.flits = LOOM_FLITS_UNKNOWN};
	int rc = loom_plan_make_on(&plan, p->topo, p->pattern, &p->of_plan, p->map, &why);
	if (rc == 0 && p->is_over && p->best.n_passes != 0) {
		loom_plan_free(&plan);
	} else if (rc == 0) {
		rc = count_cost(&cost, &plan, err);
		if (rc == 0 && (p->best.n_passes == 0 || is_less(&cost, &p->cost))) {
			loom_plan_free(&p->best);
			p->best = plan;
			p->cost = cost;
		} else {
			loom_plan_free(&plan);
		}
	} else if (rc == LOOM_EINPUT) { // for instance a pass that can lock: another placement may do
		if (p->rc == 0)
			p->why = why;
		p->rc = rc;
		rc = 0;
	} else if (err) {
		*err = why;
	}
	if (flits_out)
		*flits_out = cost.flits;
	return rc;
}

static void row_major(struct place *p)
{
	for (uint32_t v = 0; v < p->topo->n_nodes; v++)
		p->map[v] = v;
}

// Takes from the first plan how messages are routed.
static void learn_routes(struct place *p)
{
	p->scene.routes = (struct loom_place_routes){.rule = LOOM_RULE_ASCENDING};
	if (p->best.n_passes == 0 || p->best.n_messages == 0)
		return;
	p->scene.routes.chosen = p->best.routes.n != 0;
	p->scene.routes.rule = (enum loom_rule)p->best.messages[0].rule;
}

static int make_start(struct place *p, unsigned start, struct loom_err *err)
{
	row_major(p);
	if (start == 1)
		return loom_place_greedy(p->map, &p->scene.graph, &p->scene.net, err);
	return start == 2 ? loom_place_scotch(p->map, &p->scene.graph, &p->scene.net, err) : 0;
}

// Refines p->map, and plans on it. *least: no placement has fewer flits.
static int refine(struct place *p, double heat, uint64_t n_steps, uint64_t *least, struct loom_rng *rng,
                  struct loom_err *err)
{
	struct loom_place_found found;
	struct loom_budget steps;
	loom_budget_begin(&steps, &(struct loom_plan_options){.stopped = is_stopped, .user = p}, n_steps);
	int rc = loom_place_refine(p->map, &found, &p->scene, heat, &steps, rng, err);
	if (rc != 0 || (p->is_over && p->best.n_passes != 0))
		return rc;
	*least = found.least;
	rc = enter(p, NULL, err);
	if (rc == 0)
		tell(p);
	return rc;
}

// Finds the nearest good placement from each start. Then goes from the best one to a placement farther away, and finds
// the nearest good placement there.
static int run_lap(struct place *p, unsigned lap, uint64_t *least, struct loom_rng *rng, struct loom_err *err)
{
	static const double heat[] = {0.3, 0.01};
	uint64_t n_steps = (uint64_t)REFINE_STEPS << lap;
	int rc = 0;
	if (!p->flits_follow)
		p->of_plan.most_steps = (uint64_t)PLAN_STEPS << lap;
	for (unsigned start = 0; rc == 0 && !p->is_over && start < STARTS; start++) {
		rc = make_start(p, start, err);
		if (rc == 0)
			rc = refine(p, 0.02, n_steps, least, rng, err);
	}
	for (unsigned k = 0; rc == 0 && !p->is_over && p->best.n_passes != 0 && k < 2; k++) {
		memcpy(p->map, p->best.map, p->topo->n_nodes * sizeof *p->map);
		rc = refine(p, heat[k], n_steps, least, rng, err);
	}
	return rc;
}

// True if the plan loads some link with more than its lower bound, so that a better bound is worth looking for.
static bool bound_is_open(const struct loom_plan *plan, uint64_t flits)
{
	uint32_t most = 0;
	for (uint32_t m = 0; m < plan->n_members; m++)
		most = plan->member_contention[m] > most ? plan->member_contention[m] : most;
	bool is_met = plan->lower_bound_flits ? plan->lower_bound_flits >= flits : plan->lower_bound >= most;
	return plan->bound == LOOM_BOUND_MINIMAL && !is_met;
}

static void allow_rest(struct place *p)
{
	p->seconds = p->options->budget_seconds;
	p->is_over = false;
}

// Plans on the best map again, with all the steps that the planner takes by default.
static int plan_last(struct place *p, struct loom_err *err)
{
	struct loom_plan again;
	allow_rest(p);
	p->of_plan.most_steps = p->options->most_steps;
	p->of_plan.budget_seconds = (1 - SEARCH_SHARE) * p->options->budget_seconds;
	int rc = loom_plan_make_on(&again, p->topo, p->pattern, &p->of_plan, p->best.map, err);
	if (rc != 0)
		return rc;
	if (p->is_over && !p->has_end) { // stopped by the caller, so this plan may be worse
		loom_plan_free(&again);
		return 0;
	}
	loom_plan_free(&p->best);
	p->best = again;
	return 0;
}

// Raises the lower bound if a search can. The plan stays unchanged.
static int find_bound(struct place *p, struct loom_err *err)
{
	struct loom_plan again;
	allow_rest(p);
	p->of_plan.most_steps = LAST_PLAN_STEPS;
	int rc = loom_plan_make_on(&again, p->topo, p->pattern, &p->of_plan, p->best.map, err);
	if (rc != 0)
		return rc == LOOM_EINPUT ? 0 : rc;
	if (again.detours == p->best.detours && again.lower_bound > p->best.lower_bound)
		p->best.lower_bound = again.lower_bound;
	if (again.detours == p->best.detours && again.lower_bound_flits > p->best.lower_bound_flits)
		p->best.lower_bound_flits = again.lower_bound_flits;
	loom_plan_free(&again);
	return 0;
}

// Searches laps until the budget ends. The budget does not change the order of the search, only its end.
static int search(struct place *p, struct loom_err *err)
{
	struct loom_rng rng;
	uint64_t least = 0;
	int rc = 0;
	loom_rng_init(&rng, 1);
	for (unsigned lap = 0; rc == 0 && lap < (p->has_end ? LAPS_MOST : LAPS) && !p->is_over; lap++) {
		rc = run_lap(p, lap, &least, &rng, err);
		if (p->best.n_passes == 0 || p->cost.flits <= least)
			break;
	}
	bool is_stopped_by_caller = p->is_over && !p->has_end;
	if (rc != 0 || is_stopped_by_caller || p->best.n_passes == 0)
		return rc;
	if (p->flits_follow)
		return plan_last(p, err);
	return bound_is_open(&p->best, p->cost.flits) ? find_bound(p, err) : 0;
}

static int begin(struct place *p, const char *how, struct loom_err *err)
{
	bool is_search = strcmp(how, "search") == 0, is_found = !loom_plan_map_is_file(how);
	p->map = calloc(p->topo->n_nodes, sizeof *p->map);
	if (!p->map)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a map of %" PRIu32 " nodes", p->topo->n_nodes);
	if (is_search) { // the planner counts steps, and the clock is read between plans
		p->has_end = p->of_plan.budget_seconds > 0;
		p->began = loom_clock_s();
		p->seconds = SEARCH_SHARE * p->of_plan.budget_seconds;
		p->of_plan.budget_seconds = 0;
		p->of_plan.most_steps = p->flits_follow ? FEW_STEPS : PLAN_STEPS;
		p->of_plan.stopped = is_stopped;
		p->of_plan.progress = forward;
		p->of_plan.user = p;
		p->of_plan.pair_routes = p->pairs;
	} else {
		p->of_plan.budget_seconds /= 2; // half for row by row, half for the placement asked for
	}
	int rc = is_found ? loom_place_net_make(&p->scene.net, p->topo, err) : 0;
	if (rc == 0 && is_found)
		rc = loom_task_graph_make(&p->scene.graph, p->pattern, err);
	if (rc != 0)
		return rc;
	row_major(p);
	return enter(p, &p->row_major, err);
}

static int place(struct place *p, const char *how, struct loom_err *err)
{
	if (strcmp(how, "search") == 0) {
		learn_routes(p);
		return search(p, err);
	}
	loom_plan_free(&p->best); // it was only for comparison
	int rc = strcmp(how, "greedy") == 0 ? loom_place_greedy(p->map, &p->scene.graph, &p->scene.net, err)
	                                    : loom_plan_read_places(p->map, p->topo, how, err);
	p->rc = 0;
	return rc == 0 ? enter(p, NULL, err) : rc;
}

int loom_plan_make_placed(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                          const struct loom_plan_options *options, struct loom_err *err)
{
	struct place p = {.topo = topo, .pattern = pattern, .options = options, .of_plan = *options};
	const struct loom_planner *planner;
	const char *how = options->map;
	bool is_file = loom_plan_map_is_file(how);
	int rc = loom_plan_choose(&planner, topo, pattern, options, err);
	p.flits_follow = rc == 0 && planner->loads_follow;
	if (rc == 0)
		rc = begin(&p, how, err);
	if (rc == 0)
		rc = place(&p, how, err);
	if (rc == 0 && p.best.n_passes == 0) {
		rc = p.rc;
		if (err)
			*err = p.why;
	}
	if (rc == 0) {
		struct loom_plan_placement *placement = &p.best.making->placement;
		(void)snprintf(placement->how, sizeof placement->how, "%s", is_file ? "file" : how);
		placement->flits = p.cost.flits;
		placement->row_major_flits = p.row_major;
		*out = p.best;
		p.best = (struct loom_plan){0};
	}
	loom_plan_free(&p.best);
	loom_pair_routes_free(&p.pairs[0]);
	loom_pair_routes_free(&p.pairs[1]);
	loom_task_graph_free(&p.scene.graph);
	loom_place_net_free(&p.scene.net);
	free(p.map);
	return rc;
}
