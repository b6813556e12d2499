// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_FOR_CYCLES_H
#define LOOM_PLAN_FOR_CYCLES_H

#include <stdbool.h>

#include <flitloom/plan.h>

#define LOOM_OBJECTIVE_CYCLES "cycles"

bool loom_objective_is_cycles(const char *objective); // NULL allowed

// loom_plan_make where options->objective is "cycles": begins with the plan of the same request without it, which has all of the
// budget, and looks for one that takes fewer cycles on the machine, with as much budget again. The plan never takes more.
int loom_plan_make_for_cycles(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                              const struct loom_plan_options *options, struct loom_err *err);
// Checks that the objective of a plan, if it is "cycles", has the value that the machine computes. The plan cannot lock.
int loom_plan_check_cycles(const struct loom_plan *plan, struct loom_err *err);

#endif
