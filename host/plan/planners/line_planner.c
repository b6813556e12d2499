// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans any messages on a row of nodes, in the fewest passes without contention: LIN-SCHEDULE, for each direction
// separately or for both together ([Youssef93], section 4).
#include <stdlib.h>

#include <flitloom/math/line_passes.h>

#include "plan/planners/balance.h"
#include "plan/planners/member_passes.h"
#include "plan/planners/planners.h"
#include "plan/planners/route_conflicts.h"
#include "topo/topo_span.h"

#define HOPS_MOST 1e7 // hops of all messages up to which the conflict graph is coloured as well

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return loom_topo_has_spans(topo) && !topo->kind->wraps && pattern->n_messages != 0;
}

// Looks for a better colouring of the conflict graph: there may be one if nodes send both ways, so that the two
// directions meet.
static int improve(uint32_t *pass, struct loom_passes_found *out, const struct loom_plan *plan, size_t first, size_t n,
                   struct loom_err *err)
{
	struct loom_conflicts g = {0};
	double hops = 0;
	for (size_t i = first; i < first + n; i++) {
		uint32_t a = plan->map[plan->messages[i].source], b = plan->map[plan->messages[i].destination];
		hops += a < b ? b - a : a - b;
	}
	if (hops > HOPS_MOST || out->n_passes <= out->n_least)
		return 0;
	bool done = loom_route_conflicts_make(&g, plan, first, n) && loom_conflicts_colour(pass, &out->n_passes, &g);
	loom_conflicts_free(&g);
	return done ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
}

static int schedule(uint32_t *pass, struct loom_passes_found *out, const struct loom_plan *plan,
                    const struct loom_plan_options *options, size_t first, size_t n, struct loom_err *err)
{
	(void)options;
	struct loom_line_passes found = {0, 0};
	uint32_t *source = calloc(n, sizeof *source), *destination = calloc(n, sizeof *destination);
	int rc = source && destination ? 0
	                               : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		source[i] = plan->map[plan->messages[first + i].source];
		destination[i] = plan->map[plan->messages[first + i].destination];
	}
	const struct loom_line_messages messages = {.n_nodes = plan->topo.n_nodes,
	                                            .half_duplex = plan->half_duplex,
	                                            .n = n,
	                                            .source = source,
	                                            .destination = destination};
	if (rc == 0)
		rc = loom_line_passes_schedule(pass, &found, &messages, err);
	*out = (struct loom_passes_found){found.n_passes, found.lower_bound, LOOM_PROOF_CLIQUE};
	if (rc == 0)
		rc = improve(pass, out, plan, first, n, err);
	if (rc == 0)
		rc = loom_plan_balance_mixed(pass, &out->n_passes, plan, first, n, err);
	free(source);
	free(destination);
	return rc;
}

static int plan_line(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	return loom_plan_in_proved_passes(plan, request, schedule, err);
}

const struct loom_planner loom_planner_line = {
	.name = "line",
	.help = "any messages on a row of nodes, in the fewest passes without contention (LIN-SCHEDULE)",
	.accepts = accepts,
	.plan = plan_line,
	.bound = LOOM_BOUND_PLACEMENT,
	.takes = LOOM_TAKES_HALF_DUPLEX | LOOM_TAKES_RULES,
};
