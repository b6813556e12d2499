// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/math/lcc.h>
#include <flitloom/math/lcc_set.h>
#include "plan/planners/planners.h"

#define MEMORY_MAX_BYTES ((uint64_t)1 << 30) // never reached, as cubes have few dimensions

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return topo->kind->complements_bits && pattern->n_lccs >= 1 && pattern->lccs[0].a.n == topo->n_dims;
}

int loom_lcc_set_theory(struct loom_plan *plan, const struct loom_lcc *lccs, const unsigned *order,
                        struct loom_err *err)
{
	size_t groups = lccs[0].a.n + 2, n_theory = plan->n_passes * groups;
	uint32_t *theory = malloc(n_theory * sizeof *theory);
	if (!theory)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the theory of %u passes", plan->n_passes);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		uint32_t member = plan->member_of_pass ? plan->member_of_pass[pass] : pass;
		loom_lcc_theory(theory + pass * groups, &lccs[member], order);
	}
	free(plan->theory);
	plan->theory = theory;
	plan->n_theory = n_theory;
	return 0;
}

int loom_lcc_set_settle(unsigned *order, struct loom_lcc_settled *out, const struct loom_pattern *pattern,
                        const char *objective_name, bool is_free, struct loom_err *err)
{
	const struct loom_lcc *lccs = pattern->lccs;
	enum loom_objective objective = LOOM_MAXMAX;
	struct loom_set_result best = {.lower_bound = 0};
	const struct loom_set_limits limits = {.max_bytes = MEMORY_MAX_BYTES};
	int rc = objective_name ? loom_objective_parse(&objective, objective_name, err) : 0;
	if (rc == 0 && (is_free || objective == LOOM_MAXMAX))
		rc = loom_lcc_set_optimize(&best, lccs, pattern->n_lccs, objective, &limits, err);
	if (rc)
		return rc;
	if (is_free)
		memcpy(order, best.order, lccs[0].a.n * sizeof best.order[0]);
	out->lower_bound = objective == LOOM_MAXMAX ? (uint32_t)best.lower_bound : 0;
	for (uint32_t r = 0; objective != LOOM_MAXMAX && r < pattern->n_lccs; r++) {
		uint32_t optimum = (uint32_t)loom_lcc_optimum(&lccs[r]);
		out->lower_bound = optimum > out->lower_bound ? optimum : out->lower_bound;
	}
	out->value = loom_lcc_set_value(lccs, pattern->n_lccs, order, objective);
	out->objective = loom_objective_name(objective);
	return 0;
}

// Measures the loads under an arbitrary map, for which there are no formulas.
static int plan_as_placed(struct loom_plan *plan, const char *objective_name, struct loom_err *err)
{
	enum loom_objective objective = LOOM_MAXMAX;
	int rc = objective_name ? loom_objective_parse(&objective, objective_name, err) : 0;
	(void)snprintf(plan->objective, sizeof plan->objective, "%s", loom_objective_name(objective));
	if (rc == 0)
		rc = loom_planner_bound_placement(plan, err);
	return rc ? rc : loom_plan_predict(plan, err);
}

static int plan_set(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	const struct loom_pattern *pattern = request->pattern;
	const char *objective_name = request->options->objective;
	unsigned n = pattern->lccs[0].a.n;
	if (!request->map_is_free && plan->n_order == 0)
		return plan_as_placed(plan, objective_name, err);
	struct loom_lcc_settled settled;
	int rc = loom_lcc_set_settle(plan->order, &settled, pattern, objective_name, request->map_is_free, err);
	if (rc)
		return rc;
	plan->lower_bound = settled.lower_bound;
	plan->objective_value = settled.value;
	(void)snprintf(plan->objective, sizeof plan->objective, "%s", settled.objective);
	if (request->map_is_free) {
		plan->n_order = n;
		for (uint32_t v = 0; v < plan->topo.n_nodes; v++)
			plan->map[v] = (uint32_t)loom_gf2_reorder_vector(v, n, plan->order);
	}
	rc = loom_lcc_set_theory(plan, pattern->lccs, plan->order, err);
	return rc ? rc : loom_plan_predict(plan, err);
}

const struct loom_planner loom_planner_lcc_set = {
	.name = "lcc_set",
	.help = "one or several linear-complement communications on a cube, one bit order for all ([Hou01], Theorem 5)",
	.accepts = accepts,
	.plan = plan_set,
	.bound = LOOM_BOUND_ORDERS,
};
