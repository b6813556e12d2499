// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans on a placement that is to be found, or that a file has: always compared with the one row by row.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/placement/placement.h"
#include "plan/plan_internal.h"

#define STEPS 20000000 // loads changed, if there is no budget
#define STARTS 3       // row by row, greedy, Scotch
#define PLANS 6        // made of one search, at most: what a budget is shared by

struct place {
	const struct loom_topo *topo;
	const struct loom_pattern *pattern;
	const struct loom_plan_options *options; // the caller's
	struct loom_plan_options of_plan;        // the same, with a plan's share of the budget
	struct loom_task_graph graph;
	struct loom_place_net net;
	struct loom_place_routes routes;
	uint32_t *map;          // owned, scratch
	struct loom_plan best;  // n_passes 0: none yet
	uint64_t flits, on_all; // of the best: on the busiest link, on all
	uint64_t row_major;     // LOOM_FLITS_UNKNOWN: there can be no such plan
	struct loom_err why;    // the first plan that could not be made
	int rc;
};

uint64_t loom_plan_placed_flits(uint64_t *on_all, const struct loom_plan *plan, uint64_t *load)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo), channel;
	uint64_t sum = 0, most = 0;
	*on_all = 0;
	memset(load, 0, n_channels * sizeof *load);
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
	return sum + most;
}

static void tell(const struct place *p)
{
	char text[120], before[40] = "";
	if (p->row_major != LOOM_FLITS_UNKNOWN)
		(void)snprintf(before, sizeof before, "; row by row %" PRIu64, p->row_major);
	(void)snprintf(text, sizeof text, "placed: %" PRIu64 " flits on the busiest link%s", p->flits, before);
	if (p->options->progress)
		p->options->progress(p->options->user, text);
}

// Makes the plan on p->map; the better one stays. *flits_out (may be NULL): its flits, LOOM_FLITS_UNKNOWN if there can
// be no such plan.
static int enter(struct place *p, uint64_t *flits_out, struct loom_err *err)
{
	struct loom_plan plan;
	struct loom_err why = {0};
	uint64_t flits = LOOM_FLITS_UNKNOWN, on_all = 0;
	int rc = loom_plan_make_on(&plan, p->topo, p->pattern, &p->of_plan, p->map, &why);
	if (rc == 0) {
		uint64_t *load = calloc(loom_topo_channels(p->topo), sizeof *load);
		if (!load) {
			loom_plan_free(&plan);
			return loom_fail(err, LOOM_ENOMEM, "out of memory for the loads of a placement");
		}
		flits = loom_plan_placed_flits(&on_all, &plan, load);
		free(load);
		if (p->best.n_passes == 0 || flits < p->flits || (flits == p->flits && on_all < p->on_all)) {
			loom_plan_free(&p->best);
			p->best = plan;
			p->flits = flits;
			p->on_all = on_all;
		} else {
			loom_plan_free(&plan);
		}
	} else if (rc == LOOM_EINPUT) { // such as a pass that can lock: another placement may do
		if (p->rc == 0)
			p->why = why;
		p->rc = rc;
		rc = 0;
	} else if (err) {
		*err = why;
	}
	if (flits_out)
		*flits_out = flits;
	return rc;
}

static void row_major(struct place *p)
{
	for (uint32_t v = 0; v < p->topo->n_nodes; v++)
		p->map[v] = v;
}

// How messages will go, as far as the first plan tells.
static void learn_routes(struct place *p)
{
	p->routes = (struct loom_place_routes){.rule = LOOM_RULE_ASCENDING};
	if (p->best.n_passes == 0 || p->best.n_messages == 0)
		return;
	p->routes.chosen = p->best.routes.n != 0;
	p->routes.rule = (enum loom_rule)p->best.messages[0].rule;
}

static int make_start(struct place *p, unsigned start, struct loom_err *err)
{
	row_major(p);
	if (start == 1)
		return loom_place_greedy(p->map, &p->graph, &p->net, err);
	return start == 2 ? loom_place_scotch(p->map, &p->graph, &p->net, err) : 0;
}

static int refine(struct place *p, double heat, struct loom_budget *budget, unsigned parts, struct loom_rng *rng,
                  struct loom_err *err)
{
	struct loom_place_found found;
	struct loom_budget share = loom_budget_share(budget, parts), spent = share;
	int rc = loom_place_refine(p->map, &found, &p->graph, &p->net, &p->routes, heat, &spent, rng, err);
	loom_budget_give_back(budget, &share, &spent);
	if (rc == 0)
		rc = enter(p, NULL, err);
	if (rc == 0)
		tell(p);
	return rc;
}

// From each start the nearest good placement; then from the best of these one farther away, and the nearest to that.
static int search(struct place *p, struct loom_err *err)
{
	struct loom_plan_options timed = *p->options;
	struct loom_budget budget;
	struct loom_rng rng;
	int rc = 0;
	timed.budget_seconds /= 2; // the other half is the plans'
	loom_budget_begin(&budget, &timed, STEPS);
	loom_rng_init(&rng, 1);
	for (unsigned start = 0; rc == 0 && start < STARTS; start++) {
		rc = make_start(p, start, err);
		if (rc == 0)
			rc = refine(p, 0.02, &budget, 2 * (STARTS - start), &rng, err);
	}
	static const double heat[] = {0.3, 0.01};
	for (unsigned k = 0; rc == 0 && p->best.n_passes != 0 && k < 2; k++) {
		memcpy(p->map, p->best.map, p->topo->n_nodes * sizeof *p->map);
		rc = refine(p, heat[k], &budget, k == 0 ? 2 : 1, &rng, err);
	}
	return rc;
}

static int begin(struct place *p, bool is_found, struct loom_err *err)
{
	p->map = calloc(p->topo->n_nodes, sizeof *p->map);
	if (!p->map)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a map of %" PRIu32 " nodes", p->topo->n_nodes);
	p->of_plan.budget_seconds /= is_found ? 2 * PLANS : 2;
	int rc = is_found ? loom_place_net_make(&p->net, p->topo, err) : 0;
	if (rc == 0 && is_found)
		rc = loom_task_graph_make(&p->graph, p->pattern, err);
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
	loom_plan_free(&p->best); // row by row was to compare with
	int rc = strcmp(how, "greedy") == 0 ? loom_place_greedy(p->map, &p->graph, &p->net, err)
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
	if (rc == 0)
		rc = begin(&p, !is_file, err);
	if (rc == 0)
		rc = place(&p, how, err);
	if (rc == 0 && p.best.n_passes == 0) {
		rc = p.rc;
		if (err)
			*err = p.why;
	}
	if (rc == 0) {
		(void)snprintf(p.best.placement.how, sizeof p.best.placement.how, "%s", is_file ? "file" : how);
		p.best.placement.flits = p.flits;
		p.best.placement.row_major_flits = p.row_major;
		*out = p.best;
		p.best = (struct loom_plan){0};
	}
	loom_plan_free(&p.best);
	loom_task_graph_free(&p.graph);
	loom_place_net_free(&p.net);
	free(p.map);
	return rc;
}
