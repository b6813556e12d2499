// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// What a plan's chosen routes are held to, and whether they need lanes.
#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/deadlock.h>
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

int loom_plan_settle_lanes(struct loom_plan *plan, struct loom_err *err)
{
	struct loom_circle circle = {0};
	plan->n_lanes = 1;
	if (plan->routes.n == 0)
		return 0;
	int rc = loom_deadlock_find_in_plan(&circle, plan, err);
	if (rc == 0 && circle.n_channels)
		plan->n_lanes = loom_virtual_lanes(&plan->topo);
	loom_circle_free(&circle);
	return rc;
}
