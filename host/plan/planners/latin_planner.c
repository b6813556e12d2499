// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans all-to-all personalized exchange on a multistage network ([Yang00]): one pass for each row of the Latin square,
// without a barrier between them. For any other placement of the processors it uses the same square, read through the
// map.
#include <stdlib.h>

#include <flitloom/math/latin.h>
#include "base/numbers.h"
#include "plan/planners/permutation.h"
#include "plan/planners/planners.h"

#include "topo/topo_min.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	struct loom_min net;
	return loom_topo_min(&net, topo, LOOM_RULE_ASCENDING) && loom_planner_is_all_to_all(pattern);
}

// Leaves out permutations of two nodes: they are all-to-others as well, and need no square.
static bool volunteers(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return pattern->n_messages > topo->n_nodes;
}

static int compare_sources(const void *a, const void *b)
{
	const struct loom_plan_message *x = a, *y = b;
	return loom_order(x->source, y->source);
}

static int plan_latin(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	(void)request; // all maps are equally good
	struct loom_min net;
	uint16_t row0[LOOM_TOPO_MIN_NODES], row_of[LOOM_TOPO_MIN_NODES];
	(void)loom_topo_min(&net, &plan->topo, LOOM_RULE_ASCENDING);
	uint32_t n = loom_min_nodes(&net);
	loom_latin_row0(row0, &net);
	for (uint32_t i = 0; i < n; i++)
		row_of[loom_latin_gray(i)] = (uint16_t)i;
	plan->free_running = true;
	for (size_t i = 0; i < plan->n_messages; i++) {
		struct loom_plan_message *m = &plan->messages[i];
		m->pass = row_of[row0[plan->map[m->source]] ^ plan->map[m->destination]];
	}
	// Sorts the messages of each pass by source.
	qsort(plan->messages, plan->n_messages, sizeof *plan->messages, compare_sources);
	plan->lower_bound = n > 2 ? 1 : 0; // with one stage there are only the nodes' own channels
	int rc = loom_planner_set_messages(plan, plan->messages, plan->n_messages, n, err);
	return rc != 0 ? rc : loom_plan_predict(plan, err);
}

const struct loom_planner loom_planner_latin = {
	.name = "latin",
	.help = "all-to-all on a multistage network: the rows of a Latin square, one after the other without a barrier",
	.accepts = accepts,
	.volunteers = volunteers,
	.plan = plan_latin,
	.bound = LOOM_BOUND_ANY,
};
