// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planners that make one pass per member on the given map, and differ in their routes: dimension order with the lowest
// or the highest dimension first, BLOCK, or rip-up and re-route ([Zhong92] and flitloom/routes/routes.h). Their bounds
// hold for any minimal routes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/routes.h>
#include <flitloom/routes/virtual_networks.h>

#include "base/room.h"
#include "plan/node_messages.h"
#include "plan/planners/budget.h"
#include "plan/planners/planners.h"
#include "plan/planners/route_choice.h"
#include "plan/planners/route_planners.h"
#include "plan/routes/prices.h"
#include "plan/routes/region.h"

#define BOUND_STEPS                                                                                                    \
	100000000 // links looked at for the bound of routes that were not searched for, if there is no budget

typedef int choose_routes(struct loom_choice *c, struct loom_err *err);

bool loom_plan_can_reroute(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return loom_region_has(topo) && pattern->n_messages != 0;
}

static bool has_dimensions(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return loom_box_has(topo) && pattern->n_messages != 0;
}

static int find_bound(struct loom_choice *c, struct loom_err *err)
{
	const struct loom_demand demand = {&c->plan->topo, c->messages, c->n, c->load, c->detours};
	struct loom_plan_options options = *c->options;
	struct loom_budget budget;
	uint64_t contention = 0;
	options.budget_seconds = c->budget_seconds;
	options.most_steps = c->most_steps;
	loom_budget_begin(&budget, &options, BOUND_STEPS);
	int rc = loom_routes_contention(&contention, &c->routes, &c->plan->topo, c->messages, c->load, err);
	return rc != 0 ? rc : loom_prices_bound(&c->lower_bound, NULL, &demand, contention, &budget, err);
}

static int choose_xy(struct loom_choice *c, struct loom_err *err)
{
	int rc = loom_routes_in_order(&c->routes, &c->plan->topo, c->messages, c->n, LOOM_RULE_ASCENDING, err);
	return rc != 0 ? rc : find_bound(c, err);
}

static int choose_yx(struct loom_choice *c, struct loom_err *err)
{
	int rc = loom_routes_in_order(&c->routes, &c->plan->topo, c->messages, c->n, LOOM_RULE_DESCENDING, err);
	return rc != 0 ? rc : find_bound(c, err);
}

static int choose_block(struct loom_choice *c, struct loom_err *err)
{
	int rc = loom_routes_block(&c->routes, &c->plan->topo, c->messages, c->n, c->load, err);
	return rc != 0 ? rc : find_bound(c, err);
}

static int choose_by_search(struct loom_choice *c, struct loom_err *err)
{
	struct loom_routes_found found;
	int rc = loom_choice_search(&c->routes, &found, c, c->detours, loom_choice_first_share(c), err);
	if (rc == 0)
		c->lower_bound = found.lower_bound;
	return rc;
}

// Chooses routes by search and, if chosen routes can run, makes them fit the lanes.
static int choose_reroute(struct loom_choice *c, struct loom_err *err)
{
	const struct loom_topo *topo = &c->plan->topo;
	const struct loom_lanes_task task = {topo, c->messages, c->load, topo->n_vcs};
	uint32_t n_lanes;
	int rc = choose_by_search(c, err);
	if (rc != 0 || !c->lane)
		return rc;
	if (loom_region_is_box(topo, c->detours))
		return loom_routes_fit_lanes(&c->routes, c->lane, &n_lanes, &task, err);
	rc = loom_routes_give_lanes(c->lane, &n_lanes, &c->routes, topo, topo->n_vcs, err);
	if (rc != 0 || n_lanes <= topo->n_vcs)
		return rc;
	return loom_box_has(topo) ? loom_choice_keep_some_detours(c, err) : loom_choice_keep_some(c, err);
}

// Gives the routes lanes. loom_deadlock_check finds out later if they are enough.
static int give_lanes(struct loom_choice *c, struct loom_plan_message *messages, choose_routes *choose,
                      struct loom_err *err)
{
	uint32_t n_lanes, most = c->plan->topo.n_vcs;
	int rc = 0;
	if (!c->lane)
		return 0;
	if (choose != choose_reroute)
		rc = loom_routes_give_lanes(c->lane, &n_lanes, &c->routes, &c->plan->topo, most, err);
	for (size_t i = 0; rc == 0 && i < c->n; i++)
		messages[i].rule = (uint8_t)(c->lane[i] < most ? c->lane[i] : most - 1);
	return rc;
}

// Appends the routes of a pass to those of the plan. channel_room: room for channels in `all`.
static bool append(struct loom_routes *all, size_t *channel_room, size_t first, const struct loom_routes *part)
{
	size_t begin = all->first[first], n = part->first[part->n];
	if (!LOOM_ROOM(all->channel, *channel_room, begin + n))
		return false;
	if (n)
		memcpy(all->channel + begin, part->channel, n * sizeof *part->channel);
	for (size_t i = 0; i < part->n; i++)
		all->first[first + i + 1] = begin + part->first[i + 1];
	return true;
}

// Returns the unit of load that was asked for; by default flits if messages differ in length.
static enum loom_load_unit load_of(const struct loom_plan *plan, const char *asked)
{
	if (asked)
		return strcmp(asked, loom_load_unit_name(LOOM_LOAD_FLITS)) == 0 ? LOOM_LOAD_FLITS : LOOM_LOAD_MESSAGES;
	for (size_t i = 1; i < plan->n_messages; i++)
		if (plan->messages[i].flits != plan->messages[0].flits)
			return LOOM_LOAD_FLITS;
	return LOOM_LOAD_MESSAGES;
}

// Adds the bound of one pass. If loads count flits, the busiest link carries at least as many messages as its flits
// divided by the longest message's.
static void add_bound(struct loom_plan *plan, const struct loom_choice *c)
{
	uint64_t messages = c->lower_bound, longest = 1;
	for (size_t i = 0; c->load == LOOM_LOAD_FLITS && i < c->n; i++)
		longest = c->messages[i].flits > longest ? c->messages[i].flits : longest;
	messages = (messages + longest - 1) / longest;
	if (messages > plan->lower_bound)
		plan->lower_bound = (uint32_t)messages;
	if (c->load == LOOM_LOAD_FLITS && c->lower_bound > plan->lower_bound_flits)
		plan->lower_bound_flits = c->lower_bound;
}

// Computes the bound again: some usual routes are longer than the request allows, so the bound must cover routes of
// that length.
static int bound_again(const struct loom_routes *all, struct loom_plan *plan, const struct loom_plan_options *options,
                       const struct loom_message *messages, enum loom_load_unit load, struct loom_err *err)
{
	int rc = 0;
	plan->lower_bound = 0;
	plan->lower_bound_flits = 0;
	for (size_t first = 0, end; rc == 0 && first < plan->n_messages; first = end) {
		for (end = first; end < plan->n_messages && plan->messages[end].pass == plan->messages[first].pass;
		     end++)
			;
		struct loom_choice c = {
			.plan = plan,
			.options = options,
			.messages = messages + first,
			.n = end - first,
			.load = load,
			.detours = plan->detours,
			.routes = {.n = end - first, .first = all->first + first, .channel = all->channel}};
		rc = find_bound(&c, err);
		add_bound(plan, &c);
	}
	return rc;
}

// Chooses routes for all messages. on_lanes: each message gets a lane.
static int choose_for_all(struct loom_plan *plan, const struct loom_plan_options *options,
                          struct loom_message *messages, enum loom_load_unit load, choose_routes *choose, bool on_lanes,
                          struct loom_err *err)
{
	struct loom_routes *out = &plan->routes;
	size_t channel_room = 0;
	int rc = 0;
	uint32_t most = 0, *lane = on_lanes ? malloc((plan->n_messages + 1) * sizeof *lane) : NULL;
	plan->lower_bound = 0;
	plan->lower_bound_flits = 0;
	out->n = plan->n_messages;
	out->first = calloc(plan->n_messages + 1, sizeof *out->first);
	if (!out->first || (on_lanes && !lane)) {
		free(lane);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages", plan->n_messages);
	}
	for (size_t first = 0, end; rc == 0 && first < plan->n_messages; first = end) {
		for (end = first; end < plan->n_messages && plan->messages[end].pass == plan->messages[first].pass;
		     end++)
			;
		const struct loom_plan_options share = loom_options_share(options, plan->n_passes);
		struct loom_choice c = {.plan = plan,
		                        .options = options,
		                        .messages = messages + first,
		                        .n = end - first,
		                        .load = load,
		                        .detours = plan->detours,
		                        .budget_seconds = share.budget_seconds,
		                        .most_steps = share.most_steps,
		                        .lane = lane};
		rc = choose(&c, err);
		if (rc == 0)
			rc = give_lanes(&c, plan->messages + first, choose, err);
		if (rc == 0 && !append(out, &channel_room, first, &c.routes))
			rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages",
			               plan->n_messages);
		add_bound(plan, &c);
		most = c.detours > most ? c.detours : most;
		loom_routes_free(&c.routes);
	}
	free(lane);
	if (rc == 0 && most > plan->detours) {
		plan->detours = most;
		rc = bound_again(out, plan, options, messages, load, err);
	}
	return rc;
}

static int choose_routes_of(struct loom_plan *plan, const struct loom_plan_options *options, enum loom_load_unit load,
                            choose_routes *choose, bool on_lanes, struct loom_err *err)
{
	struct loom_message *messages = loom_plan_node_messages(plan, 0, plan->n_messages);
	int rc = messages ? choose_for_all(plan, options, messages, load, choose, on_lanes, err)
	                  : loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages",
	                              plan->n_messages);
	free(messages);
	return rc;
}

int loom_plan_reroute(struct loom_plan *plan, const struct loom_plan_options *options, struct loom_err *err)
{
	return choose_routes_of(plan, options, LOOM_LOAD_MESSAGES, choose_by_search, false, err);
}

static int make(struct loom_plan *plan, const struct loom_planner_request *request, choose_routes *choose,
                enum loom_rule rule, bool by_rule, struct loom_err *err)
{
	const struct loom_plan_options *options = request->options;
	loom_planner_report_objective(plan, request);
	// If there are lanes to choose from, routes of dimension order are written out, too.
	bool has_tables = plan->topo.kind->spare_label_bits != 0,
	     goes_by_rule = by_rule && !(has_tables && plan->topo.n_vcs > 1);
	int rc = choose_routes_of(plan, options, load_of(plan, options->load), choose, has_tables, err);
	if (goes_by_rule) // routers find these routes by themselves, so the plan does not hold them
		loom_routes_free(&plan->routes);
	for (size_t i = 0; i < plan->n_messages && (goes_by_rule || !has_tables); i++)
		plan->messages[i].rule = (uint8_t)rule;
	return rc != 0 ? rc : loom_plan_predict(plan, err);
}

static int plan_xy(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	return make(plan, request, choose_xy, LOOM_RULE_ASCENDING, true, err);
}

static int plan_yx(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	return make(plan, request, choose_yx, LOOM_RULE_DESCENDING, true, err);
}

static int plan_block(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	return make(plan, request, choose_block, LOOM_RULE_ASCENDING, false, err);
}

static int plan_reroute(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	plan->detours = request->options->detours;
	return make(plan, request, choose_reroute, LOOM_RULE_ASCENDING, false, err);
}

const struct loom_planner loom_planner_xy = {
	.name = "xy",
	.help = "any messages on lines, meshes, rings, tori and cubes, the lowest dimension first",
	.accepts = has_dimensions,
	// Some chips cannot run the chosen routes.
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_xy,
	.bound = LOOM_BOUND_MINIMAL,
	.only_by_name = true,
	.takes = LOOM_TAKES_LOAD | LOOM_TAKES_TRAFFIC,
};

const struct loom_planner loom_planner_yx = {
	.name = "yx",
	.help = "any messages on lines, meshes, rings, tori and cubes, the highest dimension first",
	.accepts = has_dimensions,
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_yx,
	.bound = LOOM_BOUND_MINIMAL,
	.only_by_name = true,
	.takes = LOOM_TAKES_LOAD | LOOM_TAKES_TRAFFIC,
};

const struct loom_planner loom_planner_block = {
	.name = "block",
	.help = "any messages on direct networks, a route chosen for each, those with few routes first (BLOCK)",
	.accepts = loom_plan_can_reroute,
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_block,
	.bound = LOOM_BOUND_MINIMAL,
	.only_by_name = true,
	.takes = LOOM_TAKES_LOAD | LOOM_TAKES_TRAFFIC,
};

const struct loom_planner loom_planner_reroute = {
	.name = "reroute",
	.help = "any messages on direct networks, routes that share the links as evenly as a search finds",
	.accepts = loom_plan_can_reroute,
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_reroute,
	.bound = LOOM_BOUND_MINIMAL,
	.only_by_name = true,
	.searches = true,
	.takes = LOOM_TAKES_DETOURS | LOOM_TAKES_LOAD | LOOM_TAKES_TRAFFIC,
};
