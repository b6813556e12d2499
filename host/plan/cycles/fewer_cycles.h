// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FEWER_CYCLES_H
#define LOOM_FEWER_CYCLES_H

#include <flitloom/plan.h>

// Searches, from this plan on and within the budget of `options`, for a plan that takes fewer cycles on the machine.
// The plan found replaces *plan, with objective "cycles"; it never takes more cycles. *plan is the result of the
// options without an objective. The caller frees it, also on failure.
int loom_plan_take_fewer_cycles(struct loom_plan *plan, const struct loom_pattern *pattern,
                                const struct loom_plan_options *options, struct loom_err *err);

#endif
