// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans few messages on any network, on their own routes, in the fewest passes without contention. It colours the
// conflict graph ([Youssef93], section 3) by branch and bound.
#include "plan/planners/balance.h"
#include "plan/planners/exact_colours.h"
#include "plan/planners/planners.h"
#include "plan/planners/route_conflicts.h"

#define STEPS 400000000 // messages that the search examines if there is no budget

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	return pattern->n_messages != 0 && pattern->n_messages <= LOOM_EXACT_MESSAGES;
}

static int schedule(uint32_t *pass, struct loom_passes_found *out, const struct loom_plan *plan,
                    const struct loom_plan_options *options, size_t first, size_t n, struct loom_err *err)
{
	struct loom_conflicts g = {0};
	struct loom_budget budget;
	loom_budget_begin(&budget, options, STEPS);
	bool done = loom_route_conflicts_make(&g, plan, first, n) && loom_conflicts_exact(pass, out, &g, &budget);
	loom_conflicts_free(&g);
	return done ? loom_plan_balance_mixed(pass, &out->n_passes, plan, first, n, err)
	            : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
}

static int plan_exact(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	return loom_plan_in_proved_passes(plan, request, schedule, err);
}

const struct loom_planner loom_planner_exact = {
	.name = "exact",
	.help = "up to 4096 messages on any network, in the fewest passes without contention (branch and bound)",
	.accepts = accepts,
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_exact,
	.bound = LOOM_BOUND_PLACEMENT,
	.takes = LOOM_TAKES_HALF_DUPLEX | LOOM_TAKES_RULES,
};
