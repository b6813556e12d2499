// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// What a plan's chosen routes are held to, and whether they need lanes.
#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/virtual_networks.h>

#include "plan/plan_internal.h"
#include "plan/routes/box.h"

static int check_minimal(const struct loom_plan *plan, size_t i, struct loom_err *err)
{
	const struct loom_plan_message *m = &plan->messages[i];
	size_t n = plan->routes.first[i + 1] - plan->routes.first[i];
	uint32_t least = m->source == m->destination
	                         ? 0
	                         : loom_route_length(&plan->topo, plan->map[m->source], plan->map[m->destination],
	                                             LOOM_RULE_ASCENDING) -
	                                   2;
	if (n == least)
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "the route of message %zu has %zu links; a shortest one has %" PRIu32
	                 ", and chosen routes are shortest ones",
	                 i, n, least);
}

int loom_plan_check_routes(const struct loom_plan *plan, struct loom_err *err)
{
	if (plan->routes.n == 0)
		return 0;
	if (!loom_box_has(&plan->topo))
		return loom_fail(err, LOOM_EINPUT, "chosen routes on %s: its nodes have no coordinates",
		                 plan->topo.name);
	struct loom_message *messages = calloc(plan->n_messages + 1, sizeof *messages);
	if (!messages)
		return loom_fail(err, LOOM_ENOMEM, "out of memory to check %zu routes", plan->routes.n);
	for (size_t i = 0; i < plan->n_messages; i++) {
		messages[i].source = plan->map[plan->messages[i].source];
		messages[i].destination = plan->map[plan->messages[i].destination];
	}
	int rc = loom_routes_check(&plan->routes, &plan->topo, messages, plan->n_messages, err);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		rc = check_minimal(plan, i, err);
	free(messages);
	return rc;
}

// Whether the routes of a pass, the messages first .. end - 1, have a circle on one lane.
static int find_circle(bool *out, const struct loom_plan *plan, size_t first, size_t end, struct loom_err *err)
{
	struct loom_lane_circle circle = {0};
	const struct loom_routes routes = {
		.n = end - first, .first = plan->routes.first + first, .channel = plan->routes.channel};
	int rc = loom_lane_circle_find(&circle, &routes, NULL, 1, &plan->topo, err);
	*out = circle.n != 0;
	loom_lane_circle_free(&circle);
	return rc;
}

int loom_plan_settle_lanes(struct loom_plan *plan, struct loom_err *err)
{
	bool has_circle = false;
	int rc = 0;
	// Where routers have tables a message's lane is that of its virtual network: flitloom/deadlock.h looks for circles on these.
	if (plan->topo.kind->spare_label_bits) {
		plan->n_lanes = 1;
		return 0;
	}
	for (size_t first = 0, end; rc == 0 && !has_circle && first < plan->routes.n; first = end) {
		for (end = first; end < plan->routes.n; end++)
			if (!plan->free_running && plan->messages[end].pass != plan->messages[first].pass)
				break;
		rc = find_circle(&has_circle, plan, first, end, err);
	}
	plan->n_lanes = has_circle ? loom_virtual_lanes(&plan->topo) : 1;
	return rc;
}
