// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses routes first, then passes: routes that load the links evenly have few conflicts, so they fit into few
// passes without contention. Then it searches for both together, with one pass less as long as it succeeds. Its plans
// cannot lock, on one lane.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/node_messages.h"
#include "plan/planners/balance.h"
#include "plan/planners/member_passes.h"
#include "plan/planners/planners.h"
#include "plan/planners/route_planners.h"
#include "plan/routes/layers.h"

#define STEPS 500000000      // links that the search for fewer passes examines if there is no budget
#define PLACES_MOST 20000000 // channels of all passes together up to which there is such a search

// Returns the most messages that one node sends or receives. There are at least as many passes.
static uint32_t most_of_a_node(const struct loom_topo *t, const struct loom_message *m, size_t n, uint32_t *count)
{
	uint32_t most = 0;
	memset(count, 0, 2 * (size_t)t->n_nodes * sizeof *count);
	for (size_t i = 0; i < n; i++) {
		if (m[i].source == m[i].destination)
			continue;
		uint32_t sent = ++count[m[i].source], received = ++count[t->n_nodes + m[i].destination];
		most = sent > most ? sent : most;
		most = received > most ? received : most;
	}
	return most;
}

static void tell(const struct loom_plan_options *asked, uint32_t n_passes, uint32_t least)
{
	char text[80];
	(void)snprintf(text, sizeof text, "%" PRIu32 " passes, at least %" PRIu32, n_passes, least);
	if (asked->progress)
		asked->progress(asked->user, text);
}

// Searches for fewer passes. The plan holds the routes of the messages from `first` on. They keep their lengths.
static int lower(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan,
                 const struct loom_plan_options *options, size_t first, size_t n, struct loom_err *err)
{
	const struct loom_topo *t = &plan->topo;
	struct loom_message *messages = loom_plan_node_messages(plan, first, n);
	uint32_t *count = malloc(2 * (size_t)t->n_nodes * sizeof *count);
	size_t *at = malloc((n + 1) * sizeof *at), begin = plan->routes.first[first];
	struct loom_budget budget;
	struct loom_layers layers = {.topo = t,
	                             .messages = messages,
	                             .n = n,
	                             .pass = pass,
	                             .first = at,
	                             .channel = plan->routes.channel + begin,
	                             .budget = &budget};
	bool found = messages && count && at;
	int rc = found ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
	for (size_t i = 0; rc == 0 && i <= n; i++)
		at[i] = plan->routes.first[first + i] - begin;
	uint32_t least = rc == 0 ? most_of_a_node(t, messages, n, count) : 0;
	least += least == 0; // messages that need no link are in a pass, too
	const struct loom_plan_options share = loom_options_share(options, plan->n_members);
	loom_budget_begin(&budget, &share, STEPS);
	least = least > plan->lower_bound ? least : plan->lower_bound;
	while (rc == 0 && found && *n_passes > least && (uint64_t)*n_passes * loom_topo_channels(t) < PLACES_MOST) {
		rc = loom_layers_find(&found, &layers, *n_passes - 1, err);
		*n_passes -= found;
		if (rc == 0 && found)
			tell(&share, *n_passes, least);
	}
	free(messages);
	free(count);
	free(at);
	return rc;
}

// Numbers the passes anew, without empty ones.
static bool close_ranks(uint32_t *pass, uint32_t *n_passes, size_t n)
{
	uint32_t *number = calloc(*n_passes + 1, sizeof *number), used = 0;
	for (size_t i = 0; number && i < n; i++)
		number[pass[i]] = 1;
	for (uint32_t p = 0; number && p < *n_passes; p++)
		number[p] = number[p] ? used++ : 0;
	for (size_t i = 0; number && i < n; i++)
		pass[i] = number[pass[i]];
	*n_passes = number ? used : *n_passes;
	free(number);
	return number != NULL;
}

static int schedule(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan,
                    const struct loom_plan_options *options, size_t first, size_t n, struct loom_err *err)
{
	int rc = loom_greedy_schedule(pass, n_passes, plan, first, n, err);
	if (rc == 0)
		rc = lower(pass, n_passes, plan, options, first, n, err);
	if (rc == 0 && !close_ranks(pass, n_passes, n))
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
	return rc != 0 ? rc : loom_plan_balance_mixed(pass, n_passes, plan, first, n, err);
}

static int plan_routes_passes(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	const struct loom_plan_options half =
		loom_options_share(request->options, 2); // half for the routes, half for the passes
	struct loom_planner_request in_half = *request;
	in_half.options = &half;
	int rc = loom_plan_reroute(plan, &half, err);
	if (rc == 0 && plan->n_passes > 1)
		plan->lower_bound = 1; // the present bound is that of a member's messages, not of a pass
	if (rc == 0)
		rc = loom_plan_in_member_passes(plan, &in_half, schedule, err);
	return rc;
}

const struct loom_planner loom_planner_routes_passes = {
	.name = "routes+passes",
	.help = "any messages on direct networks, routes chosen for each, in few passes without contention",
	.accepts = loom_plan_can_reroute,
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_routes_passes,
	.bound = LOOM_BOUND_PLACEMENT,
	.only_by_name = true,
	.searches = true,
};
