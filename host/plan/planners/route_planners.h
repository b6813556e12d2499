// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ROUTE_PLANNERS_H
#define LOOM_ROUTE_PLANNERS_H

#include <flitloom/plan.h>

// Gives each message of the plan a route as planner reroute finds it, pass by pass, with as many lanes as needed; sets
// the bound for any minimal routes. The plan is not predicted.
int loom_plan_reroute(struct loom_plan *plan, const struct loom_plan_options *options, struct loom_err *err);
// True if planners of chosen routes accept this pattern on this fabric.
bool loom_plan_can_reroute(const struct loom_topo *topo, const struct loom_pattern *pattern);

// Sets plan->detours to the hops that the plan's routes have more than shortest ones. messages: those of the plan, from
// node to node. LOOM_EINPUT: more than LOOM_DETOURS_MAX.
int loom_plan_measure_detours(struct loom_plan *plan, const struct loom_message *messages, struct loom_err *err);

#endif
