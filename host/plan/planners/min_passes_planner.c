// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans any messages on a multistage network without conflict, in the few passes that colouring of their conflict graph
// finds. It gives messages of different lengths such passes that the plan takes few cycles.
#include <stdlib.h>

#include <flitloom/math/min_passes.h>

#include "plan/planners/balance.h"
#include "plan/planners/member_passes.h"
#include "plan/planners/planners.h"
#include "topo/topo_min.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	struct loom_min net;
	return loom_topo_min(&net, topo, LOOM_RULE_ASCENDING) && pattern->n_messages != 0;
}

static int schedule(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan,
                    const struct loom_plan_options *options, size_t first, size_t n, struct loom_err *err)
{
	(void)options;
	struct loom_min net;
	struct loom_min_passes found = {0};
	uint32_t *source = malloc(n * sizeof *source), *destination = malloc(n * sizeof *destination);
	int rc = source && destination ? 0
	                               : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
	(void)loom_topo_min(&net, &plan->topo, LOOM_RULE_ASCENDING);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		source[i] = plan->map[plan->messages[first + i].source];
		destination[i] = plan->map[plan->messages[first + i].destination];
	}
	if (rc == 0)
		rc = loom_min_passes_schedule(pass, &found, &net, source, destination, n, err);
	*n_passes = found.n_passes;
	if (rc == 0)
		rc = loom_plan_balance_mixed(pass, n_passes, plan, first, n, err);
	free(source);
	free(destination);
	return rc;
}

static int plan_min_passes(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	return loom_plan_in_member_passes(plan, request, schedule, err);
}

const struct loom_planner loom_planner_min_passes = {
	.name = "min_passes",
	.help = "any messages on a multistage network, in few passes without conflict (colouring)",
	.accepts = accepts,
	.plan = plan_min_passes,
	.bound = LOOM_BOUND_ANY,
};
