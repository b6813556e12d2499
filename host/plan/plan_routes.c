// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// What a plan's chosen routes are held to, and whether they need lanes.
#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/virtual_networks.h>

#include "plan/plan_internal.h"
#include "plan/routes/region.h"

static int check_length(const struct loom_routes *routes, const struct loom_message *message, size_t i,
                        struct loom_region *region, struct loom_err *err)
{
	size_t n = routes->first[i + 1] - routes->first[i];
	loom_region_set(region, message, 0);
	if (n <= loom_region_most(region))
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "the route of message %zu has %zu links; a shortest one has %" PRIu32
	                 ", and chosen routes may have %" PRIu32 " more",
	                 i, n, loom_region_hops(region), region->detours);
}

int loom_plan_check_routes(const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_region region = {0};
	if (plan->routes.n == 0)
		return 0;
	if (!loom_region_has(&plan->topo))
		return loom_fail(err, LOOM_EINPUT, "chosen routes on %s: it is no direct network", plan->topo.name);
	struct loom_message *messages = calloc(plan->n_messages + 1, sizeof *messages);
	if (!messages)
		return loom_fail(err, LOOM_ENOMEM, "out of memory to check %zu routes", plan->routes.n);
	for (size_t i = 0; i < plan->n_messages; i++) {
		messages[i].source = plan->map[plan->messages[i].source];
		messages[i].destination = plan->map[plan->messages[i].destination];
	}
	int rc = loom_routes_check(&plan->routes, &plan->topo, messages, plan->n_messages, err);
	if (rc == 0)
		rc = loom_region_init(&region, &plan->topo, messages, plan->n_messages, plan->detours, err);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		rc = check_length(&plan->routes, &messages[i], i, &region, err);
	loom_region_free(&region);
	free(messages);
	return rc;
}

// The lanes that the routes of a pass need, the messages first .. end - 1.
static int count_lanes(uint32_t *out, const struct loom_plan *plan, size_t first, size_t end, struct loom_err *err)
{
	struct loom_lane_circle circle = {0};
	const struct loom_routes routes = {
		.n = end - first, .first = plan->routes.first + first, .channel = plan->routes.channel};
	int rc = loom_lane_circle_find(&circle, &routes, NULL, 1, &plan->topo, err);
	bool has_circle = circle.n != 0;
	loom_lane_circle_free(&circle);
	*out = 1;
	if (rc != 0 || !has_circle)
		return rc;
	uint32_t *network = loom_region_is_box(&plan->topo, 0) ? malloc(routes.n * sizeof *network) : NULL;
	if (network && loom_virtual_networks_of(network, &routes, &plan->topo, NULL) == 0)
		*out = loom_virtual_lanes(&plan->topo);
	else
		rc = loom_virtual_layers_of(NULL, out, &routes, &plan->topo, err);
	free(network);
	return rc;
}

int loom_plan_settle_lanes(struct loom_plan *plan, struct loom_err *err)
{
	int rc = 0;
	// Where routers have tables a message's lane is that of its virtual network: flitloom/deadlock.h looks for circles on these.
	if (plan->topo.kind->spare_label_bits) {
		plan->n_lanes = 1;
		return 0;
	}
	uint32_t most = 1;
	for (size_t first = 0, end; rc == 0 && first < plan->routes.n; first = end) {
		uint32_t n = 1;
		for (end = first; end < plan->routes.n; end++)
			if (!plan->free_running && plan->messages[end].pass != plan->messages[first].pass)
				break;
		rc = count_lanes(&n, plan, first, end, err);
		most = n > most ? n : most;
	}
	plan->n_lanes = most;
	return rc;
}
