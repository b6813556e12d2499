// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ROUTING_H
#define LOOM_ROUTING_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/traffic.h>

// The ways of messages of a run at a load: by a rule or, if a planner chose them, one for each pair of nodes for which
// routes were made. All nodes are physical.
struct loom_routing {
	const struct loom_topo *topo;
	const struct loom_load_routes *routes; // NULL: by the rule
	enum loom_rule rule;                   // the rule as requested
	uint64_t seed;                         // draws the nodes through which messages go
};

struct loom_routing loom_routing_of(const struct loom_topo *topo, const struct loom_load_options *options);
// The ways of replies: by their own rule. If there are none, those of all messages.
struct loom_routing loom_routing_of_replies(const struct loom_topo *topo, const struct loom_load_options *options);
// True if there is a way between two nodes.
bool loom_routing_has(const struct loom_routing *routing, uint32_t source, uint32_t destination);
// Checks the ways in the options, which a planner chose and found free of deadlocks: they are of this network, one for
// every pair that sends, and there are no replies, for which none were chosen. LOOM_EINPUT.
int loom_routing_check(const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
                       const struct loom_load_options *options, struct loom_err *err);
// True if routers choose the ways.
bool loom_routing_chooses(const struct loom_routing *routing);
// True if each message goes through a node that is drawn for it (flitloom/routes/via.h).
bool loom_routing_has_via(const struct loom_routing *routing);
// True if all messages go by this rule, whatever their ends.
bool loom_routing_is_by_rule(const struct loom_routing *routing, enum loom_rule rule);
// Draws the intermediate node for message `number` of those that a node sends; 0 if the rule has none.
uint32_t loom_routing_draw(const struct loom_routing *routing, uint32_t source, uint32_t destination, uint64_t number);
// Begins the way, which loom_route_next continues; where routers choose, it is one of those that a message may take.
// via: the node that was drawn; without one it is ignored, here and below.
void loom_routing_begin(struct loom_route *out, const struct loom_routing *routing, uint32_t source,
                        uint32_t destination, uint32_t via);
// The rule in the header of a message.
uint32_t loom_routing_rule(const struct loom_routing *routing, uint32_t source, uint32_t destination);
// The tables of a chip whose messages bear labels of their ways; NULL: they bear nodes.
const struct loom_route_tables *loom_routing_tables(const struct loom_routing *routing);
// The label of a way; only if there are tables.
uint32_t loom_routing_label(const struct loom_routing *routing, uint32_t source, uint32_t destination);
// The latency, in cycles from release to tail, of a message that never waits.
uint32_t loom_routing_without_wait(const struct loom_routing *routing, uint32_t flits, uint32_t source,
                                   uint32_t destination, uint32_t via);

#endif
