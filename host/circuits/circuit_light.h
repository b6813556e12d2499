// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUIT_LIGHT_H
#define LOOM_CIRCUIT_LIGHT_H

#include "circuits/circuits_internal.h"

// Searches for the schedule with the least makespan, within the budget.
int loom_circuit_light(struct loom_circuit_schedule *out, const struct loom_demand *demand,
                       const struct loom_circuit_options *options, struct loom_err *err);

#endif
