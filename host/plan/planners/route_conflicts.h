// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ROUTE_CONFLICTS_H
#define LOOM_ROUTE_CONFLICTS_H

#include <flitloom/plan.h>

#include "plan/planners/conflicts.h"

// Makes the conflicts of the channels that messages first .. first+n-1 of a plan cross on their routes, including
// injection and ejection. A message to oneself crosses nothing. If the plan is half duplex, both directions of a link
// are one channel. false: out of memory.
bool loom_route_conflicts_make(struct loom_conflicts *out, const struct loom_plan *plan, size_t first, size_t n);

#endif
