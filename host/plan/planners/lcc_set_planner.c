// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/lcc.h>
#include <flitloom/lcc_set.h>
#include "plan/planners/planners.h"

#define MEMORY_MAX_BYTES ((uint64_t)1 << 30) // cubes have few dimensions: never needed

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return topo->kind->complements_bits && pattern->n_lccs >= 1 && pattern->lccs[0].a.n == topo->n_dims;
}

static int set_theory(struct loom_plan *plan, const struct loom_pattern *pattern, struct loom_err *err)
{
	size_t groups = pattern->lccs[0].a.n + 2, n_theory = plan->n_passes * groups;
	uint32_t *theory = malloc(n_theory * sizeof *theory);
	if (!theory)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the theory of %u passes", plan->n_passes);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		uint32_t member = plan->member_of_pass ? plan->member_of_pass[pass] : pass;
		loom_lcc_theory(theory + pass * groups, &pattern->lccs[member], plan->order);
	}
	free(plan->theory);
	plan->theory = theory;
	plan->n_theory = n_theory;
	return 0;
}

static int plan_set(struct loom_plan *plan, const struct loom_pattern *pattern, const char *objective_name,
                    bool map_is_free, struct loom_err *err)
{
	unsigned n = pattern->lccs[0].a.n;
	enum loom_objective objective = LOOM_MAXMAX;
	struct loom_set_result best;
	int rc = objective_name ? loom_objective_parse(&objective, objective_name, err) : 0;
	if (rc)
		return rc;
	snprintf(plan->objective, sizeof plan->objective, "%s", loom_objective_name(objective));
	if (!map_is_free && plan->n_order == 0) { // an arbitrary map: the formulas say nothing of it, it is measured
		rc = loom_planner_bound_placement(plan, err);
		return rc ? rc : loom_plan_predict(plan, err);
	}

	if (map_is_free || objective == LOOM_MAXMAX) {
		rc = loom_lcc_set_optimize(&best, pattern->lccs, pattern->n_lccs, objective, MEMORY_MAX_BYTES, NULL,
		                           NULL, err);
		if (rc)
			return rc;
	}
	if (map_is_free) {
		memcpy(plan->order, best.order, n * sizeof best.order[0]);
		plan->n_order = n;
		for (uint32_t v = 0; v < plan->topo.n_nodes; v++)
			plan->map[v] = (uint32_t)loom_gf2_reorder_vector(v, n, plan->order);
	}
	plan->lower_bound = 0;
	if (objective == LOOM_MAXMAX)
		plan->lower_bound = (uint32_t)best.lower_bound;
	else
		for (uint32_t r = 0; r < pattern->n_lccs; r++) {
			uint32_t optimum = (uint32_t)loom_lcc_optimum(&pattern->lccs[r]);
			plan->lower_bound = optimum > plan->lower_bound ? optimum : plan->lower_bound;
		}
	plan->objective_value = loom_lcc_set_value(pattern->lccs, pattern->n_lccs, plan->order, objective);
	rc = set_theory(plan, pattern, err);
	return rc ? rc : loom_plan_predict(plan, err);
}

const struct loom_planner loom_planner_lcc_set = {
	.name = "lcc_set",
	.help = "one or several linear-complement communications on a cube, one bit order for all ([Hou01], Theorem 5)",
	.accepts = accepts,
	.plan = plan_set,
	.bound = LOOM_BOUND_ORDERS,
};
