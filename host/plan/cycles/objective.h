// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OBJECTIVE_H
#define LOOM_OBJECTIVE_H

#include <stdbool.h>
#include <string.h>

#include <flitloom/plan.h>

#define LOOM_OBJECTIVE_CYCLES "cycles"

static inline bool loom_objective_is_cycles(const char *objective) // NULL allowed
{
	return objective && strcmp(objective, LOOM_OBJECTIVE_CYCLES) == 0;
}

// Counts the cycles of a plan that can be run, as objective "cycles" does. Fails also where loom_plan_tables_check or
// loom_machine_cycles fails.
int loom_objective_count(uint64_t *out, const struct loom_plan *plan, struct loom_err *err);
// Checks the value of the objective "cycles", if the plan has it, by counting. The plan cannot lock.
int loom_objective_check(const struct loom_plan *plan, struct loom_err *err);

#endif
