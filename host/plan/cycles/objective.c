// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/cycles/objective.h"

#include <inttypes.h>

#include <flitloom/machine.h>

#include "plan/plan_tables.h"

int loom_objective_count(uint64_t *out, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_err why = {0};
	int code = loom_plan_tables_check(plan, &why);
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
