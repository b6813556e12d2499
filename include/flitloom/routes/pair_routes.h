// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIR_ROUTES_H
#define LOOM_PAIR_ROUTES_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/routes/routes.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Routes for all pairs of nodes of a direct network of any shape, found together with their lanes. No deadlock is
// possible, and the search keeps the number of pairs on the busiest link low. A pair keeps to one lane from end to
// end. The load of a link is the number of pairs whose route takes it, as in an all-to-all.

#define LOOM_PAIR_NODES_MAX 1024
#define LOOM_PAIR_LANES_MAX 16

// Routes of all pairs, and the proof that they cannot lock: along every route the numbers of its (link, lane) pairs
// rise, so no messages can wait for one another in a circle ([Dally87]).
struct loom_pair_routes {
	uint32_t n_nodes, n_lanes;
	// owned: route source * n_nodes + destination; the route of a node to itself has no links
	struct loom_routes routes;
	uint8_t *lane;    // owned, by route; below n_lanes
	uint32_t *number; // owned: [channel * n_lanes + lane], channels as the topology has them
};
void loom_pair_routes_free(struct loom_pair_routes *routes); // NULL allowed; leaves *routes zeroed

// Options of the search.
struct loom_pair_options {
	uint32_t n_lanes; // 1 .. LOOM_PAIR_LANES_MAX
	uint64_t seed;    // the same seed and rounds give the same routes
	uint32_t rounds;  // rounds of the search; 0: as many as suit the size of the network
	// Wall-clock time in place of rounds; 0: none. More time never makes the routes worse.
	double budget_seconds;
	// Node, destination and lane alone determine the next link of a route, so that a table needs one word for
	// each of these. It ignores the budget.
	bool by_destination;
	// Called now and then; if it returns true, the search ends with the best routes so far, if there are any.
	// NULL allowed.
	bool (*stopped)(void *user);
	// Called when better routes are found, with the load of their busiest link. NULL allowed.
	void (*progress)(void *user, uint32_t largest_load);
	void *user;
};

// Figures of routes of all pairs.
struct loom_pair_facts {
	uint32_t largest_load;        // pairs on the busiest link
	uint32_t busiest_channel;     // the lowest such channel
	double mean_hops, mean_least; // mean links of a route, and of a shortest one
	uint32_t most_hops, most_least;
};

// Searches for routes. LOOM_EINPUT: no direct network, more than LOOM_PAIR_NODES_MAX nodes, nodes that cannot be
// reached, lanes out of range; or no routes were found for so few lanes, which happens only where links lead one way.
int loom_pair_routes_search(struct loom_pair_routes *out, const struct loom_topo *topo,
                            const struct loom_pair_options *options, struct loom_err *err);
// Checks routes, independently of the search. Each must lead from its source to its destination and pass no node
// twice, and its numbers must rise. LOOM_EINPUT names the pair.
int loom_pair_routes_check(const struct loom_pair_routes *routes, const struct loom_topo *topo, struct loom_err *err);
// Computes the figures; of these the bound is loom_pair_bound's, and is left 0.
int loom_pair_routes_facts(struct loom_pair_facts *out, const struct loom_pair_routes *routes,
                           const struct loom_topo *topo, struct loom_err *err);
// Finds a lower bound of the load of the busiest link, for any routes of all pairs: the larger of two bounds, by
// prices of links and by cuts.
int loom_pair_bound(uint32_t *out, const struct loom_topo *topo, struct loom_err *err);

LOOM_API_END

#endif
