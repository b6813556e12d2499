// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/cycles/fewer_cycles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/deadlock.h>

#include "plan/cycles/cycles.h"
#include "plan/cycles/cycles_least.h"
#include "plan/cycles/objective.h"
#include "plan/plan_internal.h"

#define STEPS_DEFAULT 10000000u // channels that headers cross in all runs together

// True if the request leaves the map open: it is "best", which is the default, or is to be searched for.
static bool map_is_free(const char *map)
{
	return !map || strcmp(map, "best") == 0 || strcmp(map, "search") == 0;
}

static int begin(struct loom_cycles_search *s, struct loom_plan *plan, const struct loom_pattern *pattern,
                 const struct loom_plan_options *options, struct loom_err *err)
{
	struct loom_plan_options of_plan = *options;
	of_plan.planner = plan->planner;
	*s = (struct loom_cycles_search){.plan = plan, .pattern = pattern, .options = options};
	s->descent = (struct loom_descent){.plan = plan, .name = "objective"};
	loom_budget_begin(&s->descent.budget, options, STEPS_DEFAULT);
	loom_rng_init(&s->descent.rng, options->seed);
	int code = loom_plan_choose(&s->planner, &plan->topo, pattern, &of_plan, err);
	if (code == 0)
		code = loom_objective_count(&s->descent.cycles, plan, err);
	return code ? code : loom_cycles_least(&s->descent.least, plan, err);
}

// Searches for places with plans of the planner. If a search for routes follows, this one has half of the budget.
static int replan(struct loom_cycles_search *s, struct loom_err *err)
{
	struct loom_descent *d = &s->descent;
	const struct loom_budget all = d->budget;
	if (!map_is_free(s->options->map) || loom_cycles_promises_nothing(s->plan))
		return 0;
	if (!loom_route_change_is_open(s))
		return loom_cycles_replan(s, err);
	const struct loom_budget share = d->budget = loom_budget_share(&all, 2);
	int code = loom_cycles_replan(s, err);
	const struct loom_budget spent = d->budget;
	d->budget = all;
	loom_budget_give_back(&d->budget, &share, &spent);
	return code;
}

// Computes the lower bounds for the present map.
static int bound_again(struct loom_cycles_search *s, struct loom_err *err)
{
	struct loom_plan_options options = *s->options;
	struct loom_plan again;
	options.planner = s->planner->name;
	options.objective = options.map = NULL;
	options.progress = NULL;
	if (s->planner->bound == LOOM_BOUND_ANY)
		return 0;
	if (s->planner->bound != LOOM_BOUND_MINIMAL)
		return loom_planner_bound_placement(s->plan, err);
	int code = loom_plan_make_on(&again, &s->plan->topo, s->pattern, &options, s->plan->map, err);
	if (code)
		return code;
	s->plan->lower_bound = again.lower_bound;
	s->plan->lower_bound_flits = again.lower_bound_flits;
	loom_plan_free(&again);
	return 0;
}

static int count_placed_flits(struct loom_plan *plan, struct loom_err *err)
{
	struct loom_plan_placement *placement = &plan->making->placement;
	uint64_t on_all;
	return placement->how[0] ? loom_plan_placed_flits(&placement->flits, &on_all, plan, err) : 0;
}

// Finishes and checks the present plan.
static int finish(struct loom_cycles_search *s, struct loom_err *err)
{
	struct loom_plan *plan = s->plan;
	uint64_t cycles = 0;
	plan->n_order = loom_plan_order_of_map(plan->order, plan->map, plan->topo.n_nodes);
	(void)snprintf(plan->objective, sizeof plan->objective, "%s", LOOM_OBJECTIVE_CYCLES);
	int code = loom_plan_predict(plan, err);
	if (code == 0)
		code = loom_plan_check_deliveries(plan, s->pattern, err);
	if (code == 0)
		code = loom_deadlock_check(plan, err);
	if (code == 0)
		code = loom_objective_count(&cycles, plan, err);
	if (code == 0 && cycles != s->descent.cycles)
		code = loom_fail(err, LOOM_EINTERNAL, "the plan takes %" PRIu64 " cycles, and %" PRIu64 " were found",
		                 cycles, s->descent.cycles);
	plan->objective_value = cycles;
	return code == 0 ? count_placed_flits(plan, err) : code;
}

int loom_plan_take_fewer_cycles(struct loom_plan *plan, const struct loom_pattern *pattern,
                                const struct loom_plan_options *options, struct loom_err *err)
{
	struct loom_cycles_search s;
	bool is_placed = false;
	int code = begin(&s, plan, pattern, options, err);
	if (code == 0)
		code = replan(&s, err);
	if (code == 0)
		code = loom_cycles_rework(&is_placed, &s, map_is_free(options->map), err);
	if (code == 0)
		code = loom_cycles_order_passes(&s, err);
	if (code == 0 && is_placed)
		code = bound_again(&s, err);
	return code ? code : finish(&s, err);
}
