// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes one pass per member. Each message takes the route of its pair of nodes from a set of routes of all pairs
// (flitloom/routes/pair_routes.h). So a message's route depends on its ends alone, not on other messages.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/pair_routes.h>

#include "plan/node_messages.h"
#include "plan/planners/planners.h"
#include "plan/planners/route_planners.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return topo->kind->spare_label_bits != 0 && pattern->n_messages != 0 && topo->n_nodes <= LOOM_PAIR_NODES_MAX;
}

static bool is_stopped(void *user)
{
	const struct loom_plan_options *o = user;
	return o->stopped && o->stopped(o->user);
}

static void tell(void *user, uint32_t largest_load)
{
	const struct loom_plan_options *o = user;
	char text[64];
	(void)snprintf(text, sizeof text, "%" PRIu32 " pairs of all on the busiest link", largest_load);
	if (o->progress)
		o->progress(o->user, text);
}

static size_t route_of(const struct loom_pair_routes *pairs, const struct loom_message *m)
{
	return (size_t)m->source * pairs->n_nodes + m->destination;
}

// Gives each message the route and the lane of its pair.
static int take_routes(struct loom_plan *plan, const struct loom_pair_routes *pairs,
                       const struct loom_message *messages, struct loom_err *err)
{
	const size_t n = plan->n_messages, *first = pairs->routes.first;
	struct loom_routes routes = {.n = n, .first = calloc(n + 1, sizeof *routes.first)};
	size_t n_links = 0;
	for (size_t i = 0; i < n; i++)
		n_links += first[route_of(pairs, &messages[i]) + 1] - first[route_of(pairs, &messages[i])];
	routes.channel = malloc((n_links + 1) * sizeof *routes.channel);
	if (!routes.first || !routes.channel) {
		loom_routes_free(&routes);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages", n);
	}
	for (size_t i = 0; i < n; i++) {
		const size_t pair = route_of(pairs, &messages[i]), n_own = first[pair + 1] - first[pair];
		if (n_own)
			memcpy(routes.channel + routes.first[i], pairs->routes.channel + first[pair],
			       n_own * sizeof *routes.channel);
		routes.first[i + 1] = routes.first[i] + n_own;
		plan->messages[i].rule = pairs->lane[pair];
	}
	plan->routes = routes;
	return 0;
}

static int search(struct loom_pair_routes *out, const struct loom_topo *topo, struct loom_plan_options *options,
                  bool by_destination, struct loom_err *err)
{
	const struct loom_pair_options search = {.n_lanes = topo->n_vcs,
	                                         .seed = 1,
	                                         .budget_seconds = by_destination ? 0 : options->budget_seconds,
	                                         .by_destination = by_destination,
	                                         .stopped = is_stopped,
	                                         .progress = tell,
	                                         .user = options};
	return out->n_nodes ? 0 : loom_pair_routes_search(out, topo, &search, err);
}

static int plan_pairs(struct loom_plan *plan, const struct loom_planner_request *request, bool by_destination,
                      struct loom_err *err)
{
	struct loom_plan_options options = *request->options;
	struct loom_pair_routes own = {0}, *pairs = options.pair_routes ? &options.pair_routes[by_destination] : &own;
	struct loom_message *messages = loom_plan_node_messages(plan, 0, plan->n_messages);
	int rc = messages ? search(pairs, &plan->topo, &options, by_destination, err)
	                  : loom_fail(err, LOOM_ENOMEM, "out of memory for %zu messages", plan->n_messages);
	loom_planner_report_objective(plan, request);
	if (rc == 0)
		rc = take_routes(plan, pairs, messages, err);
	if (rc == 0)
		rc = loom_plan_measure_detours(plan, messages, err);
	if (rc == 0)
		rc = loom_planner_bound_placement(plan, err);
	loom_pair_routes_free(&own);
	free(messages);
	return rc != 0 ? rc : loom_plan_predict(plan, err);
}

static int plan_all_pairs(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	return plan_pairs(plan, request, false, err);
}

static int plan_by_destination(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	return plan_pairs(plan, request, true, err);
}

const struct loom_planner loom_planner_all_pairs = {
	.name = "all-pairs",
	.help = "any messages where routers have tables, each by its pair's route of those that serve an all-to-all "
		"best",
	.accepts = accepts,
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_all_pairs,
	.bound = LOOM_BOUND_PLACEMENT,
	.only_by_name = true,
	.searches = true,
	.takes = LOOM_TAKES_TRAFFIC,
};

const struct loom_planner loom_planner_by_destination = {
	.name = "by-destination",
	.help = "any messages where routers have tables, each by its pair's route of those with a label for each "
		"destination",
	.accepts = accepts,
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_by_destination,
	.bound = LOOM_BOUND_PLACEMENT,
	.only_by_name = true,
	.searches = true,
	.takes = LOOM_TAKES_TRAFFIC,
};
