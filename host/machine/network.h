// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MACHINE_NETWORK_H
#define LOOM_MACHINE_NETWORK_H

#include <flitloom/topo.h>

#include "machine/engine.h"

// A fabric as engines see it.
struct loom_machine_network {
	struct loom_engine_net net;       // it points to the arrays below
	uint16_t *rank;                   // owned
	bool *is_light;                   // owned; NULL: no link is optical
	uint8_t *delay;                   // owned; NULL: none is slow
	struct loom_engine_memory memory; // for routers that choose; its arrays are owned
};

// Makes the network of a topology. `rule` is the rule by which the messages go; it matters only on fabrics that
// messages can cross in both directions (loom_topo_min). LOOM_ENOMEM.
int loom_machine_network_make(struct loom_machine_network *out, const struct loom_topo *topo, enum loom_rule rule,
                              struct loom_err *err);
void loom_machine_network_free(struct loom_machine_network *network); // leaves it zeroed

// Makes the routers of a network choose lanes, by a rule of preference (enum loom_select). The caller keeps the
// topology, and must not move the network, which then points into itself. LOOM_ENOMEM.
int loom_machine_network_choose(struct loom_machine_network *network, const struct loom_topo *topo, unsigned select,
                                struct loom_err *err);

// Returns the engine for this network: `adaptive` if routers choose; `worms` if every channel has one lane, no link
// is optical or slow, and FIFOs have two slots; else `lanes`.
const struct loom_engine_kind *loom_machine_engine(const struct loom_engine_net *net);

// True if an engine can compute the routes of messages that go by this rule (enum loom_rule), on the network that
// `net` was made of. Such messages need no lists of lanes.
bool loom_machine_knows_ways(const struct loom_engine_net *net, unsigned rule);

// Writes the lanes that the route crosses to out, at most `room` of them. Returns the number of lanes of the whole
// route.
uint32_t loom_machine_way(uint32_t *out, uint32_t room, struct loom_route *route);

#endif
