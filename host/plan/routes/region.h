// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REGION_H
#define LOOM_REGION_H

#include "plan/routes/box.h"
#include "plan/routes/distances.h"

// The routes that a message may take: on networks with coordinates, the minimal ones, which are a box; on others those
// that the distances allow, including somewhat longer ones with detours. Code that chooses routes uses a region and
// need not know which of the two it is.
struct loom_region {
	const struct loom_topo *topo;
	uint32_t per_tile; // channels
	uint32_t detours;  // hops more than a shortest route has, at most
	bool by_box;
	struct loom_box box;
	struct loom_box_search of_box;
	struct loom_distances distances;
};

// True if routes can be chosen on it: any direct network.
bool loom_region_has(const struct loom_topo *topo);
// True if its routes are boxes.
bool loom_region_is_box(const struct loom_topo *topo, uint32_t detours);

// Makes a region without a message, only for these messages, whose nodes exist. LOOM_ENOMEM, and the errors of
// loom_distances_init.
int loom_region_init(struct loom_region *out, const struct loom_topo *topo, const struct loom_message *messages,
                     size_t n, uint32_t detours, struct loom_err *err);
void loom_region_free(struct loom_region *region); // NULL allowed

// Returns the ties. Half-way round a ring a box holds one way only. Bit d of `ties`: both ways round dimension d are
// equally short; bit d of `ways`: the message goes by - instead of +. Distances have no ties: both ways are among the
// routes.
uint32_t loom_region_ties(const struct loom_region *region, const struct loom_message *message);
void loom_region_set(struct loom_region *region, const struct loom_message *message, uint32_t ways);

uint32_t loom_region_hops(const struct loom_region *region);  // hops of a shortest route
uint32_t loom_region_most(const struct loom_region *region);  // hops of the longest route allowed
uint64_t loom_region_links(const struct loom_region *region); // the cost of one pass over all of it
// Visits each link of the routes, as a channel.
void loom_region_visit(const struct loom_region *region, loom_link_visitor *visit, void *user);
// Adds w (modulo 2^64, so that -w subtracts) to every link of the routes. label: an element per channel.
void loom_region_add(uint64_t *label, const struct loom_region *region, uint64_t w);

// Finds the route whose largest label is least, as loom_region_hops channels; returns that label. Among equal steps it
// takes the one by the lowest link, at each node anew. Only without detours.
uint64_t loom_region_least_maximum(uint32_t *channel, struct loom_region *region, const uint64_t *label);
// Finds the route whose sum of costs is least, and returns that sum. channel NULL: only the sum is needed, and costs
// may be 0. *n_hops (NULL allowed): its length, at most loom_region_most. `ties` (any number) decides among equal
// routes; 0: as above.
uint64_t loom_region_least_sum(uint32_t *channel, uint32_t *n_hops, struct loom_region *region, const uint64_t *cost,
                               uint64_t ties);

#endif
