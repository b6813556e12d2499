// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/cycles/objective.h"

#include <inttypes.h>
#include <stdio.h>

#include <flitloom/machine.h>

#include "plan/plan_tables.h"
#include "plan/table_fabric.h"

int loom_objective_check_routes(const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_route_tables tables;
	char fabric[LOOM_TOPO_NAME], on[LOOM_TOPO_NAME + 16] = "";
	if (plan->routes.n == 0)
		return 0;
	if (plan->topo.kind->spare_label_bits == 0) {
		if (loom_plan_table_fabric(fabric, plan))
			(void)snprintf(on, sizeof on, " on fabric %s", fabric);
		return loom_fail(
			err, LOOM_EINPUT,
			"planner %s chose a route for each message, which the routers of %s cannot take; planner "
			"xy or yx would do, and chosen routes%s",
			plan->planner, plan->topo.name, on[0] ? on : " where routers have tables");
	}
	int code = loom_plan_tables_make(&tables, plan, &plan->routes, err);
	if (code == 0)
		loom_route_tables_free(&tables);
	return code;
}

int loom_objective_count(uint64_t *out, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_err why = {0};
	int code = loom_objective_check_routes(plan, &why);
	if (code == 0)
		code = loom_machine_cycles(out, plan, LOOM_MACHINE_FAST, &why);
	return code == 0 ? 0 : loom_fail(err, code, "objective %s: %.440s", LOOM_OBJECTIVE_CYCLES, why.text);
}

int loom_objective_check(const struct loom_plan *plan, struct loom_err *err)
{
	uint64_t cycles = 0;
	if (!loom_objective_is_cycles(plan->objective))
		return 0;
	int code = loom_objective_count(&cycles, plan, err);
	if (code || cycles == plan->objective_value)
		return code;
	return loom_fail(err, LOOM_EINPUT,
	                 "the objective is predicted as %" PRIu64 ", but the messages come to %" PRIu64,
	                 plan->objective_value, cycles);
}
