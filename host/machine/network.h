// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MACHINE_NETWORK_H
#define LOOM_MACHINE_NETWORK_H

#include <flitloom/topo.h>

#include "machine/engine.h"

// A fabric as engines see it.
struct loom_machine_network {
	struct loom_engine_net net;       // its arrays are those below
	uint16_t *rank;                   // owned
	bool *is_light;                   // owned; NULL: no link is light
	uint8_t *delay;                   // owned; NULL: none is slow
	struct loom_engine_memory memory; // its arrays are owned; of routers that choose
};

// `rule` is the rule of the messages; it matters on fabrics that can be passed both ways (loom_topo_min).
// LOOM_ENOMEM.
int loom_machine_network_make(struct loom_machine_network *out, const struct loom_topo *topo, enum loom_rule rule,
                              struct loom_err *err);
void loom_machine_network_free(struct loom_machine_network *network); // leaves it zeroed

// Has its routers choose, by a rule of preference (enum loom_select). The topology stays the caller's, and the network stays where it is.
// LOOM_ENOMEM.
int loom_machine_network_choose(struct loom_machine_network *network, const struct loom_topo *topo, unsigned select,
                                struct loom_err *err);

// Returns the engine for this network: `adaptive` if routers choose; `worms` if every channel has one lane, no link
// is optical or slow, and FIFOs have two slots; else `lanes`.
const struct loom_engine_kind *loom_machine_engine(const struct loom_engine_net *net);

// True if messages that go by this rule (enum loom_rule) alone need no ways on the network that `net` was made of.
bool loom_machine_knows_ways(const struct loom_engine_net *net, unsigned rule);

// Fills in the lanes that the route crosses, as many as there is room for. Returns how many there are.
uint32_t loom_machine_way(uint32_t *out, uint32_t room, struct loom_route *route);

#endif
