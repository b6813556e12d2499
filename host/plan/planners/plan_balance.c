// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/planners/plan_balance.h"

#include <stdlib.h>

#include "plan/planners/route_conflicts.h"

bool loom_plan_balance(uint32_t *pass, uint32_t *n_passes, struct loom_conflicts *g, const struct loom_plan *plan,
                       size_t first)
{
	bool differ = false, done = true;
	uint64_t *cycles = malloc((g->n + 1) * sizeof *cycles);
	for (size_t i = 0; cycles && i < g->n; i++) {
		cycles[i] = loom_plan_message_cycles(plan, &plan->messages[first + i]);
		differ = differ || cycles[i] != cycles[0];
	}
	if (differ)
		done = loom_conflicts_balance(pass, n_passes, g, cycles);
	free(cycles);
	return cycles && done;
}

int loom_plan_balance_mixed(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan, size_t first, size_t n,
                            struct loom_err *err)
{
	struct loom_conflicts g = {0};
	bool differ = false, done = true;
	for (size_t i = 1; i < n; i++)
		differ = differ || plan->messages[first + i].flits != plan->messages[first].flits;
	if (differ)
		done = loom_route_conflicts_make(&g, plan, first, n) &&
		       loom_plan_balance(pass, n_passes, &g, plan, first);
	loom_conflicts_free(&g);
	return done ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
}
