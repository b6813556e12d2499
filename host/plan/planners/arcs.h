// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ARCS_H
#define LOOM_ARCS_H

#include "plan/planners/budget.h"
#include "plan/planners/member_passes.h"

// Links first, first + 1, ..., first + n - 1 round a ring; n is 1 to n_links - 1.
struct loom_arc {
	uint32_t first, n;
};

// Puts arcs into passes in which no two use a link, as few as possible; if the budget is used up first, few. pass[i]
// counts from 0, and none is empty. out says what is proved, by the load of a link or by search; n 0: no passes.
// Deterministic without a deadline. false: out of memory.
bool loom_arcs_colour(uint32_t *pass, struct loom_passes_found *out, uint32_t n_links, const struct loom_arc *arc,
                      size_t n, struct loom_budget *budget);

#endif
