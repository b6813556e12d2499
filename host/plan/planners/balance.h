// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_BALANCE_H
#define LOOM_BALANCE_H

#include <flitloom/plan.h>

#include "plan/planners/conflicts.h"

// Changes the passes of g->n messages of the plan, from `first` on, whose graph is g, so that they take fewer cycles in
// all, if possible: a pass takes as long as its longest message. There are never more passes than before. false: out of
// memory.
bool loom_plan_balance(uint32_t *pass, uint32_t *n_passes, struct loom_conflicts *g, const struct loom_plan *plan,
                       size_t first);

// Does the same for messages first .. first+n-1 without their graph, and only if they differ in flits.
int loom_plan_balance_mixed(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan, size_t first, size_t n,
                            struct loom_err *err);

#endif
