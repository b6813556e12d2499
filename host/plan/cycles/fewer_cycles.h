// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FEWER_CYCLES_H
#define LOOM_FEWER_CYCLES_H

#include <flitloom/plan.h>

// Looks for a plan that takes fewer cycles on the machine, from this one on, within the budget of `options`, and leaves it in its
// place, with objective "cycles". It never takes more. `plan` is what the options without an objective gave, and remains the
// caller's to free, also on failure.
int loom_plan_take_fewer_cycles(struct loom_plan *plan, const struct loom_pattern *pattern,
                                const struct loom_plan_options *options, struct loom_err *err);

#endif
