// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_lanes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define GIVEN_UP_MAX 16u

// True if routes i < n with in[i] close a circle. Removes channels that no other channel follows, until there are none.
// alive, followed: room for n_channels.
static bool peel(bool *alive, bool *followed, const struct ref_lane_route *route, const bool *in, size_t n,
                 uint32_t n_channels)
{
	bool left = true;
	memset(alive, true, n_channels);
	for (bool changed = true; changed;) {
		changed = false;
		left = false;
		memset(followed, false, n_channels);
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; in[i] && k + 1 < route[i].n; k++)
				followed[route[i].channel[k]] |= alive[route[i].channel[k + 1]];
		for (uint32_t c = 0; c < n_channels; c++) {
			changed = changed || (alive[c] && !followed[c]);
			alive[c] = alive[c] && followed[c];
			left = left || alive[c];
		}
	}
	return left;
}

// Sets *out if the routes i < n with lane[i] == l (lane NULL: all) close a circle.
static int locks_on(bool *out, const struct ref_lane_route *route, const uint32_t *lane, uint32_t l, size_t n,
                    uint32_t n_channels)
{
	bool *alive = calloc(2 * (size_t)n_channels + 1, sizeof *alive), *in = calloc(n + 1, sizeof *in);
	bool has_room = alive && in;
	for (size_t i = 0; has_room && i < n; i++)
		in[i] = !lane || lane[i] == l;
	*out = has_room && peel(alive, alive + n_channels, route, in, n, n_channels);
	free(alive);
	free(in);
	return has_room ? 0 : -ENOMEM;
}

int ref_lanes_lock(bool *out, const struct ref_lane_route *route, const uint32_t *lane, size_t n, uint32_t n_channels)
{
	uint32_t most = 0;
	bool found = false;
	int rc = 0;
	for (size_t i = 0; lane && i < n; i++)
		most = lane[i] > most ? lane[i] : most;
	for (uint32_t l = 0; rc == 0 && !found && l <= most; l++)
		rc = locks_on(&found, route, lane, l, n, n_channels);
	*out = found;
	return rc;
}

int ref_lanes_first_fit(uint32_t *lane, uint32_t *n_lanes, const struct ref_lane_route *route, size_t n,
                        uint32_t n_channels)
{
	*n_lanes = 1;
	for (size_t i = 0; i < n; i++) {
		bool locks = true;
		for (lane[i] = 0; locks;) {
			int rc = locks_on(&locks, route, lane, lane[i], i + 1, n_channels);
			if (rc != 0)
				return rc;
			lane[i] += locks;
		}
		*n_lanes = lane[i] >= *n_lanes ? lane[i] + 1 : *n_lanes;
	}
	return 0;
}

// Sets *out if the routes from i on fit on n_lanes lanes, of which those below `used` have some routes.
static int try_all(bool *out, uint32_t *lane, size_t i, uint32_t used, uint32_t n_lanes,
                   const struct ref_lane_route *route, size_t n, uint32_t n_channels)
{
	*out = i == n;
	for (uint32_t l = 0; !*out && l <= used && l < n_lanes; l++) {
		bool locks;
		lane[i] = l;
		int rc = ref_lanes_lock(&locks, route, lane, i + 1, n_channels);
		if (rc == 0 && !locks)
			rc = try_all(out, lane, i + 1, l == used ? used + 1 : used, n_lanes, route, n, n_channels);
		if (rc != 0)
			return rc;
	}
	return 0;
}

int ref_lanes_fewest(uint32_t *out, const struct ref_lane_route *route, size_t n, uint32_t n_channels)
{
	uint32_t *lane = calloc(n + 1, sizeof *lane);
	bool found = false;
	int rc = lane ? 0 : -ENOMEM;
	for (*out = 0; rc == 0 && !found;)
		rc = try_all(&found, lane, 0, 0, ++*out, route, n, n_channels);
	free(lane);
	return rc;
}

// Returns the most routes before i on the lane that share one channel of i's way.
static size_t most_shared(const struct ref_lane_route *route, const uint32_t *lane, size_t i, uint32_t on)
{
	size_t most = 0;
	for (size_t k = 0; k < route[i].n; k++) {
		size_t sharing = 0;
		for (size_t b = 0; b < i; b++)
			for (size_t j = 0; lane[b] == on && j < route[b].n; j++)
				sharing += route[b].channel[j] == route[i].channel[k];
		most = sharing > most ? sharing : most;
	}
	return most;
}

int ref_lanes_even(bool *done, uint32_t *lane, const struct ref_lane_route *route, const uint32_t *first,
                   uint32_t n_lanes, size_t n, uint32_t n_channels)
{
	*done = true;
	for (size_t i = 0; i < n && *done; i++) {
		size_t least = SIZE_MAX, fewest = SIZE_MAX;
		uint32_t begin = first ? first[i] : 0, best = 0;
		for (uint32_t l = begin; l < begin + n_lanes; l++) {
			size_t most = most_shared(route, lane, i, l), on_it = 0;
			bool locks;
			lane[i] = l;
			for (size_t b = 0; b < i; b++)
				on_it += lane[b] == l;
			int rc = locks_on(&locks, route, lane, l, i + 1, n_channels);
			if (rc != 0)
				return rc;
			if (!locks && (most < least || (most == least && on_it < fewest))) {
				least = most;
				fewest = on_it;
				best = l;
			}
		}
		lane[i] = best;
		*done = least != SIZE_MAX;
	}
	return 0;
}

// --- Routes given up -----------------------------------------------------------------------------------------------------

struct giving {
	const struct ref_lane_route *chosen, *usual;
	const uint32_t *lane;
	const uint64_t *weight;
	size_t n;
	uint32_t n_channels;
	size_t asked[GIVEN_UP_MAX]; // the routes that were given up
	unsigned n_asked;
	struct ref_lane_route *now; // the current routes
	bool *is_usual;
	uint64_t *cost;
	bool *in, *reached;
	bool *seen; // sets of `asked` that were tried
};

static bool same(const struct ref_lane_route *a, const struct ref_lane_route *b)
{
	return a->n == b->n && (a->n == 0 || memcmp(a->channel, b->channel, a->n * sizeof *a->channel) == 0);
}

static uint64_t load_of(const struct giving *g, uint32_t channel)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->now[i].n; k++)
			sum += g->now[i].channel[k] == channel ? g->weight[i] : 0;
	return sum;
}

// Returns the load of the busiest channel of i's usual route if i takes that route.
static uint64_t cost_of(struct giving *g, size_t i)
{
	struct ref_lane_route before = g->now[i];
	uint64_t most = 0;
	g->now[i] = g->usual[i];
	for (size_t k = 0; k < g->usual[i].n; k++) {
		uint64_t load = load_of(g, g->usual[i].channel[k]);
		most = load > most ? load : most;
	}
	g->now[i] = before;
	return most;
}

static void set_routes(struct giving *g, unsigned gone)
{
	for (size_t i = 0; i < g->n; i++)
		g->now[i] = g->chosen[i];
	for (unsigned k = 0; k < g->n_asked; k++)
		if (gone >> k & 1)
			g->now[g->asked[k]] = g->usual[g->asked[k]];
	for (size_t i = 0; i < g->n; i++)
		g->is_usual[i] = same(&g->now[i], &g->usual[i]);
	for (size_t i = 0; i < g->n; i++)
		g->cost[i] = g->is_usual[i] ? UINT64_MAX : cost_of(g, i);
}

// True if edges of routes with in[i] lead from `from` to `to`.
static bool leads_to(struct giving *g, uint32_t from, uint32_t to)
{
	memset(g->reached, false, g->n_channels);
	g->reached[from] = true;
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < g->n; i++)
			for (size_t k = 0; g->in[i] && k + 1 < g->now[i].n; k++)
				if (g->reached[g->now[i].channel[k]] && !g->reached[g->now[i].channel[k + 1]]) {
					g->reached[g->now[i].channel[k + 1]] = true;
					changed = true;
				}
	}
	return g->reached[to];
}

// True if message m may be the next to give up its route: it is in a circle with messages whose cost is not below its
// own.
static bool may_go(struct giving *g, size_t m)
{
	for (size_t i = 0; i < g->n; i++)
		g->in[i] = g->lane[i] == g->lane[m] && g->cost[i] >= g->cost[m];
	for (size_t k = 0; k + 1 < g->now[m].n; k++)
		if (leads_to(g, g->now[m].channel[k + 1], g->now[m].channel[k]))
			return true;
	return false;
}

static int go_on(bool *out, struct giving *g, unsigned gone)
{
	bool locks;
	if (*out || g->seen[gone])
		return 0;
	g->seen[gone] = true;
	set_routes(g, gone);
	int rc = ref_lanes_lock(&locks, g->now, g->lane, g->n, g->n_channels);
	if (gone == (1u << g->n_asked) - 1)
		*out = rc == 0 && !locks;
	for (unsigned k = 0; rc == 0 && locks && k < g->n_asked; k++) {
		if (gone >> k & 1)
			continue;
		set_routes(g, gone);
		if (may_go(g, g->asked[k]))
			rc = go_on(out, g, gone | 1u << k);
	}
	return rc;
}

int ref_lanes_can_give_up(bool *out, const struct ref_lane_route *chosen, const struct ref_lane_route *usual,
                          const uint32_t *lane, const bool *given_up, const uint64_t *weight, size_t n,
                          uint32_t n_channels)
{
	struct giving g = {
		.chosen = chosen, .usual = usual, .lane = lane, .weight = weight, .n = n, .n_channels = n_channels};
	for (size_t i = 0; i < n; i++) {
		if (given_up[i] && g.n_asked == GIVEN_UP_MAX)
			return -EINVAL;
		if (given_up[i])
			g.asked[g.n_asked++] = i;
	}
	*out = false;
	g.now = calloc(n + 1, sizeof *g.now);
	g.is_usual = calloc(n + 1, sizeof *g.is_usual);
	g.cost = calloc(n + 1, sizeof *g.cost);
	g.in = calloc(n + 1, sizeof *g.in);
	g.reached = calloc(n_channels + 1, sizeof *g.reached);
	g.seen = calloc((size_t)1 << g.n_asked, sizeof *g.seen);
	int rc = g.now && g.is_usual && g.cost && g.in && g.reached && g.seen ? go_on(out, &g, 0) : -ENOMEM;
	free(g.now);
	free(g.is_usual);
	free(g.cost);
	free(g.in);
	free(g.reached);
	free(g.seen);
	return rc;
}
