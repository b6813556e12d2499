// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VIRTUAL_NETWORKS_H
#define LOOM_VIRTUAL_NETWORKS_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/routes/routes.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Chosen routes turn anywhere, so messages on them could wait for one another in a circle. They cannot if each route
// stays in a virtual network ([Zhong92], section 3): a share of every link for itself, in which messages go only one
// way in each dimension. A vector of signs gives these directions. A vector and its opposite have no link in common
// and form one network, so there are 2^(d-1) networks for d dimensions. In a dimension of two nodes a message goes up
// or down by the coordinate, on rings too.
//
// On a ring, one direction alone already makes a circle. There a message changes to another lane of its network
// whenever it crosses the end of the ring: for r rings (of three nodes or more) each network has r + 1 lanes.
//
// Networks and lanes are numbered from 0: lane = network * lanes of a network + ends passed.

// Return the number of virtual networks of a fabric, and of their lanes.
uint32_t loom_virtual_networks_count(const struct loom_topo *topo);
uint32_t loom_virtual_lanes_count(const struct loom_topo *topo); // the lanes of all networks together

// Find the virtual network and the lanes of each route: the network of each route (routes->n elements), and the lane
// of each link of each route (as routes->channel has them). A route that fits in several networks is in the lowest
// one. LOOM_EINPUT: a route that is not minimal, since it goes both ways in a dimension; or a network without
// coordinates. The routes must be such as loom_routes_check accepts.
int loom_virtual_networks_of(uint32_t *network, const struct loom_routes *routes, const struct loom_topo *topo,
                             struct loom_err *err);
int loom_virtual_lanes_of(uint32_t *lane, const struct loom_routes *routes, const struct loom_topo *topo,
                          struct loom_err *err);

// A channel, a lane of it, and a message there.
struct loom_lane {
	uint32_t channel, lane, message;
};

// Messages that could wait for one another in a circle: each holds its channel, in its lane, and waits for the next
// one.
struct loom_lane_circle {
	size_t n;             // 0: there is no circle, so no deadlock is possible (flitloom/routes/deadlock.h)
	struct loom_lane *at; // owned
};

// Looks for a circle of messages. lane: as above, all below n_lanes; NULL: there is only one. All routes are under
// way at the same time. LOOM_ENOMEM; LOOM_EINPUT: more than 2^32 - 1 lanes of all channels together.
int loom_lane_circle_find(struct loom_lane_circle *out, const struct loom_routes *routes, const uint32_t *lane,
                          uint32_t n_lanes, const struct loom_topo *topo, struct loom_err *err);
void loom_lane_circle_free(struct loom_lane_circle *circle); // NULL allowed; leaves *circle zeroed

// Assigns a lane to each route. `lane` has routes->n elements; a route keeps to its lane on every link, for links
// with *n_lanes virtual channels and routers with tables. On no single lane do the routes form a circle. It takes the
// first of these methods that succeeds:
// - If there are no rings, and no more virtual networks in use than `most`, each of these networks has as many lanes,
//   and a route takes the least used lane of its own network.
// - Each route in turn takes the least used lane on which it closes no circle.
// - On rings in dimension order: the lane is a number with a bit for each ring, which says whether the route crosses
//   its end.
// - Each route in turn takes the first lane on which it closes no circle, as in layered shortest-path routing,
//   however many lanes that takes; or, if fewer virtual networks are in use, each takes that of its network.
//
// The least used lane is the one on which the busiest link of the way has fewest routes; among equals the one with
// fewest routes, then the lowest. *n_lanes: the lanes used; if it is above `most`, no method succeeded with `most`
// lanes, and *n_lanes would suffice. most: 1 to 32.
int loom_routes_give_lanes(uint32_t *lane, uint32_t *n_lanes, const struct loom_routes *routes,
                           const struct loom_topo *topo, uint32_t most, struct loom_err *err);

// A task for loom_routes_fit_lanes: the fabric, the messages of the routes, the load to keep low, and the number of
// lanes, 1 to 32.
struct loom_lanes_task {
	const struct loom_topo *topo;
	const struct loom_message *messages;
	enum loom_load_unit load;
	uint32_t most;
};

// Assigns lanes as loom_routes_give_lanes does. If there are too few lanes, it gives up some of the routes: of each
// circle it sends one message in dimension order instead, the one whose links then carry least, until there is no
// circle. The routes are shortest ones of the messages, routes->n. *n_lanes is above `most` only on networks with
// rings, where even dimension order can lock: never if there are two lanes for one ring, four for two and so on.
int loom_routes_fit_lanes(struct loom_routes *routes, uint32_t *lane, uint32_t *n_lanes,
                          const struct loom_lanes_task *task, struct loom_err *err);

// Finds routes for links that may have too few lanes for `routes`. A message keeps its route of `routes`, on one of
// n_lanes lanes for all of its way, if that closes no circle with those of the others; else it takes its usual route,
// on lane[i] as given. The usual routes together have no circle (else LOOM_EINPUT). `routes` becomes the routes
// found, and lane[i] (all below n_lanes) the lane of each. Routes may have any length, on any direct network.
int loom_routes_keep_lanes(struct loom_routes *routes, uint32_t *lane, const struct loom_routes *usual,
                           uint32_t n_lanes, const struct loom_topo *topo, struct loom_err *err);

LOOM_API_END

#endif
