// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the network of an engine from a topology: the order in which each router serves headers that ask in the same
// cycle.
#include "machine/network.h"

#include <stdlib.h>

#include "topo/topo_min.h"
#include "topo/topo_otis.h"

// Returns the rank of an input of node's router: the order in which the router serves headers that began to ask in
// the same cycle (rtl/net/net_router.sv). On a cube whose routers go by dimension order, first come the links whose
// bit is 1 in the node's number, the highest first; then the node itself; then the other links, the lowest first.
// Elsewhere the node itself comes first, then the links, the lowest first. The lanes of a link come in the direction
// in which the links do. If `link` is n_links, the input is that of the node itself, whose lane is 0.
static uint16_t rank_of_input(const struct loom_topo *t, uint32_t node, unsigned link, unsigned vc)
{
	const unsigned n_links = loom_topo_links(t), n = t->n_vcs;
	const bool by_source = t->kind->complements_bits && t->kind->router == LOOM_ROUTER_ORDER;
	if (link == n_links)
		return (uint16_t)(by_source ? n_links * n : 0);
	if (by_source && node >> link & 1)
		return (uint16_t)((n_links - link) * n - 1 - vc);
	return (uint16_t)((by_source ? n_links + 1 + link : link + 1) * n + vc);
}

// Ranks the lanes of links and injection channels by the inputs at which they end.
static void rank_links(uint16_t *rank, const struct loom_topo *t)
{
	const unsigned n_links = loom_topo_links(t);
	for (uint32_t u = 0; u < t->n_nodes; u++) {
		uint16_t *of_tile = rank + (size_t)u * loom_topo_channels_per_tile(t) * t->n_vcs;
		for (unsigned p = 0; p < n_links; p++) {
			uint32_t v;
			unsigned q;
			if (!t->kind->link(t, u, p, &v, &q))
				continue;
			for (unsigned vc = 0; vc < t->n_vcs; vc++)
				of_tile[p * t->n_vcs + vc] = rank_of_input(t, v, q, vc);
		}
		of_tile[(n_links + 1) * t->n_vcs] = rank_of_input(t, u, n_links, 0);
	}
}

// Ranks the lines into each switch: the upper line goes first (rtl/min/min_switch.sv).
static void rank_lines(uint16_t *rank, const struct loom_topo *t, const struct loom_min *net)
{
	for (uint32_t line = 0; line < t->n_nodes; line++) {
		uint16_t *of_tile = rank + (size_t)line * loom_topo_channels_per_tile(t);
		for (unsigned s = 0; s + 1 < net->m; s++) // the line behind stage s, which is an input of stage s + 1
			of_tile[s] = loom_min_wire(net, s + 1, line) & 1;
		of_tile[t->ports] = loom_min_wire(net, 0, line) & 1;
	}
}

int loom_machine_network_make(struct loom_machine_network *out, const struct loom_topo *topo, enum loom_rule rule,
                              struct loom_err *err)
{
	const uint32_t n_channels = loom_topo_channels(topo);
	struct loom_machine_network network = {.net = {.n_nodes = topo->n_nodes,
	                                               .n_channels = n_channels,
	                                               .n_vcs = topo->n_vcs,
	                                               .buffers = topo->buffers,
	                                               .delay_most = topo->link_delay + topo->router_delay,
	                                               .router_delay = topo->router_delay,
	                                               .light_cycles = topo->light_cycles,
	                                               .light_ratio = topo->light_ratio}};
	struct loom_min min;
	network.rank = calloc((size_t)n_channels * topo->n_vcs, sizeof *network.rank);
	if (loom_otis_has_light(topo))
		network.is_light = calloc(n_channels, sizeof *network.is_light);
	if (network.net.delay_most > 0)
		network.delay = calloc(n_channels, sizeof *network.delay);
	if (!network.rank || (loom_otis_has_light(topo) && !network.is_light) ||
	    (network.net.delay_most > 0 && !network.delay)) {
		loom_machine_network_free(&network);
		return loom_fail(err, LOOM_ENOMEM, "no memory for a machine of %u channels", n_channels);
	}
	if (loom_topo_min(&min, topo, rule))
		rank_lines(network.rank, topo, &min);
	else
		rank_links(network.rank, topo);
	for (uint32_t c = 0; network.is_light && c < n_channels; c++)
		network.is_light[c] = loom_otis_is_optical(topo, c);
	for (uint32_t c = 0; network.delay && c < n_channels; c++)
		if (!loom_topo_is_local(topo, c))
			network.delay[c] = (uint8_t)(loom_topo_link_delay(topo, c) + topo->router_delay);
	network.net.delay = network.delay;
	network.net.rank = network.rank;
	// On such a cube each link is that of a dimension, and the channels lie as loom_engine_net says.
	if (topo->kind->complements_bits && topo->kind->router == LOOM_ROUTER_ORDER &&
	    loom_machine_engine(&network.net) == &loom_engine_worms)
		network.net.n_dims = topo->n_dims;
	network.net.is_light = network.is_light;
	*out = network;
	return 0;
}

// Returns the first state of a node's LFSR, which is that of the RTL (lanes_seed in rtl/chip/fabric_tile.sv) and
// never 0.
static uint16_t first_random(uint32_t node)
{
	const uint16_t seed = (uint16_t)(0x1d0f ^ node * 0x9e37);
	return seed ? seed : 1;
}

int loom_machine_network_choose(struct loom_machine_network *network, const struct loom_topo *topo, unsigned select,
                                struct loom_err *err)
{
	const size_t n_nodes = topo->n_nodes, n_lanes = n_nodes * loom_topo_links(topo) * topo->n_vcs;
	network->memory.random = calloc(n_nodes, sizeof *network->memory.random);
	network->memory.given = calloc(n_lanes + 1, sizeof *network->memory.given);
	if (!network->memory.random || !network->memory.given)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the routers of %zu nodes", n_nodes);
	for (uint32_t u = 0; u < n_nodes; u++)
		network->memory.random[u] = first_random(u);
	network->net.topo = topo;
	network->net.select = select;
	network->net.memory = &network->memory;
	return 0;
}

void loom_machine_network_free(struct loom_machine_network *network)
{
	free(network->memory.random);
	free(network->memory.given);
	free(network->rank);
	free(network->is_light);
	free(network->delay);
	*network = (struct loom_machine_network){0};
}

const struct loom_engine_kind *loom_machine_engine(const struct loom_engine_net *net)
{
	if (net->topo)
		return &loom_engine_adaptive;
	return net->n_vcs > 1 || net->is_light || net->buffers > 2 || net->delay ? &loom_engine_lanes
	                                                                         : &loom_engine_worms;
}

bool loom_machine_knows_ways(const struct loom_engine_net *net, unsigned rule)
{
	return net->n_dims > 0 && rule == LOOM_RULE_ASCENDING;
}

uint32_t loom_machine_way(uint32_t *out, uint32_t room, struct loom_route *route)
{
	const struct loom_topo *t = route->topo;
	uint32_t n = 0;
	for (uint32_t channel; loom_route_next(route, &channel); n++) {
		if (n >= room)
			continue;
		out[n] = channel;
		if (t->n_vcs > 1)
			out[n] = channel * t->n_vcs + (loom_topo_is_local(t, channel) ? 0 : route->vc);
	}
	return n;
}
