// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A lane for the whole of each route, so that no lane has a circle: that of its virtual network where there are lanes enough; else
// each route in turn on a lane in which it closes no circle, the one where its links carry least; or if that leads nowhere, round rings
// by the ends that it leads round, and else on the first.
#include <flitloom/virtual_networks.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plan/routes/lane_search.h"
#include "plan/routes/routes_internal.h"

#define LANES_LIMIT 32

// The dependencies of one lane so far: bit k of after[channel] is channel k of the tile where `channel` ends.
struct lane {
	uint64_t *after;
	uint32_t *load; // routes on each channel
	uint32_t n_routes;
};

struct layers {
	const struct loom_topo *topo;
	const struct loom_routes *routes;
	uint32_t per_tile, n_channels;
	uint32_t n_lanes;
	struct lane lane[LANES_LIMIT];
	struct loom_lane_search search;
	uint64_t *added; // by the route at hand, of each of its links
};

static bool add_lane(struct layers *l)
{
	struct lane *lane = &l->lane[l->n_lanes];
	lane->after = calloc(l->n_channels, sizeof *lane->after);
	lane->load = calloc(l->n_channels, sizeof *lane->load);
	l->n_lanes++;
	return lane->after && lane->load;
}

static void drop_lanes(struct layers *l)
{
	for (uint32_t i = 0; i < l->n_lanes; i++) {
		free(l->lane[i].after);
		free(l->lane[i].load);
		l->lane[i] = (struct lane){0};
	}
	l->n_lanes = 0;
}

static void count(struct layers *l, uint32_t number, size_t i)
{
	for (size_t k = l->routes->first[i]; k < l->routes->first[i + 1]; k++)
		l->lane[number].load[l->routes->channel[k]]++;
	l->lane[number].n_routes++;
}

// Puts route i on the lane, unless that closes a circle.
static bool put(struct layers *l, uint32_t number, size_t i)
{
	struct lane *lane = &l->lane[number];
	const uint32_t *way = l->routes->channel + l->routes->first[i];
	size_t n = l->routes->first[i + 1] - l->routes->first[i];
	bool is_new = false;
	for (size_t k = 0; k + 1 < n; k++) {
		uint64_t bit = UINT64_C(1) << way[k + 1] % l->per_tile;
		l->added[k] = bit & ~lane->after[way[k]];
		lane->after[way[k]] |= bit;
		is_new = is_new || l->added[k];
	}
	if (is_new && loom_lane_has_circle(&l->search, lane->after, way[0])) {
		for (size_t k = 0; k + 1 < n; k++)
			lane->after[way[k]] &= ~l->added[k];
		return false;
	}
	count(l, number, i);
	return true;
}

static uint32_t most_on(const struct layers *l, uint32_t number, size_t i)
{
	uint32_t most = 0;
	for (size_t k = l->routes->first[i]; k < l->routes->first[i + 1]; k++) {
		uint32_t load = l->lane[number].load[l->routes->channel[k]];
		most = load > most ? load : most;
	}
	return most;
}

// The lane of `mask` where route i shares its links with fewest; among equals the one with fewest routes.
static uint32_t least_loaded(const struct layers *l, uint64_t mask, size_t i)
{
	uint64_t least = UINT64_MAX;
	uint32_t best = 0;
	for (; mask; mask &= mask - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(mask);
		uint64_t most = (uint64_t)most_on(l, lane, i) << 32 | l->lane[lane].n_routes;
		if (most < least) {
			least = most;
			best = lane;
		}
	}
	return best;
}

// false: some route closes a circle on each lane.
static bool put_evenly(uint32_t *lane, struct layers *l)
{
	for (size_t i = 0; i < l->routes->n; i++) {
		uint64_t mask = (UINT64_C(1) << l->n_lanes) - 1;
		while (mask) {
			lane[i] = least_loaded(l, mask, i);
			if (put(l, lane[i], i))
				break;
			mask &= ~(UINT64_C(1) << lane[i]);
		}
		if (mask == 0)
			return false;
	}
	return true;
}

// Puts routes in turn on as many lanes as that takes, fewer than LANES_LIMIT: what does not fit there has that number.
// false: out of memory.
static bool put_in_turn(uint32_t *lane, struct layers *l)
{
	for (size_t i = 0; i < l->routes->n; i++) {
		for (lane[i] = 0; lane[i] < LANES_LIMIT; lane[i]++) {
			if (lane[i] == l->n_lanes && !add_lane(l))
				return false;
			if (put(l, lane[i], i))
				break;
		}
	}
	return true;
}

static bool begin(struct layers *l, const struct loom_routes *routes, const struct loom_topo *topo, uint32_t n_lanes)
{
	size_t n_channels = loom_topo_channels(topo);
	*l = (struct layers){.topo = topo,
	                     .routes = routes,
	                     .per_tile = loom_topo_channels_per_tile(topo),
	                     .n_channels = (uint32_t)n_channels,
	                     .added = malloc(n_channels * sizeof *l->added)};
	bool done = loom_lane_search_init(&l->search, topo) && l->added;
	while (done && l->n_lanes < n_lanes)
		done = add_lane(l);
	return done;
}

static void end(struct layers *l)
{
	drop_lanes(l);
	loom_lane_search_free(&l->search);
	free(l->added);
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

// Round a ring of n nodes shortest routes have n/2 links at most. Those that lead round its end leave out the link in the middle of
// it, and the others the one at its end; so neither makes a circle, and where dimensions follow one another routes that agree on
// the ends of all rings do not. Longer ones may. false: some route is not in dimension order or closes a circle, or there are
// too few lanes.
static bool put_by_ends(uint32_t *lane, struct layers *l)
{
	for (size_t i = 0; i < l->routes->n; i++)
		if (!loom_ring_ends(&lane[i], l->routes, i, l->topo) || lane[i] >= l->n_lanes || !put(l, lane[i], i))
			return false;
	return true;
}

static void empty_lanes(struct layers *l)
{
	for (uint32_t i = 0; i < l->n_lanes; i++) {
		memset(l->lane[i].after, 0, l->n_channels * sizeof *l->lane[i].after);
		memset(l->lane[i].load, 0, l->n_channels * sizeof *l->lane[i].load);
		l->lane[i].n_routes = 0;
	}
}

static int in_layers(uint32_t *lane, const struct loom_routes *routes, const struct loom_topo *topo, uint32_t most,
                     struct loom_err *err)
{
	struct layers l;
	bool done = begin(&l, routes, topo, most), fits = done && put_evenly(lane, &l);
	if (done && !fits && topo->kind->wraps) {
		empty_lanes(&l);
		fits = put_by_ends(lane, &l);
	}
	if (done && !fits) {
		drop_lanes(&l);
		done = put_in_turn(lane, &l);
	}
	int rc = done ? 0 : out_of_memory(&l, err);
	end(&l);
	return rc;
}

// Numbers the networks that some route with links is in from 0 up; returns how many these are.
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

// lane: the network of each route, below n_used; becomes its lane. Each network has as many lanes; a route is on the one where its
// links carry least.
static int by_networks(uint32_t *lane, uint32_t n_used, const struct loom_routes *routes, const struct loom_topo *topo,
                       uint32_t most, struct loom_err *err)
{
	struct layers l;
	uint32_t each = most / n_used;
	int rc = begin(&l, routes, topo, most) ? 0 : out_of_memory(&l, err);
	for (size_t i = 0; rc == 0 && i < routes->n; i++) {
		lane[i] = least_loaded(&l, ((UINT64_C(1) << each) - 1) << lane[i] * each, i);
		count(&l, lane[i], i);
	}
	end(&l);
	return rc;
}

// One lane for all: a search of all routes at once, and not one after each route.
static int try_one_lane(bool *fits, const struct loom_routes *routes, const struct loom_topo *topo,
                        struct loom_err *err)
{
	struct loom_lane_circle circle = {0};
	int rc = loom_lane_circle_find(&circle, routes, NULL, 1, topo, err);
	*fits = rc == 0 && circle.n == 0;
	loom_lane_circle_free(&circle);
	return rc;
}

int loom_routes_give_lanes(uint32_t *lane, uint32_t *n_lanes, const struct loom_routes *routes,
                           const struct loom_topo *topo, uint32_t most, struct loom_err *err)
{
	uint32_t n_networks = loom_virtual_networks(topo), n_used = LANES_LIMIT;
	bool fits = false;
	if (most < 1 || most > LANES_LIMIT)
		return loom_fail(err, LOOM_EINPUT, "routes on %" PRIu32 " lanes; 1 to %d are possible", most,
		                 LANES_LIMIT);
	// Not where there are rings or no coordinates, nor for routes that go both ways in a dimension.
	bool has_networks = loom_virtual_lanes(topo) == n_networks && n_networks <= LANES_LIMIT &&
	                    loom_virtual_networks_of(lane, routes, topo, NULL) == 0;
	if (has_networks)
		n_used = number_used(lane, routes);
	if (has_networks && n_used <= most) {
		int rc = by_networks(lane, n_used, routes, topo, most, err);
		*n_lanes = rc == 0 ? used(lane, routes->n) : 0;
		return rc;
	}
	int rc = most == 1 ? try_one_lane(&fits, routes, topo, err) : 0;
	if (rc == 0 && fits)
		memset(lane, 0, routes->n * sizeof *lane);
	else if (rc == 0)
		rc = in_layers(lane, routes, topo, most, err);
	if (rc == 0 && has_networks && used(lane, routes->n) > n_used) {
		rc = loom_virtual_networks_of(lane, routes, topo, err);
		(void)number_used(lane, routes);
	}
	if (rc == 0)
		*n_lanes = used(lane, routes->n);
	return rc;
}
