// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_WAYS_H
#define LOOM_TRAFFIC_WAYS_H

#include <stdint.h>

#include <flitloom/err.h>
#include <flitloom/topo.h>

#include "traffic/routing.h"

// The ways of messages through a network. If there are few pairs of nodes, ways are kept once they are made; otherwise
// each is made for one message, and freed after it.
struct loom_ways;

// A message's way.
struct loom_way {
	uint32_t n; // lanes
	uint32_t lane[];
};

// LOOM_ENOMEM. The caller keeps the memory to which the routing points.
int loom_ways_make(struct loom_ways **out, const struct loom_routing *routing, struct loom_err *err);
void loom_ways_free(struct loom_ways *ways); // NULL allowed
// Returns the latency of a message of `flits` flits that never waits.
uint32_t loom_ways_without_wait(const struct loom_ways *ways, const struct loom_way *way, uint32_t source,
                                uint32_t destination, uint32_t via, uint32_t flits);
// Finds the way from source to destination, through node `via` if one was drawn (loom_routing_draw). NULL: no memory.
// The caller gives the way back.
struct loom_way *loom_ways_take(struct loom_ways *ways, uint32_t source, uint32_t destination, uint32_t via);
// Prefetches what a later call for a kept way will read: the pointer to it; and, once that is there, the way itself.
void loom_ways_foresee(const struct loom_ways *ways, uint32_t source, uint32_t destination);
void loom_ways_fetch(const struct loom_ways *ways, uint32_t source, uint32_t destination);
void loom_ways_give_back(struct loom_ways *ways, struct loom_way *way);

#endif
