// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_DISTANCES_H
#define LOOM_DISTANCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/err.h>
#include <flitloom/pattern.h>
#include <flitloom/topo.h>

#include "base/arrays.h"

// The routes of one message on any direct network: those with at most `detours` hops more than a shortest one. Links
// may lead one way only, and several may lead from one node to another. The hops from each node to each destination are
// computed beforehand. A link from u to v is on a route if the way from the source to u, over the link, and on to the
// destination is short enough; without detours, if v is one hop nearer than u.
struct loom_distances {
	const struct loom_topo *topo;
	unsigned n_links;  // links of a node, including missing ones
	uint32_t per_tile; // channels
	uint32_t detours;
	uint32_t *to;    // owned: [u * n_links + link], UINT32_MAX where there is none
	uint16_t **hops; // owned, for each node: the hops to it from each node; NULL if it is no destination

	// The message that was set:
	uint32_t source, destination;
	uint32_t n_nodes; // nodes on its routes
	uint32_t *node;   // owned: these nodes, the nearest to the destination first
	uint32_t *first;  // owned: node[first[h]] is the first one with h or more hops to the destination
	// owned, of each node of the network: the hops from the source; UINT16_MAX: not on its routes
	uint16_t *outward;
	uint32_t *queue; // owned
	uint64_t n_uses; // uses of links by its routes
	uint32_t n_hops; // hops of a shortest route

	// The working memory of a search, for each node and each number of detours that are left (0 to detours):
	uint64_t *best;            // owned: from here to the destination
	uint8_t *choice;           // owned: the best link
	struct loom_arrays arrays; // owns the arrays
};

// Begins distances for messages whose nodes exist. LOOM_ENOMEM; LOOM_EINPUT: a message has no way, or the network is
// too large to search.
int loom_distances_init(struct loom_distances *out, const struct loom_topo *topo, const struct loom_message *messages,
                        size_t n, uint32_t detours, struct loom_err *err);
void loom_distances_free(struct loom_distances *d); // NULL allowed
// Sets the message; its destination is one of those given to loom_distances_init.
void loom_distances_set(struct loom_distances *d, uint32_t source, uint32_t destination);

// Visits each link of the routes, as a channel.
typedef void loom_link_visitor(void *user, uint32_t channel);
void loom_distances_visit(const struct loom_distances *d, loom_link_visitor *visit, void *user);
// Returns the number of routes, 2^64 - 1 for more. Only without detours.
uint64_t loom_distances_count(struct loom_distances *d);
// Finds the best route: with the least sum of the values of its links or, without detours, with the least maximum. If
// the route of a least sum is needed, and not only the sum, all values must be above 0; then it passes no node twice.
// *n_hops and channel: NULL, or its links. Among equal links it takes the lowest, at each node anew, unless `ties` (any
// number) decides otherwise.
uint64_t loom_distances_best(uint32_t *channel, uint32_t *n_hops, struct loom_distances *d, const uint64_t *value,
                             bool is_sum, uint64_t ties);

#endif
