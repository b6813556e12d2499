// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUIT_SLOTS_H
#define LOOM_CIRCUIT_SLOTS_H

#include <flitloom/plan.h>

// Checks that light can carry a plan on optical circuit switches: loom_plan_circuits finds its slots. Accepts plans on
// all other fabrics.
int loom_plan_check_circuits(const struct loom_plan *plan, struct loom_err *err);

// Checks that cycles can be computed for this machine: circuit switches have only the usual one.
int loom_plan_check_machine(const struct loom_plan *plan, enum loom_machine machine, struct loom_err *err);

#endif
