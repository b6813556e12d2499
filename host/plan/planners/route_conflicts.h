// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ROUTE_CONFLICTS_H
#define LOOM_ROUTE_CONFLICTS_H

#include <flitloom/plan.h>

#include "plan/planners/conflicts.h"

// The conflict graph of messages first .. first+n-1 of a plan on the routes that they have, injection and ejection
// included; a message that does not use the network meets nobody. false: out of memory.
bool loom_route_conflicts_make(struct loom_conflicts *out, const struct loom_plan *plan, size_t first, size_t n);

#endif
