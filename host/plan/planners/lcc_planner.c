// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/math/lcc.h>

#include "plan/planners/planners.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return topo->kind->complements_bits && pattern->n_lccs == 1 && pattern->lccs[0].a.n == topo->n_dims;
}

int loom_lcc_settle(unsigned *order, const struct loom_lcc *lcc, struct loom_err *err)
{
	if (lcc->kind == LOOM_LCC_PERMUTATION)
		return loom_lcc_optimize_permutation(order, &lcc->a, err);
	loom_lcc_optimize(order, lcc);
	return 0;
}

static int plan_lcc(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	const struct loom_lcc *lcc = &request->pattern->lccs[0];
	unsigned n = lcc->a.n;
	if (request->options->objective) { // planned as a set of one: the least largest load need not be the least sum
		(void)snprintf(plan->planner, sizeof plan->planner, "%s", loom_planner_lcc_set.name);
		return loom_planner_lcc_set.plan(plan, request, err);
	}
	if (request->map_is_free) {
		int rc = loom_lcc_settle(plan->order, lcc, err);
		if (rc)
			return rc;
		plan->n_order = n;
		for (uint32_t v = 0; v < plan->topo.n_nodes; v++)
			plan->map[v] = (uint32_t)loom_gf2_reorder_vector(v, n, plan->order);
	}
	if (plan->n_order > 0) {
		size_t n_theory = (size_t)plan->n_passes * (n + 2);
		uint32_t *theory = malloc(n_theory * sizeof *theory);
		if (!theory)
			return loom_fail(err, LOOM_ENOMEM, "out of memory for the theory of %u passes", plan->n_passes);
		for (uint32_t pass = 0; pass < plan->n_passes; pass++)
			loom_lcc_theory(theory + (size_t)pass * (n + 2), lcc, plan->order);
		free(plan->theory);
		plan->theory = theory;
		plan->n_theory = n_theory;
		plan->lower_bound = (uint32_t)loom_lcc_optimum(lcc);
	}
	int rc = plan->n_order > 0 ? 0 : loom_planner_bound_placement(plan, err);
	return rc ? rc : loom_plan_predict(plan, err);
}

const struct loom_planner loom_planner_lcc = {
	.name = "lcc",
	.help = "one linear-complement communication on a cube, least contention ([Hou01], Fig. 3, Theorem 4)",
	.accepts = accepts,
	.plan = plan_lcc,
	.bound = LOOM_BOUND_ORDERS,
};
