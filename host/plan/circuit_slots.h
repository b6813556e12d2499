// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUIT_SLOTS_H
#define LOOM_CIRCUIT_SLOTS_H

#include <flitloom/plan.h>

// Checks that a plan on optical circuit switches is one that light can carry: loom_plan_circuits finds its slots. Of plans on
// other fabrics nothing is asked.
int loom_plan_check_circuits(const struct loom_plan *plan, struct loom_err *err);

// Checks that the plan can be timed for a machine: circuit switches have the usual one.
int loom_plan_check_machine(const struct loom_plan *plan, enum loom_machine machine, struct loom_err *err);

#endif
