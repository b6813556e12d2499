// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends all messages as they are, on the given map (default: the identity), in one pass per member. It takes any
// pattern, and is the reference for the other planners.
#include <stdlib.h>

#include "plan/planners/planners.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	(void)pattern;
	return true;
}

// Bounds the load of any routes between the present nodes, because the placement stays.
int loom_planner_bound_placement(struct loom_plan *plan, struct loom_err *err)
{
	int rc = 0;
	uint32_t most = 0;
	uint32_t *source = malloc((plan->n_messages + 1) * sizeof *source);
	uint32_t *destination = malloc((plan->n_messages + 1) * sizeof *destination);
	if (!source || !destination) {
		free(source);
		free(destination);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a bound on %zu messages", plan->n_messages);
	}
	for (size_t i = 0; i < plan->n_messages; i++) {
		source[i] = plan->map[plan->messages[i].source];
		destination[i] = plan->map[plan->messages[i].destination];
	}
	for (size_t first = 0, end; rc == 0 && first < plan->n_messages; first = end) {
		for (end = first; end < plan->n_messages && plan->messages[end].pass == plan->messages[first].pass;)
			end++;
		uint32_t of_pass = 0;
		rc = loom_topo_bound(&of_pass, &plan->topo, source + first, destination + first, end - first, err);
		most = of_pass > most ? of_pass : most;
	}
	free(source);
	free(destination);
	plan->lower_bound = most;
	return rc;
}

static int plan_direct(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	loom_planner_report_objective(plan, request);
	int rc = loom_planner_bound_placement(plan, err);
	return rc != 0 ? rc : loom_plan_predict(plan, err);
}

const struct loom_planner loom_planner_direct = {
	.name = "direct",
	.help = "any pattern, as it is: no relabelling, one pass per member",
	.accepts = accepts,
	.plan = plan_direct,
	.bound = LOOM_BOUND_PLACEMENT,
	.takes = LOOM_TAKES_RULES | LOOM_TAKES_TIMING | LOOM_TAKES_TRAFFIC,
};
