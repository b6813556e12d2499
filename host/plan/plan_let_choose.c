// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Applies a rule that lets routers choose, or draws ways, to a plan of which only the map is kept.
#include <stdlib.h>

#include <flitloom/planner.h>

#include "plan/plan_adaptive.h"

static bool is_a_map(const struct loom_plan *plan)
{
	const struct loom_planner *planner = loom_planner_named(plan->planner);
	const bool chooses_routes = planner && planner->takes & LOOM_TAKES_LOAD;
	bool is = plan->n_passes == plan->n_members && plan->routes.n == 0 && !plan->free_running && !chooses_routes;
	for (size_t i = 0; is && i < plan->n_messages; i++)
		is = plan->messages[i].from_slot == 0 && plan->messages[i].keep_slot == 0;
	return is;
}

// Draws for each message the node through which it goes.
static void draw(struct loom_plan *plan, unsigned rule, uint64_t seed)
{
	for (size_t i = 0; i < plan->n_messages; i++) {
		struct loom_plan_message *m = &plan->messages[i];
		if (loom_plan_uses_network(plan, m))
			m->via = loom_via_draw(&plan->topo, rule, plan->map[m->source], plan->map[m->destination], seed,
			                       i);
	}
}

int loom_plan_let_choose(struct loom_plan *plan, const struct loom_plan_options *asked, struct loom_err *err)
{
	const unsigned rule = loom_rule_by_name(asked->rule);
	const bool is_adaptive = loom_rule_is_adaptive(rule);
	if (!is_a_map(plan))
		return loom_fail(err, LOOM_EINPUT,
		                 "planner %s makes passes or routes for the usual rules, and rule %s %s; what goes "
		                 "with it is a map, such as planner direct's or lcc's",
		                 plan->planner, loom_rule_name(rule),
		                 is_adaptive ? "leaves the way to the routers" : "draws the way of each message");
	for (size_t i = 0; i < plan->n_messages; i++)
		plan->messages[i].rule = (uint8_t)rule;
	plan->select = is_adaptive ? asked->select : 0;
	if (!is_adaptive)
		draw(plan, rule, asked->seed);
	plan->bound = LOOM_BOUND_PLACEMENT;
	plan->objective[0] = '\0';
	plan->passes_proved = 0;
	plan->lower_bound_flits = 0;
	plan->n_theory = 0; // the theory is of the usual routes
	free(plan->theory);
	plan->theory = NULL;
	const int rc = loom_planner_bound_placement(plan, err);
	return rc ? rc : loom_plan_predict(plan, err);
}
