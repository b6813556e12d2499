// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives each route one lane from end to end, so that no lane has a circle. If there are enough lanes, a route takes
// that of its virtual network. Otherwise each route in turn takes the lane whose links carry least among those in which
// it closes no circle. If that fails on rings, the lane follows from the ring ends that the route crosses. If that
// fails too, it is the first lane without a circle.
#include <flitloom/routes/virtual_networks.h>

#include <inttypes.h>
#include <stdlib.h>

#include "plan/routes/routes_internal.h"
#include "topo/channel_graph.h"

#define LANES_LIMIT 32

struct layers {
	const struct loom_topo *topo;
	const struct loom_routes *routes;
	struct loom_lane_graphs graphs;
	uint32_t n_channels, n_lanes;
	uint32_t *load;                 // owned: routes on channel c of lane k, at k * n_channels + c
	uint32_t n_routes[LANES_LIMIT]; // on each lane
};

static const uint32_t *channels(const struct layers *l, size_t i, size_t *n)
{
	*n = l->routes->first[i + 1] - l->routes->first[i];
	return l->routes->channel + l->routes->first[i];
}

static void count(struct layers *l, uint32_t number, size_t i)
{
	for (size_t k = l->routes->first[i]; k < l->routes->first[i + 1]; k++)
		l->load[(size_t)number * l->n_channels + l->routes->channel[k]]++;
	l->n_routes[number]++;
}

// These functions put routes on lanes and return 0, 1 if that closes a circle, or -1 if memory ran out.
static int put(struct layers *l, uint32_t number, size_t i)
{
	size_t n;
	const uint32_t *channel = channels(l, i, &n);
	return loom_channel_graph_put(&l->graphs.lane[number], channel, n);
}

static uint32_t most_on(const struct layers *l, uint32_t number, size_t i)
{
	uint32_t most = 0;
	for (size_t k = l->routes->first[i]; k < l->routes->first[i + 1]; k++) {
		uint32_t load = l->load[(size_t)number * l->n_channels + l->routes->channel[k]];
		most = load > most ? load : most;
	}
	return most;
}

// Returns the lane of `mask` on which the links of route i carry least; of equal lanes the one with the fewest routes.
static uint32_t least_loaded(const struct layers *l, uint64_t mask, size_t i)
{
	uint64_t least = UINT64_MAX;
	uint32_t best = 0;
	for (; mask; mask &= mask - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(mask);
		uint64_t most = (uint64_t)most_on(l, lane, i) << 32 | l->n_routes[lane];
		if (most < least) {
			least = most;
			best = lane;
		}
	}
	return best;
}

static int put_evenly(uint32_t *lane, struct layers *l)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < l->routes->n; i++) {
		uint64_t mask = (UINT64_C(1) << l->n_lanes) - 1;
		do {
			lane[i] = least_loaded(l, mask, i);
			rc = put(l, lane[i], i);
			mask &= ~(UINT64_C(1) << lane[i]);
		} while (rc == 1 && mask);
		if (rc == 0)
			count(l, lane[i], i);
	}
	return rc;
}

// Puts each route in turn on the first lane that it fits. A route that fits no lane below LANES_LIMIT gets that number.
static int put_in_turn(uint32_t *lane, struct layers *l)
{
	int rc = 0;
	for (size_t i = 0; rc >= 0 && i < l->routes->n; i++) {
		size_t n;
		const uint32_t *channel = channels(l, i, &n);
		lane[i] = LANES_LIMIT;
		rc = loom_lane_graphs_put(&lane[i], &l->graphs, LANES_LIMIT, channel, n);
	}
	return rc < 0 ? -1 : 0;
}

static int begin(struct layers *l, const struct loom_routes *routes, const struct loom_topo *topo, uint32_t n_lanes)
{
	*l = (struct layers){
		.topo = topo, .routes = routes, .n_channels = loom_topo_channels(topo), .n_lanes = n_lanes};
	l->load = calloc((size_t)n_lanes * l->n_channels, sizeof *l->load);
	return l->load ? loom_lane_graphs_init(&l->graphs, l->n_channels, n_lanes) : -1;
}

static void end(struct layers *l)
{
	loom_lane_graphs_free(&l->graphs);
	free(l->load);
}

static int out_of_memory(const struct layers *l, struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory for lanes of %zu routes on %s", l->routes->n, l->topo->name);
}

static uint32_t used(const uint32_t *lane, size_t n)
{
	uint32_t most = 0;
	for (size_t i = 0; i < n; i++)
		most = lane[i] > most ? lane[i] : most;
	return most + 1;
}

// Gives each route the lane that the ring ends on its way stand for. A shortest route on a ring of n nodes has at most
// n/2 links. Routes across the ring's end leave out the link in its middle, and all others leave out the link at its
// end. So neither sort makes a circle, and nor do routes in dimension order that cross the same ring ends. Longer
// routes may make circles. Returns 1 also if a route is not in dimension order, or if there are too few lanes.
static int put_by_ends(uint32_t *lane, struct layers *l)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < l->routes->n; i++)
		rc = loom_ring_ends(&lane[i], l->routes, i, l->topo) && lane[i] < l->n_lanes ? put(l, lane[i], i) : 1;
	return rc;
}

static int in_layers(uint32_t *lane, const struct loom_routes *routes, const struct loom_topo *topo, uint32_t most,
                     struct loom_err *err)
{
	struct layers l;
	int rc = begin(&l, routes, topo, most);
	if (rc == 0)
		rc = put_evenly(lane, &l);
	if (rc == 1 && topo->kind->wraps) {
		loom_lane_graphs_clear(&l.graphs);
		rc = put_by_ends(lane, &l);
	}
	if (rc == 1) {
		loom_lane_graphs_clear(&l.graphs);
		rc = put_in_turn(lane, &l);
	}
	end(&l);
	return rc == 0 ? 0 : out_of_memory(&l, err);
}

// Numbers the networks with routes that have links from 0 on. Returns the number of such networks.
static uint32_t number_used(uint32_t *network, const struct loom_routes *routes)
{
	uint32_t number[LANES_LIMIT], n_used = 0;
	uint32_t seen = 0;
	for (size_t i = 0; i < routes->n; i++)
		seen |= routes->first[i] < routes->first[i + 1] ? UINT32_C(1) << network[i] : 0;
	for (uint32_t k = 0; k < LANES_LIMIT; k++) {
		number[k] = n_used;
		n_used += seen >> k & 1;
	}
	for (size_t i = 0; i < routes->n; i++)
		network[i] = routes->first[i] < routes->first[i + 1] ? number[network[i]] : 0;
	return n_used ? n_used : 1;
}

// lane: on entry the network of each route, below n_used; on return its lane. All networks have equally many lanes. A
// route takes the lane of its network whose links carry least.
static int by_networks(uint32_t *lane, uint32_t n_used, const struct loom_routes *routes, const struct loom_topo *topo,
                       uint32_t most, struct loom_err *err)
{
	struct layers l;
	uint32_t each = most / n_used;
	int rc = begin(&l, routes, topo, most) == 0 ? 0 : out_of_memory(&l, err);
	for (size_t i = 0; rc == 0 && i < routes->n; i++) {
		lane[i] = least_loaded(&l, ((UINT64_C(1) << each) - 1) << lane[i] * each, i);
		count(&l, lane[i], i);
	}
	end(&l);
	return rc;
}

int loom_routes_give_lanes(uint32_t *lane, uint32_t *n_lanes, const struct loom_routes *routes,
                           const struct loom_topo *topo, uint32_t most, struct loom_err *err)
{
	uint32_t n_networks = loom_virtual_networks_count(topo), n_used = LANES_LIMIT;
	if (most < 1 || most > LANES_LIMIT)
		return loom_fail(err, LOOM_EINPUT, "routes on %" PRIu32 " lanes; 1 to %d are possible", most,
		                 LANES_LIMIT);
	// False where there are rings or no coordinates, and for routes that go both ways in a dimension.
	bool has_networks = loom_virtual_lanes_count(topo) == n_networks && n_networks <= LANES_LIMIT &&
	                    loom_virtual_networks_of(lane, routes, topo, NULL) == 0;
	if (has_networks)
		n_used = number_used(lane, routes);
	if (has_networks && n_used <= most) {
		int rc = by_networks(lane, n_used, routes, topo, most, err);
		*n_lanes = rc == 0 ? used(lane, routes->n) : 0;
		return rc;
	}
	int rc = in_layers(lane, routes, topo, most, err);
	if (rc == 0 && has_networks && used(lane, routes->n) > n_used) {
		rc = loom_virtual_networks_of(lane, routes, topo, err);
		(void)number_used(lane, routes);
	}
	if (rc == 0)
		*n_lanes = used(lane, routes->n);
	return rc;
}
