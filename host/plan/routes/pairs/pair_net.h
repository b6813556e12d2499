// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIR_NET_H
#define LOOM_PAIR_NET_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/err.h>
#include <flitloom/topo.h>

#include "base/arrays.h"

// The links of a direct network, numbered from 0 without gaps, and the turns from one link to the next. A way straight
// back does not count as a turn. All arrays are owned.
struct loom_pair_net {
	uint32_t n_nodes, n_links, n_turns;
	uint32_t n_hosts; // nodes below this number send and receive, the others are switches
	// by link: the node where it begins, the node where it ends, its number in the topology
	uint32_t *tail, *head, *channel;
	uint32_t *out_first, *out;   // out[out_first[v]] .. out[out_first[v + 1] - 1]: the links that leave node v
	uint32_t *in_first, *in;     // the links that lead to each node
	uint32_t *turn_first, *turn; // turn[turn_first[a]] ..: the links that can follow link a
	uint32_t *back_first, *back; // back[back_first[b]] ..: the turns into link b, as indices of `turn`
	uint32_t *turn_from;         // by turn: the link before it
	uint16_t *hops;              // [to * n_nodes + from]: links of a shortest route
	uint32_t longest;            // hops of the longest shortest route
	// by node: its number in the topology, if some nodes of that take no part; NULL: the same number
	uint32_t *node;
	struct loom_arrays arrays; // owns the arrays but `node`
};

// LOOM_EINPUT: it is no direct network, has too many nodes, or a node that cannot be reached from another one;
// LOOM_ENOMEM.
int loom_pair_net_make(struct loom_pair_net *out, const struct loom_topo *topo, struct loom_err *err);
// Does the same for links that the caller has: n_links tails and heads, and the caller's numbers of their channels.
int loom_pair_net_of(struct loom_pair_net *out, uint32_t n_nodes, uint32_t n_links, const uint32_t *tail,
                     const uint32_t *head, const uint32_t *channel, struct loom_err *err);
void loom_pair_net_free(struct loom_pair_net *net); // leaves *net zeroed

static inline uint32_t loom_pair_node(const struct loom_pair_net *net, uint32_t v)
{
	return net->node ? net->node[v] : v;
}

static inline uint32_t loom_pair_hops(const struct loom_pair_net *net, uint32_t from, uint32_t to)
{
	return net->hops[(size_t)to * net->n_nodes + from];
}

// True if the pair source * n_nodes + destination needs a route.
static inline bool loom_pair_is_wanted(const struct loom_pair_net *net, size_t pair)
{
	const size_t source = pair / net->n_nodes, destination = pair % net->n_nodes;
	return source != destination && source < net->n_hosts && destination < net->n_hosts;
}

#endif
