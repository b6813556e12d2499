// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_ADAPTIVE_H
#define REF_ADAPTIVE_H

#include <stddef.h>
#include <stdint.h>

#include "ref_net.h"

// The memory of adaptive routers: of the lanes that they gave to messages, over all runs from one reset on, and how they choose.

enum ref_select {
	REF_FIXED,  // the lowest lane
	REF_RANDOM, // the first from a random one on
	REF_LRU,    // the one that was given longest ago
	REF_ROOM,   // the one with most room at its end
};

struct ref_adaptive;
struct state;

// As after a reset. NULL: no memory, or a node has more than 63 lanes.
struct ref_adaptive *ref_adaptive_new(const struct ref_net *net, enum ref_select select);
void ref_adaptive_free(struct ref_adaptive *adaptive);

// At the start of a cycle, when heads are known: gives lanes to the messages whose headers have none. Those that wait on have
// s->hungry at the channels where they could go.
void ref_adaptive_give(struct state *s);

#endif
