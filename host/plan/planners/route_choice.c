// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses routes by search, and fits routes that are to run into the lanes of the fabric.
#include "plan/planners/route_choice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/virtual_networks.h>

#include "plan/routes/region.h"

// The receiver of a search's reports.
struct listener {
	const struct loom_plan_options *options;
	const char *unit;
};

static bool is_stopped(void *user)
{
	const struct loom_plan_options *o = ((const struct listener *)user)->options;
	return o->stopped && o->stopped(o->user);
}

static void tell(void *user, uint64_t contention, uint64_t lower_bound)
{
	const struct listener *l = user;
	const struct loom_plan_options *o = l->options;
	char text[80];
	(void)snprintf(text, sizeof text, "%" PRIu64 " %s on the busiest link, at least %" PRIu64, contention, l->unit,
	               lower_bound);
	if (o->progress)
		o->progress(o->user, text);
}

int loom_choice_search(struct loom_routes *out, struct loom_routes_found *found, const struct loom_choice *c,
                       uint32_t detours, double budget_seconds, struct loom_err *err)
{
	struct listener listener = {c->options, loom_load_unit_name(c->load)};
	const struct loom_routes_options options = {
		.load = c->load,
		.detours = detours,
		.seed = 1,
		.budget_seconds = budget_seconds,
		.most_steps = c->most_steps,
		.stopped = is_stopped,
		.progress = tell,
		.user = &listener,
	};
	return loom_routes_reroute(out, found, &c->plan->topo, c->messages, c->n, &options, err);
}

// True if a second search is likely: a search with detours then looks for shortest routes in the same time as the
// first.
static bool may_search_again(const struct loom_choice *c)
{
	return c->lane && c->detours && loom_box_has(&c->plan->topo);
}

double loom_choice_first_share(const struct loom_choice *c)
{
	return may_search_again(c) ? c->budget_seconds * 2 / 3 : c->budget_seconds;
}

// Finds the default routes of messages, and their lanes. On the rings of a torus these can lock.
static int usual_routes(struct loom_routes *out, uint32_t *lane, const struct loom_choice *c, struct loom_err *err)
{
	const struct loom_topo *topo = &c->plan->topo;
	struct loom_route route;
	uint32_t channel;
	size_t n_links = 0;
	for (size_t i = 0; i < c->n; i++)
		n_links +=
			loom_route_length(topo, c->messages[i].source, c->messages[i].destination, LOOM_RULE_ASCENDING);
	struct loom_routes routes = {.n = c->n,
	                             .first = calloc(c->n + 1, sizeof *routes.first),
	                             .channel = malloc((n_links + 1) * sizeof *routes.channel)};
	if (!routes.first || !routes.channel) {
		loom_routes_free(&routes);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages", c->n);
	}
	for (size_t i = 0; i < c->n; i++) {
		uint32_t from = c->messages[i].source, to = c->messages[i].destination;
		enum loom_rule rule = (enum loom_rule)loom_topo_rule(topo, from, to, LOOM_RULE_ASCENDING);
		size_t end = routes.first[i];
		lane[i] = loom_topo_network(topo, rule);
		loom_route_begin(&route, topo, from, to, rule);
		while (from != to && loom_route_next(&route, &channel))
			if (!loom_topo_is_local(topo, channel))
				routes.channel[end++] = channel;
		routes.first[i + 1] = end;
	}
	*out = routes;
	return 0;
}

// Takes over the routes in `other`, with their lanes, if they are better. Frees `other` in any case.
static int take_better(struct loom_choice *c, struct loom_routes *other, const uint32_t *lane, struct loom_err *err)
{
	uint64_t mine = 0, its = 0;
	int rc = loom_routes_contention(&mine, &c->routes, &c->plan->topo, c->messages, c->load, err);
	if (rc == 0)
		rc = loom_routes_contention(&its, other, &c->plan->topo, c->messages, c->load, err);
	if (rc == 0 && its < mine) {
		const struct loom_routes worse = c->routes;
		c->routes = *other;
		*other = worse;
		memcpy(c->lane, lane, c->n * sizeof *lane);
	}
	loom_routes_free(other);
	return rc;
}

// Counts the most hops by which a route is longer than a shortest one.
static int count_detours(uint32_t *out, const struct loom_routes *routes, const struct loom_choice *c,
                         struct loom_err *err)
{
	struct loom_region region;
	int rc = loom_region_init(&region, &c->plan->topo, c->messages, c->n, 0, err);
	if (rc != 0)
		return rc;
	*out = 0;
	for (size_t i = 0; i < c->n; i++) {
		loom_region_set(&region, &c->messages[i], 0);
		uint32_t n = (uint32_t)(routes->first[i + 1] - routes->first[i]) - loom_region_hops(&region);
		*out = n > *out ? n : *out;
	}
	loom_region_free(&region);
	return 0;
}

int loom_choice_keep_some(struct loom_choice *c, struct loom_err *err)
{
	struct loom_routes usual = {0};
	uint32_t *lane = malloc((c->n + 1) * sizeof *lane);
	int rc = lane ? usual_routes(&usual, lane, c, err)
	              : loom_fail(err, LOOM_ENOMEM, "out of memory for the lanes of %zu routes", c->n);
	uint32_t detours = 0;
	if (rc == 0)
		rc = count_detours(&detours, &usual, c, err);
	if (rc == 0 && detours <= LOOM_DETOURS_MAX) { // else the routes stay, and loom_deadlock_check reports the fault
		memcpy(c->lane, lane, c->n * sizeof *lane);
		rc = loom_routes_keep_lanes(&c->routes, c->lane, &usual, c->plan->topo.n_vcs, &c->plan->topo, err);
		if (rc == 0)
			rc = take_better(c, &usual, lane, err);
		if (rc == 0)
			rc = count_detours(&detours, &c->routes, c, err);
		c->detours = detours > c->detours ? detours : c->detours;
	}
	loom_routes_free(&usual);
	free(lane);
	return rc;
}

// Finds shortest routes, and fits as many as possible into the lanes, if nodes have coordinates.
static int fit_shortest(struct loom_routes *out, uint32_t *lane, const struct loom_choice *c, struct loom_err *err)
{
	const struct loom_topo *topo = &c->plan->topo;
	const struct loom_lanes_task task = {topo, c->messages, c->load, topo->n_vcs};
	uint32_t n_lanes;
	int rc = loom_choice_search(out, NULL, c, 0, c->budget_seconds / 3, err);
	return rc != 0 ? rc : loom_routes_fit_lanes(out, lane, &n_lanes, &task, err);
}

int loom_choice_keep_some_detours(struct loom_choice *c, struct loom_err *err)
{
	struct loom_routes shortest = {0};
	uint32_t *lane = malloc((c->n + 1) * sizeof *lane);
	int rc = lane ? fit_shortest(&shortest, lane, c, err)
	              : loom_fail(err, LOOM_ENOMEM, "out of memory for the lanes of %zu routes", c->n);
	if (rc == 0 && c->plan->topo.kind->wraps) { // the usual routes could lock
		loom_routes_free(&c->routes);
		c->routes = shortest;
		shortest = (struct loom_routes){0};
		memcpy(c->lane, lane, c->n * sizeof *lane);
	} else if (rc == 0) {
		rc = loom_choice_keep_some(c, err);
		if (rc == 0)
			rc = take_better(c, &shortest, lane, err);
	}
	loom_routes_free(&shortest);
	free(lane);
	return rc;
}
