// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans several linear-complement communications on a cube, with processor v on node M v. If the user does not name it,
// it acts as planner lcc_set unless a linear map has less contention than the best order of the address bits.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/math/lcc.h>
#include <flitloom/math/lcc_set.h>

#include "plan/plan_internal.h"
#include "plan/planners/linear_map.h"
#include "plan/planners/planners.h"

#define STEPS 4000000        // rows that the search examines if there is no budget
#define STEPS_UNASKED 200000 // the same if the user did not name the planner

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return topo->kind->complements_bits && pattern->n_lccs >= 1 && pattern->lccs[0].a.n == topo->n_dims;
}

// Volunteers for several communications only: for a single one the best order of address bits is the best linear map.
static bool volunteers(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	return pattern->n_lccs > 1;
}

static void tell(void *user, uint64_t value, uint64_t lower_bound)
{
	const struct loom_plan_options *o = user;
	char text[100];
	(void)snprintf(text, sizeof text, "objective %" PRIu64 ", contention at least %" PRIu64, value, lower_bound);
	if (o->progress)
		o->progress(o->user, text);
}

static int by_order(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	(void)snprintf(plan->planner, sizeof plan->planner, "%s", loom_planner_lcc_set.name);
	plan->bound = loom_planner_lcc_set.bound;
	return loom_planner_lcc_set.plan(plan, request, err);
}

static int use_map(struct loom_plan *plan, const struct loom_pattern *pattern, const struct loom_gf2 *m,
                   struct loom_err *err)
{
	unsigned identity[LOOM_GF2_MAX];
	struct loom_lcc *mapped = calloc(pattern->n_lccs, sizeof *mapped);
	if (!mapped)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " communications", pattern->n_lccs);
	for (unsigned d = 0; d < m->n; d++)
		identity[d] = d;
	for (uint32_t r = 0; r < pattern->n_lccs; r++)
		loom_lcc_mapped(&mapped[r], &pattern->lccs[r], m);
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++)
		plan->map[v] = (uint32_t)loom_gf2_apply(m, v);
	plan->n_order = loom_plan_order_of_map(plan->order, plan->map, plan->topo.n_nodes);
	int rc = loom_lcc_set_theory(plan, mapped, identity, err);
	free(mapped);
	return rc;
}

static int plan_map(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	const struct loom_pattern *pattern = request->pattern;
	const char *objective_name = request->options->objective;
	const bool is_asked = request->options->planner != NULL;
	unsigned order[LOOM_GF2_MAX];
	struct loom_lcc_settled settled;
	enum loom_objective objective = LOOM_MAXMAX;
	struct loom_linear_result found;
	struct loom_budget budget;
	int rc = objective_name ? loom_objective_parse(&objective, objective_name, err) : 0;
	if (rc != 0)
		return rc;
	if (!request->map_is_free || (!is_asked && objective != LOOM_MAXMAX)) // lcc_set knows the optimum
		return by_order(plan, request, err);
	rc = loom_lcc_set_settle(order, &settled, pattern, objective_name, true, err);
	if (rc != 0)
		return rc;
	(void)snprintf(plan->objective, sizeof plan->objective, "%s", settled.objective);
	loom_budget_begin(&budget, request->options, is_asked ? STEPS : STEPS_UNASKED);
	const struct loom_linear_task task = {.lccs = pattern->lccs,
	                                      .n_lccs = pattern->n_lccs,
	                                      .objective = objective,
	                                      .order = order,
	                                      .told = tell,
	                                      .user = (void *)(uintptr_t)request->options};
	rc = loom_linear_map_search(&found, &task, &budget, err);
	if (rc != 0)
		return rc;
	if (!is_asked && found.value >= settled.value)
		return by_order(plan, request, err);
	plan->lower_bound = (uint32_t)found.lower_bound;
	rc = use_map(plan, pattern, &found.m, err);
	return rc ? rc : loom_plan_predict(plan, err);
}

const struct loom_planner loom_planner_linear_map = {
	.name = "linear_map",
	.help = "several linear-complement communications on a cube, one linear map of the addresses for all",
	.accepts = accepts,
	.volunteers = volunteers,
	.plan = plan_map,
	.bound = LOOM_BOUND_LINEAR,
};
