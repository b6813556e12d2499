// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Local search that minimises the largest load of a link. Two tasks exchange their nodes, and their messages are
// routed anew. The exchange stays if it is better, and now and then (simulated annealing) if it is not.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "plan/placement/placement.h"

#define STAGES 24                       // of equal length, each colder than the one before
#define SAMPLES 64                      // exchanges that tell how warm it has to be at first
#define COLDEST 1e-3                    // of the first stage's temperature
#define FIRST_LOOK 2000                 // steps of a stage before the first look at the clock
#define ROUTES_MOST (UINT64_C(1) << 26) // channels of all routes, kept where they are chosen

struct refine {
	const struct loom_task_graph *graph;
	const struct loom_place_net *net;
	struct loom_place_routes routes;
	struct loom_budget *budget;
	struct loom_rng *rng;
	uint32_t per_tile;
	size_t n_channels;
	uint32_t longest;  // links of a route
	uint32_t *map;     // the caller's
	uint32_t *task_at; // owned, [node]
	uint64_t *load;    // owned, [member * n_channels + channel], flits
	// If routes are chosen, edge e has the route_length[e] channels from route[e * longest] on. old_route and
	// old_length hold the routes that an exchange has changed. Owned.
	uint32_t *route, *route_length, *old_route, *old_length;
	uint32_t *touched; // owned: edges of the exchange under way
	size_t n_touched;
	double cost, scale;
	uint64_t updates;                 // of loads, since they were last gone through
	uint32_t *best;                   // owned: the best map so far
	uint64_t best_flits, least_flits; // no placement has less than least_flits
	double best_cost;
	struct loom_arrays arrays; // owns the arrays
};

// The cost of a load: 1 if it is as large as `scale`, and next to nothing if it is small.
static double cost_of(const struct refine *r, uint64_t load)
{
	double x = (double)load * r->scale, x2 = x * x, x4 = x2 * x2;
	return x4 * x4 + 1e-4 * x;
}

static void change(struct refine *r, uint32_t member, uint32_t channel, uint64_t flits, bool adds)
{
	uint64_t *load = &r->load[member * r->n_channels + channel];
	double before = cost_of(r, *load);
	*load = adds ? *load + flits : *load - flits;
	r->cost += cost_of(r, *load) - before;
	r->updates++;
	(void)loom_budget_spend(r->budget, 1);
}

// ---- Routes ----

static void walk_by_rule(struct refine *r, const struct loom_task_edge *e, bool adds)
{
	struct loom_route route;
	uint32_t channel;
	loom_route_begin(&route, r->net->topo, r->map[e->from], r->map[e->to], r->routes.rule);
	while (loom_route_next(&route, &channel))
		if (!loom_topo_is_local(r->net->topo, channel))
			change(r, e->member, channel, e->flits, adds);
}

// Node by node by the link with the least load of those that lead nearer.
static void choose_route(struct refine *r, uint32_t edge)
{
	const struct loom_place_net *net = r->net;
	const struct loom_task_edge *e = &r->graph->edge[edge];
	const uint64_t *load = r->load + e->member * r->n_channels;
	uint32_t at = r->map[e->from], to = r->map[e->to], *route = r->route + (size_t)edge * r->longest, n = 0;
	while (at != to) {
		uint32_t best = UINT32_MAX, next = 0;
		unsigned start = (unsigned)loom_rng_below(r->rng, net->n_links);
		for (unsigned k = 0; k < net->n_links; k++) {
			unsigned p = (start + k) % net->n_links;
			uint32_t v = net->neighbour[(size_t)at * net->n_links + p], channel = at * r->per_tile + p;
			if (v == UINT32_MAX ||
			    net->hops[(size_t)v * net->n_nodes + to] >= net->hops[(size_t)at * net->n_nodes + to])
				continue;
			if (best == UINT32_MAX || load[channel] < load[best]) {
				best = channel;
				next = v;
			}
		}
		route[n++] = best;
		at = next;
	}
	r->route_length[edge] = n;
}

static void walk_kept(struct refine *r, uint32_t edge, bool adds)
{
	const struct loom_task_edge *e = &r->graph->edge[edge];
	for (uint32_t k = 0; k < r->route_length[edge]; k++)
		change(r, e->member, r->route[(size_t)edge * r->longest + k], e->flits, adds);
}

static void lift(struct refine *r, uint32_t edge)
{
	if (r->routes.chosen)
		walk_kept(r, edge, false);
	else
		walk_by_rule(r, &r->graph->edge[edge], false);
}

static void lay(struct refine *r, uint32_t edge)
{
	if (!r->routes.chosen) {
		walk_by_rule(r, &r->graph->edge[edge], true);
		return;
	}
	choose_route(r, edge);
	walk_kept(r, edge, true);
}

// ---- Exchanges ----

static void swap_tasks(struct refine *r, uint32_t a, uint32_t b)
{
	uint32_t node = r->map[a];
	r->map[a] = r->map[b];
	r->map[b] = node;
	r->task_at[r->map[a]] = a;
	r->task_at[r->map[b]] = b;
}

// The edges of both tasks, those between them once.
static void touch(struct refine *r, uint32_t a, uint32_t b)
{
	const struct loom_task_graph *g = r->graph;
	r->n_touched = 0;
	for (size_t k = g->first[a]; k < g->first[a + 1]; k++)
		r->touched[r->n_touched++] = g->incident[k];
	for (size_t k = g->first[b]; k < g->first[b + 1]; k++) {
		const struct loom_task_edge *e = &g->edge[g->incident[k]];
		if (e->from != a && e->to != a)
			r->touched[r->n_touched++] = g->incident[k];
	}
}

static void exchange(struct refine *r, uint32_t a, uint32_t b)
{
	touch(r, a, b);
	for (size_t k = 0; k < r->n_touched; k++) {
		uint32_t e = r->touched[k];
		if (r->routes.chosen) {
			r->old_length[k] = r->route_length[e];
			memcpy(r->old_route + k * r->longest, r->route + (size_t)e * r->longest,
			       r->route_length[e] * sizeof *r->route);
		}
		lift(r, e);
	}
	swap_tasks(r, a, b);
	for (size_t k = 0; k < r->n_touched; k++)
		lay(r, r->touched[k]);
}

// Restores the state before the exchange.
static void take_back(struct refine *r, uint32_t a, uint32_t b)
{
	for (size_t k = 0; k < r->n_touched; k++)
		lift(r, r->touched[k]);
	swap_tasks(r, a, b);
	for (size_t k = 0; k < r->n_touched; k++) {
		uint32_t e = r->touched[k];
		if (!r->routes.chosen) {
			lay(r, e);
			continue;
		}
		r->route_length[e] = r->old_length[k];
		memcpy(r->route + (size_t)e * r->longest, r->old_route + k * r->longest,
		       r->old_length[k] * sizeof *r->route);
		walk_kept(r, e, true);
	}
}

// Chooses two tasks to exchange. The first is an end of some edge; the second is any other task, or one beside the
// other end.
static void choose_tasks(struct refine *r, uint32_t *a, uint32_t *b)
{
	const struct loom_task_graph *g = r->graph;
	const struct loom_task_edge *e = &g->edge[loom_rng_below(r->rng, g->n_edges)];
	bool from = loom_rng_next(r->rng) & 1;
	uint32_t near = r->map[from ? e->to : e->from], beside;
	*a = from ? e->from : e->to;
	*b = (uint32_t)loom_rng_below(r->rng, g->n_tasks);
	if (loom_rng_next(r->rng) & 1) {
		beside = r->net->neighbour[(size_t)near * r->net->n_links + loom_rng_below(r->rng, r->net->n_links)];
		if (beside != UINT32_MAX)
			*b = r->task_at[beside];
	}
}

// ---- The search ----

// Flits on the busiest link, summed over the members; and the cost, worked out anew.
static uint64_t look(struct refine *r)
{
	uint64_t sum = 0, largest = 0;
	for (uint32_t m = 0; m < r->graph->n_members; m++) {
		uint64_t most = 0;
		for (size_t c = 0; c < r->n_channels; c++)
			if (r->load[m * r->n_channels + c] > most)
				most = r->load[m * r->n_channels + c];
		sum += most;
		largest = most > largest ? most : largest;
	}
	r->scale = largest ? 1.0 / (double)largest : 1;
	r->cost = 0;
	for (size_t c = 0; c < r->graph->n_members * r->n_channels; c++)
		r->cost += cost_of(r, r->load[c]);
	r->updates = 0;
	return sum;
}

static void look_and_keep(struct refine *r)
{
	uint64_t flits = look(r);
	if (flits > r->best_flits || (flits == r->best_flits && r->cost >= r->best_cost))
		return;
	r->best_flits = flits;
	r->best_cost = r->cost;
	memcpy(r->best, r->map, r->graph->n_tasks * sizeof *r->best);
}

// The usual change of the cost by an exchange, either way.
static double usual_change(struct refine *r)
{
	double sum = 0;
	unsigned n = 0;
	for (unsigned i = 0; i < SAMPLES && r->budget->steps_left; i++) {
		uint32_t a, b;
		double before = r->cost;
		choose_tasks(r, &a, &b);
		if (a == b)
			continue;
		exchange(r, a, b);
		sum += fabs(r->cost - before);
		n++;
		take_back(r, a, b);
	}
	return n ? sum / n : 0;
}

static double below_one(struct loom_rng *rng)
{
	return (double)(loom_rng_next(rng) >> 11) * 0x1p-53;
}

static void run_stage(struct refine *r, double temperature)
{
	while (r->budget->steps_left && r->best_flits > r->least_flits) {
		uint32_t a, b;
		double before = r->cost;
		choose_tasks(r, &a, &b);
		(void)loom_budget_spend(r->budget, 1);
		if (a == b)
			continue;
		exchange(r, a, b);
		double worse = r->cost - before;
		if (worse > 0 && (temperature <= 0 || below_one(r->rng) >= exp(-worse / temperature)))
			take_back(r, a, b);
		if (r->updates > 4 * (uint64_t)r->n_channels * r->graph->n_members)
			look_and_keep(r);
	}
	look_and_keep(r);
}

static void search(struct refine *r, double heat)
{
	struct loom_budget *whole = r->budget, share, spent;
	double first = usual_change(r) * heat, temperature = first;
	for (unsigned k = 0; k < STAGES && whole->steps_left && r->best_flits > r->least_flits; k++) {
		spent = share = loom_budget_share(whole, STAGES - k);
		if (spent.has_deadline && spent.steps_left > FIRST_LOOK)
			spent.steps_left = FIRST_LOOK;
		r->budget = &spent;
		run_stage(r, temperature);
		r->budget = whole;
		loom_budget_give_back(whole, &share, &spent);
		temperature = first * pow(COLDEST, (double)(k + 1) / (STAGES - 1));
	}
}

// Finds least_flits: the flits that a task sends leave its node by at most n_links links, those that it gets come by as
// many, and each message takes one of them.
static bool find_least(struct refine *r)
{
	const struct loom_task_graph *g = r->graph;
	size_t n = (size_t)g->n_members * g->n_tasks;
	uint64_t *out = calloc(2 * n + g->n_members, sizeof *out), *in = out + n, *most = in + n;
	if (!out)
		return false;
	for (size_t i = 0; i < g->n_edges; i++) {
		const struct loom_task_edge *e = &g->edge[i];
		size_t of = (size_t)e->member * g->n_tasks;
		out[of + e->from] += e->flits;
		in[of + e->to] += e->flits;
		uint64_t whole = r->routes.chosen ? e->longest : e->flits;
		most[e->member] = whole > most[e->member] ? whole : most[e->member];
	}
	for (uint32_t m = 0; m < g->n_members; m++) {
		for (size_t k = (size_t)m * g->n_tasks; k < ((size_t)m + 1) * g->n_tasks; k++) {
			uint64_t more = out[k] > in[k] ? out[k] : in[k],
				 of_link = (more + r->net->n_links - 1) / r->net->n_links;
			most[m] = of_link > most[m] ? of_link : most[m];
		}
		r->least_flits += most[m];
	}
	free(out);
	return true;
}

static bool begin(struct refine *r)
{
	const struct loom_task_graph *g = r->graph;
	size_t nodes = r->net->n_nodes, touched = 0;
	for (size_t i = 0; i < nodes * nodes; i++)
		if (r->net->hops[i] > r->longest)
			r->longest = r->net->hops[i];
	for (uint32_t t = 0; t < g->n_tasks; t++) // of two tasks, each no more than the most
		if (g->first[t + 1] - g->first[t] > touched)
			touched = g->first[t + 1] - g->first[t];
	touched *= 2;
	r->routes.chosen = r->routes.chosen && (uint64_t)g->n_edges * r->longest <= ROUTES_MOST;
	LOOM_ARRAY(&r->arrays, r->task_at, nodes);
	LOOM_ARRAY(&r->arrays, r->load, g->n_members * r->n_channels);
	LOOM_ARRAY(&r->arrays, r->touched, touched + 1);
	LOOM_ARRAY(&r->arrays, r->best, nodes);
	if (r->routes.chosen) {
		LOOM_ARRAY(&r->arrays, r->route, g->n_edges * r->longest + 1);
		LOOM_ARRAY(&r->arrays, r->route_length, g->n_edges + 1);
		LOOM_ARRAY(&r->arrays, r->old_route, touched * r->longest + 1);
		LOOM_ARRAY(&r->arrays, r->old_length, touched + 1);
		if (r->arrays.is_short)
			return false;
	}
	if (r->arrays.is_short || !find_least(r))
		return false;
	for (uint32_t t = 0; t < g->n_tasks; t++)
		r->task_at[r->map[t]] = t;
	for (size_t e = 0; e < g->n_edges; e++)
		lay(r, (uint32_t)e);
	r->best_flits = UINT64_MAX;
	look_and_keep(r);
	return true;
}

int loom_place_refine(uint32_t *map, struct loom_place_found *found, const struct loom_place_scene *scene, double heat,
                      struct loom_budget *budget, struct loom_rng *rng, struct loom_err *err)
{
	const struct loom_task_graph *graph = &scene->graph;
	const struct loom_place_net *net = &scene->net;
	struct refine r = {
		.graph = graph,
		.net = net,
		.routes = scene->routes,
		.budget = budget,
		.rng = rng,
		.per_tile = loom_topo_channels_per_tile(net->topo),
		.n_channels = loom_topo_channels(net->topo),
		.map = map,
		.scale = 1,
	};
	int rc = 0;
	if (!begin(&r)) {
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a placement of %" PRIu32 " tasks", graph->n_tasks);
	} else {
		if (graph->n_edges != 0 && graph->n_tasks > 1)
			search(&r, heat);
		memcpy(map, r.best, graph->n_tasks * sizeof *map);
		found->flits = r.best_flits;
		found->least = r.least_flits;
	}
	loom_arrays_free(&r.arrays);
	return rc;
}
