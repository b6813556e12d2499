// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_ADAPTIVE_H
#define REF_ADAPTIVE_H

#include <stddef.h>
#include <stdint.h>

#include "ref_net.h"

// The state that adaptive routers keep over all runs since a reset: which lanes they granted to messages. It also has
// their way to choose.

enum ref_select {
	REF_FIXED,  // the lowest lane
	REF_RANDOM, // the first free lane from a random one on
	REF_LRU,    // the lane that was granted longest ago
	REF_ROOM,   // the lane with most room at its far end
};

struct ref_adaptive;
struct state;

// Makes the state after a reset. NULL: no memory, or the links of a node have more than 63 lanes.
struct ref_adaptive *ref_adaptive_new(const struct ref_net *net, enum ref_select select);
void ref_adaptive_free(struct ref_adaptive *adaptive);

// At the start of a cycle, when the heads of buffers are known, grants lanes to headers that have none. For headers
// that get none it sets s->hungry at the channels that they could take.
void ref_adaptive_give(struct state *s);

#endif
