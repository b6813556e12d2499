// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans any messages on any network, on their own routes, without contention, in the few passes that colouring of their
// conflict graph finds ([Youssef93], section 3). It gives messages of different lengths such passes that the plan takes
// few cycles. Its plans cannot lock.
#include "plan/planners/balance.h"
#include "plan/planners/member_passes.h"
#include "plan/planners/planners.h"
#include "plan/planners/route_conflicts.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	return pattern->n_messages != 0;
}

// Spends half of the budget on fewer passes, the rest on shorter ones. budget NULL: each search takes its default
// number of steps.
static int schedule_in(struct loom_budget *budget, uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan,
                       size_t first, size_t n, struct loom_err *err)
{
	struct loom_conflicts g = {0};
	struct loom_budget half = budget ? loom_budget_share(budget, 2) : (struct loom_budget){0};
	*n_passes = 0;
	bool done = loom_route_conflicts_make(&g, plan, first, n);
	g.budget = budget ? &half : NULL;
	done = done && loom_conflicts_colour(pass, n_passes, &g);
	g.budget = budget;
	done = done && loom_plan_balance(pass, n_passes, &g, plan, first);
	loom_conflicts_free(&g);
	return done ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
}

int loom_greedy_schedule(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan, size_t first, size_t n,
                         struct loom_err *err)
{
	return schedule_in(NULL, pass, n_passes, plan, first, n, err);
}

static int schedule(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan,
                    const struct loom_plan_options *options, size_t first, size_t n, struct loom_err *err)
{
	struct loom_budget budget;
	if (options->budget_seconds == 0)
		return loom_greedy_schedule(pass, n_passes, plan, first, n, err);
	struct loom_plan_options of_member = *options;
	of_member.budget_seconds /= plan->n_members;
	loom_budget_begin(&budget, &of_member, 0);
	return schedule_in(&budget, pass, n_passes, plan, first, n, err);
}

static int plan_greedy(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	return loom_plan_in_member_passes(plan, request, schedule, err);
}

const struct loom_planner loom_planner_greedy = {
	.name = "greedy",
	.help = "any messages on any network, in few passes without contention (colouring)",
	.accepts = accepts,
	// By default a user gets a pass with contention, if it can run.
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_greedy,
	.bound = LOOM_BOUND_PLACEMENT,
	.takes = LOOM_TAKES_HALF_DUPLEX | LOOM_TAKES_RULES,
};
