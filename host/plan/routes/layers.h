// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LAYERS_H
#define LOOM_LAYERS_H

#include <stdbool.h>

#include <flitloom/routes.h>

#include "plan/planners/budget.h"

// Looks for passes and routes together: each of the messages gets one of n_passes passes and a minimal route such that no
// channel, the nodes' own included, carries two messages in one pass. channel: all routes side by side, as struct loom_routes
// has them, and first; both are read as a beginning and, with pass, changed only if *found. Messages to their own node are in
// pass 0. Deterministic; false where none was found or the budget is used up. LOOM_ENOMEM.
int loom_layers_find(bool *found, uint32_t *pass, uint32_t *channel, const size_t *first, uint32_t n_passes,
                     const struct loom_topo *topo, const struct loom_message *messages, size_t n,
                     struct loom_budget *budget, struct loom_err *err);

#endif
