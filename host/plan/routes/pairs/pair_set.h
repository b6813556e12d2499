// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIR_SET_H
#define LOOM_PAIR_SET_H

#include "plan/routes/pairs/pair_state.h"

// A set of routes that cannot lock: places rise along all of them.
struct loom_pair_set {
	struct loom_pair_way *way; // owned: [source * n_nodes + destination]
	double *place;             // owned: [lane * n_links + link]
	bool found;                // true if there are routes
	uint32_t largest_load;
	uint64_t hops; // hops of all routes together
};

// Makes room for routes, with none found. LOOM_ENOMEM.
int loom_pair_set_make(struct loom_pair_set *out, const struct loom_pair_net *net, uint32_t n_lanes,
                       struct loom_err *err);
void loom_pair_set_free(struct loom_pair_set *set, const struct loom_pair_net *net);
// Replaces a way by a copy. LOOM_ENOMEM.
int loom_pair_way_take(struct loom_pair_way *out, const struct loom_pair_way *way, struct loom_err *err);

#endif
