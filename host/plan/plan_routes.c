// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the routes that were chosen for a plan, and computes the lanes that they need.
#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/routes/virtual_networks.h>

#include "plan/node_messages.h"
#include "plan/plan_internal.h"
#include "plan/routes/region.h"

static int check_length(const struct loom_routes *routes, const struct loom_message *message, size_t i,
                        struct loom_region *region, uint32_t detours, struct loom_err *err)
{
	size_t n = routes->first[i + 1] - routes->first[i];
	loom_region_set(region, message, 0);
	if (n <= (size_t)loom_region_hops(region) + detours)
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "the route of message %zu has %zu links; a shortest one has %" PRIu32
	                 ", and chosen routes may have %" PRIu32 " more",
	                 i, n, loom_region_hops(region), detours);
}

static int check_network(const struct loom_plan *plan, size_t i, struct loom_err *err)
{
	const struct loom_topo *t = &plan->topo;
	uint32_t n_networks = t->kind->router == LOOM_ROUTER_TABLE ? t->n_vcs : loom_topo_rules_count(t);
	if (plan->messages[i].rule < n_networks)
		return 0;
	return loom_fail(
		err, LOOM_EINPUT,
		"message %zu goes by rule %d, which is its virtual network where routes are chosen; the links of %s "
		"have %u lane%s",
		i, plan->messages[i].rule, t->name, t->n_vcs, t->n_vcs == 1 ? "" : "s");
}

int loom_plan_check_routes(const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_region region = {0};
	if (plan->routes.n == 0)
		return 0;
	if (!loom_region_has(&plan->topo))
		return loom_fail(err, LOOM_EINPUT, "chosen routes on %s: it is no direct network", plan->topo.name);
	struct loom_message *messages = loom_plan_node_messages(plan, 0, plan->n_messages);
	if (!messages)
		return loom_fail(err, LOOM_ENOMEM, "out of memory to check %zu routes", plan->routes.n);
	int rc = loom_routes_check(&plan->routes, &plan->topo, messages, plan->n_messages, err);
	if (rc == 0)
		rc = loom_region_init(&region, &plan->topo, messages, plan->n_messages, 0, err);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		rc = check_network(plan, i, err);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		rc = check_length(&plan->routes, &messages[i], i, &region, plan->detours, err);
	loom_region_free(&region);
	free(messages);
	return rc;
}

// Returns the routes of messages first .. end - 1, which make up a pass.
static struct loom_routes part_of(const struct loom_plan *plan, size_t first, size_t end)
{
	return (struct loom_routes){
		.n = end - first, .first = plan->routes.first + first, .channel = plan->routes.channel};
}

// Sets *out to true if the routes of a pass have a circle. lane: the lane of each link, or NULL.
static int find_circle(bool *out, const struct loom_plan *plan, size_t first, size_t end, const uint32_t *lane,
                       struct loom_err *err)
{
	struct loom_lane_circle circle = {0};
	const struct loom_routes routes = part_of(plan, first, end);
	int rc = loom_lane_circle_find(&circle, &routes, lane, lane ? plan->topo.n_vcs : 1, &plan->topo, err);
	*out = circle.n != 0;
	loom_lane_circle_free(&circle);
	return rc;
}

// Gives out lanes to the routes of a pass and counts them.
static int count_needed(uint32_t *out, const struct loom_routes *routes, const struct loom_topo *topo,
                        struct loom_err *err)
{
	uint32_t *given = malloc((routes->n + 1) * sizeof *given);
	int rc = given ? loom_routes_give_lanes(given, out, routes, topo, topo->n_vcs, err)
	               : loom_fail(err, LOOM_ENOMEM, "out of memory for lanes of %zu routes", routes->n);
	free(given);
	return rc;
}

// Counts the lanes for routers without tables, where routes are only planned: 1, or the lanes of all virtual networks.
static int count_networks(uint32_t *out, const struct loom_plan *plan, size_t first, size_t end, struct loom_err *err)
{
	const struct loom_routes routes = part_of(plan, first, end);
	bool has_circle;
	int rc = find_circle(&has_circle, plan, first, end, NULL, err);
	*out = 1;
	if (rc != 0 || !has_circle)
		return rc;
	uint32_t *network = malloc((routes.n + 1) * sizeof *network);
	if (network && loom_virtual_networks_of(network, &routes, &plan->topo, NULL) == 0)
		*out = loom_virtual_lanes_count(&plan->topo);
	else
		rc = count_needed(out, &routes, &plan->topo, err);
	free(network);
	return rc;
}

// Counts the lanes of a pass for routers with tables. If the lanes of the plan have a circle, counts the lanes that
// would do.
static int count_lanes(uint32_t *out, const struct loom_plan *plan, size_t first, size_t end, uint32_t *lane,
                       struct loom_err *err)
{
	bool has_circle;
	*out = 1;
	for (size_t i = first; i < end; i++) {
		uint32_t mine = loom_topo_network(&plan->topo, plan->messages[i].rule);
		*out = mine >= *out ? mine + 1 : *out;
		for (size_t k = plan->routes.first[i]; k < plan->routes.first[i + 1]; k++)
			lane[k] = mine;
	}
	int rc = find_circle(&has_circle, plan, first, end, lane, err);
	if (rc != 0 || !has_circle)
		return rc;
	const struct loom_routes routes = part_of(plan, first, end);
	return count_needed(out, &routes, &plan->topo, err);
}

int loom_plan_settle_lanes(struct loom_plan *plan, struct loom_err *err)
{
	bool has_tables = plan->topo.kind->router == LOOM_ROUTER_TABLE;
	uint32_t n_lanes = 1, of_pass = 1, *lane = NULL;
	int rc = 0;
	if (has_tables && plan->routes.n)
		lane = malloc((plan->routes.first[plan->routes.n] + 1) * sizeof *lane);
	if (has_tables && plan->routes.n && !lane)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for lanes of %zu routes", plan->routes.n);
	for (size_t first = 0, end; rc == 0 && first < plan->routes.n; first = end) {
		for (end = first; end < plan->routes.n; end++)
			if (!plan->free_running && plan->messages[end].pass != plan->messages[first].pass)
				break;
		rc = has_tables ? count_lanes(&of_pass, plan, first, end, lane, err)
		                : count_networks(&of_pass, plan, first, end, err);
		n_lanes = of_pass > n_lanes ? of_pass : n_lanes;
	}
	free(lane);
	plan->n_lanes = n_lanes;
	return rc;
}
