// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_BALANCE_H
#define LOOM_PLAN_BALANCE_H

#include <flitloom/plan.h>

#include "plan/planners/conflicts.h"

// Passes of the messages first .. of the plan (g->n of them, the graph is theirs) changed so that they take fewer cycles in all, if they can: a pass takes what its longest
// message does. They become no more. false: out of memory.
bool loom_plan_balance(uint32_t *pass, uint32_t *n_passes, struct loom_conflicts *g, const struct loom_plan *plan,
                       size_t first);

// The same for messages first .. first+n-1 without their graph, and only if not all have as many flits.
int loom_plan_balance_mixed(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan, size_t first, size_t n,
                            struct loom_err *err);

#endif
