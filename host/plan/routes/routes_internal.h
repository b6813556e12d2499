// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ROUTES_INTERNAL_H
#define LOOM_ROUTES_INTERNAL_H

#include <flitloom/routes/routes.h>

#include "plan/routes/region.h"

// Declarations that the files of host/plan/routes share.

// Checks the messages. LOOM_EINPUT: no direct network, or a node that does not exist.
int loom_routes_check_messages(const struct loom_topo *topo, const struct loom_message *messages, size_t n,
                               struct loom_err *err);
int loom_routes_check_detours(uint32_t detours, struct loom_err *err); // LOOM_EINPUT
// Makes room for routes in the region, and sets `first`: each message has room for as many links as it may take, so
// without detours the routes fill it. LOOM_ENOMEM.
int loom_routes_make_room(struct loom_routes *out, struct loom_region *region, const struct loom_message *messages,
                          size_t n, struct loom_err *err);

// Sums the load of each channel: out[channel], loom_topo_channels elements. Links only: injection and ejection stay 0.
void loom_routes_loads(uint64_t *out, const struct loom_routes *routes, const struct loom_topo *topo,
                       const struct loom_message *messages, enum loom_load_unit load);

// Finds the rings round whose end a route in dimension order leads, a bit for each; rings of two nodes are left out.
bool loom_ring_ends(uint32_t *out, const struct loom_routes *routes, size_t i, const struct loom_topo *topo);

// Returns the load that a message adds to a link.
static inline uint64_t loom_routes_weight(const struct loom_message *m, enum loom_load_unit load)
{
	return load == LOOM_LOAD_FLITS ? m->flits : 1;
}

#endif
