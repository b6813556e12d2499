// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_EXACT_COLOURS_H
#define LOOM_EXACT_COLOURS_H

#include "plan/planners/budget.h"
#include "plan/planners/conflicts.h"
#include "plan/planners/member_passes.h"

#define LOOM_EXACT_MESSAGES 4096 // the most messages of a graph that is searched; a larger graph is only coloured

// Finds passes in which no channel has two messages, as few as possible, by branch and bound: from the number that
// loom_conflicts_colour finds down to the largest clique found. If the budget is used up first, it gives the fewest
// found; out says what is proved. On entry pass and out->n_passes may have a schedule, as for loom_conflicts_colour.
// false: out of memory.
bool loom_conflicts_exact(uint32_t *pass, struct loom_passes_found *out, struct loom_conflicts *g,
                          struct loom_budget *budget);

#endif
