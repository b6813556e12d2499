// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes first, then passes: routes that share the links evenly conflict with few others, so few passes without contention
// hold them all. What it makes cannot lock, on one lane.
#include "plan/planners/chosen_routes.h"
#include "plan/planners/member_passes.h"
#include "plan/planners/planners.h"

// It is asked for by name, as the other planners of chosen routes are.
static bool volunteers(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	(void)pattern;
	return false;
}

static int plan_routes_passes(struct loom_plan *plan, const struct loom_pattern *pattern, const char *objective,
                              bool map_is_free, struct loom_err *err)
{
	(void)map_is_free;
	int rc = loom_plan_reroute(plan, err);
	return rc != 0 ? rc : loom_plan_in_member_passes(plan, pattern, objective, loom_greedy_schedule, err);
}

const struct loom_planner loom_planner_routes_passes = {
	.name = "routes+passes",
	.help = "any messages on lines to cubes, by the routes of reroute, in few passes without contention",
	.accepts = loom_plan_can_reroute,
	.volunteers = volunteers,
	.plan = plan_routes_passes,
	.bound = LOOM_BOUND_PLACEMENT,
	.only_by_name = true,
};
