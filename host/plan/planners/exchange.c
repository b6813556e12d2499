// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans all-to-all personalized exchange on a cube. In pass i processor v sends to v ^ i, which e-cube carries without
// contention: every message crosses the same dimensions in the same order.
#include <stdlib.h>

#include "base/numbers.h"
#include "plan/planners/permutation.h"
#include "plan/planners/planners.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return topo->kind->complements_bits && loom_planner_is_all_to_all(pattern);
}

static int compare_passes(const void *a, const void *b)
{
	const struct loom_plan_message *x = a, *y = b;
	const int by = loom_order(x->pass, y->pass);
	return by ? by : loom_order(x->source, y->source);
}

static int plan_exchange(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	(void)request; // the nodes are paired, whatever the map
	for (size_t i = 0; i < plan->n_messages; i++) {
		struct loom_plan_message *m = &plan->messages[i];
		uint32_t difference = plan->map[m->source] ^ plan->map[m->destination];
		m->pass = difference ? difference - 1 : 0; // a message to its sender needs no pass
	}
	qsort(plan->messages, plan->n_messages, sizeof *plan->messages, compare_passes);
	plan->lower_bound = 1;
	int rc = loom_planner_set_messages(plan, plan->messages, plan->n_messages, plan->topo.n_nodes - 1, err);
	return rc != 0 ? rc : loom_plan_predict(plan, err);
}

const struct loom_planner loom_planner_exchange = {
	.name = "exchange",
	.help = "all-to-all on a cube: a pass without contention for every difference of addresses",
	.accepts = accepts,
	.plan = plan_exchange,
	.bound = LOOM_BOUND_ANY,
};
