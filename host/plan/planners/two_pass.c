// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans any permutation in two passes without conflict, with data relayed in between ([Youssef93], section 4;
// [Benes65]). On a cube it goes first by e-cube and then by e^-1-cube. On a multistage network that can be passed both
// ways it goes first backward (inverse omega) and then forward (omega).
#include <stdlib.h>

#include <flitloom/math/benes.h>
#include "plan/planners/permutation.h"
#include "plan/planners/planners.h"

#define RELAY_SLOT 1

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return (topo->kind->complements_bits || topo->kind->two_directions) && pattern->n_messages == topo->n_nodes &&
	       loom_planner_is_permutation(pattern);
}

// Volunteers only for networks of two directions: on a cube one pass is usual, and two must be asked for.
static bool volunteers(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)pattern;
	return topo->kind->two_directions;
}

static int plan_two_pass(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	(void)request;
	uint32_t n = plan->topo.n_nodes, *f = calloc(4 * (size_t)n, sizeof *f);
	uint32_t *g = f + n, *h = f + 2 * (size_t)n, *virtual_of = f + 3 * (size_t)n;
	struct loom_plan_message *messages = calloc(2 * plan->n_messages, sizeof *messages);
	size_t n_messages = 0;
	unsigned k = 0;
	int rc = f && messages ? 0
	                       : loom_fail(err, LOOM_ENOMEM, "out of memory for two passes of %zu messages",
	                                   plan->n_messages);
	while (UINT32_C(1) << k < n)
		k++;
	for (uint32_t v = 0; rc == 0 && v < n; v++)
		virtual_of[plan->map[v]] = v;
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		f[plan->map[plan->messages[i].source]] = plan->map[plan->messages[i].destination];
	if (rc == 0)
		rc = loom_benes_two_pass(g, h, f, k, err);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		n_messages += loom_planner_relay(messages, n_messages, plan, &plan->messages[i],
		                                 virtual_of[g[plan->map[plan->messages[i].source]]], 0, RELAY_SLOT);
	for (size_t i = 0; rc == 0 && i < n_messages; i++)
		messages[i].rule = messages[i].pass == 0 ? LOOM_RULE_ASCENDING : LOOM_RULE_DESCENDING;
	free(f);
	if (rc == 0)
		rc = loom_planner_set_messages(plan, messages, n_messages, 2, err);
	else
		free(messages);
	if (rc == 0)
		rc = loom_plan_predict(plan, err);
	if (rc == 0)
		plan->lower_bound = loom_plan_contention(plan);
	return rc;
}

const struct loom_planner loom_planner_two_pass = {
	.name = "two_pass",
	.help = "any permutation in two passes without conflict, relayed in between: on a cube or a benes network",
	.accepts = accepts,
	.volunteers = volunteers,
	.plan = plan_two_pass,
	.bound = LOOM_BOUND_ANY,
};
