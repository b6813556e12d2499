// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LAYERS_H
#define LOOM_LAYERS_H

#include <stdbool.h>

#include <flitloom/routes/routes.h>

#include "plan/planners/budget.h"

// Messages in passes, with their routes. pass and channel are changed.
struct loom_layers {
	const struct loom_topo *topo;
	const struct loom_message *messages;
	size_t n;
	uint32_t *pass;      // by message
	const size_t *first; // as in struct loom_routes
	uint32_t *channel;   // all routes, one behind the other, as there
	struct loom_budget *budget;
};

// Searches for passes and routes together: each message gets one of n_passes passes and a minimal route such that no
// channel, including the nodes' own, carries two messages in one pass. The search begins with those in *l, and changes
// them only if *found. Messages to their own node are in pass 0. Deterministic. *found false: none was found, or the
// budget is used up. LOOM_ENOMEM.
int loom_layers_find(bool *found, const struct loom_layers *l, uint32_t n_passes, struct loom_err *err);

#endif
