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

// Chosen routes turn wherever they like, and messages on them could wait for one another in a circle. They cannot if each
// stays in a virtual network ([Zhong92], section 3): a share of every link for itself, in which each dimension is gone one way
// only. A vector of signs says which direction. A vector and its opposite have no link in common and form one
// network. So there are 2^(d-1) for d dimensions. A dimension of two nodes is gone up or down by the coordinate, on
// rings too.
//
// On a ring, one direction by itself already makes a circle. There a message changes to another lane of its network
// whenever it crosses the end of the ring: for r rings (of three nodes or more) each network has r + 1 lanes.
//
// Networks and lanes are numbered from 0: lane = network * lanes of a network + ends passed.

// Virtual networks of a fabric, and their lanes.
uint32_t loom_virtual_networks_count(const struct loom_topo *topo);
uint32_t loom_virtual_lanes_count(const struct loom_topo *topo); // of all networks together

// The virtual network and the lanes of each route. The network of each route (routes->n elements), the lane of each link
// of each route (as routes->channel has them). A route that fits in several networks is in the lowest one. LOOM_EINPUT: a
// route that is not minimal, as it goes both ways in a dimension; a network without coordinates; routes that
// loom_routes_check would refuse are not to be given.
int loom_virtual_networks_of(uint32_t *network, const struct loom_routes *routes, const struct loom_topo *topo,
                             struct loom_err *err);
int loom_virtual_lanes_of(uint32_t *lane, const struct loom_routes *routes, const struct loom_topo *topo,
                          struct loom_err *err);

// A channel, a lane of it, and a message there.
struct loom_lane {
	uint32_t channel, lane, message;
};

// Messages that could wait for one another in a circle: each holds its channel, in its lane, and wants the next one.
struct loom_lane_circle {
	size_t n; // 0: there is no circle, so no deadlock is possible: flitloom/routes/deadlock.h says what that means
	struct loom_lane *at; // owned
};

// Looks for a circle of messages. lane: as above, all below n_lanes; NULL: there is one. All routes are under way at the
// same time. LOOM_ENOMEM; LOOM_EINPUT: more than 2^32 - 1 lanes of all channels together.
int loom_lane_circle_find(struct loom_lane_circle *out, const struct loom_routes *routes, const uint32_t *lane,
                          uint32_t n_lanes, const struct loom_topo *topo, struct loom_err *err);
void loom_lane_circle_free(struct loom_lane_circle *circle); // NULL allowed; leaves *circle zeroed

// A lane for each route (routes->n elements of `lane`), of every link on its way: as links with so many virtual channels and routers
// with tables have them. No lane has a circle, each by itself. The first of these that leads somewhere:
// - Where there are no rings and no more virtual networks in use than `most`, each of these networks has as many lanes, and a
//   route is on one of its own network's, the one that is least used on its way.
// - One route after the other is put on the least used lane on which it closes no circle.
// - Round rings in dimension order: lane = a bit for each ring, whether the route leads round its end.
// - One route after the other is put on the first lane on which it closes no circle, as layered shortest-path routing does,
//   however many that takes; or where fewer virtual networks are in use, each on that of its network.
// Least used is the lane on which the busiest link of the way has fewest routes, of equals the one with fewest routes, of equals
// the lowest. *n_lanes: the lanes used; above `most` if no way was found to do with these: then so many lanes would do. Most: 1 to 32.
int loom_routes_give_lanes(uint32_t *lane, uint32_t *n_lanes, const struct loom_routes *routes,
                           const struct loom_topo *topo, uint32_t most, struct loom_err *err);

// The fabric, the messages of routes there, the load that is to be low, and the lanes that there are, 1 to 32.
struct loom_lanes_task {
	const struct loom_topo *topo;
	const struct loom_message *messages;
	enum loom_load_unit load;
	uint32_t most;
};

// As loom_routes_give_lanes, and if there are too few lanes some of the routes are given up: of each circle a message
// goes in dimension order instead, the one whose links then carry least, until there is no circle. The routes are
// shortest ones of the messages, routes->n. *n_lanes is above `most` only on networks with rings, round which even
// dimension order can lock: never if there are two lanes for one ring, four for two and so on.
int loom_routes_fit_lanes(struct loom_routes *routes, uint32_t *lane, uint32_t *n_lanes,
                          const struct loom_lanes_task *task, struct loom_err *err);

// Finds routes for links that may have too few lanes for them: for each message that of `routes`, on one of n_lanes
// lanes for all of its way, if that closes no circle with those of the others; else its usual one, on lane[i] as given.
// The usual ones together have no circle (else LOOM_EINPUT). routes becomes these, lane[i] (all below n_lanes) the lane of each. Routes
// may have any length, on any direct network.
int loom_routes_keep_lanes(struct loom_routes *routes, uint32_t *lane, const struct loom_routes *usual,
                           uint32_t n_lanes, const struct loom_topo *topo, struct loom_err *err);

LOOM_API_END

#endif
