// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans, by one planner or by the best of all, or for few cycles from there on.
#include <flitloom/plan.h>

#include <string.h>

#include "plan/cycles/plan_for_cycles.h"
#include "plan/plan_internal.h"

int loom_plan_make(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                   const struct loom_plan_options *options, struct loom_err *err)
{
	static const struct loom_plan_options defaults = {0};
	options = options ? options : &defaults;
	if (loom_objective_is_cycles(options->objective))
		return loom_plan_make_for_cycles(out, topo, pattern, options, err);
	if (options->planner && strcmp(options->planner, "best") == 0)
		return loom_plan_make_best(out, topo, pattern, options, err);
	return loom_plan_make_by_one(out, topo, pattern, options, err);
}
