// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes for links that may have too few lanes for them, where there are usual routes that cannot lock. All messages begin on
// these; then each in turn goes over to its other route, on the first lane where that closes no circle.
#include <flitloom/virtual_networks.h>

#include <stdlib.h>
#include <string.h>

#include "plan/routes/lane_search.h"

#define MOST 64 // links of a node, as a word has bits

struct work {
	uint32_t per_tile, n_channels, n_links;
	uint32_t *users; // of each lane, channel and link there: messages that hold the channel and want the link
	uint64_t *ways;  // of each lane and channel: bit p: users of link p
	struct loom_lane_search search;
};

static bool begin(struct work *w, const struct loom_topo *topo, uint32_t n_lanes)
{
	w->users = calloc((size_t)n_lanes * w->n_channels * w->n_links, sizeof *w->users);
	w->ways = calloc((size_t)n_lanes * w->n_channels, sizeof *w->ways);
	return loom_lane_search_init(&w->search, topo) && w->users && w->ways;
}

static void end(struct work *w)
{
	free(w->users);
	free(w->ways);
	loom_lane_search_free(&w->search);
}

static void change(struct work *w, const uint32_t *channel, size_t n, uint32_t lane, bool adds)
{
	uint64_t *ways = w->ways + (size_t)lane * w->n_channels;
	uint32_t *users = w->users + (size_t)lane * w->n_channels * w->n_links;
	for (size_t k = 0; k + 1 < n; k++) {
		uint32_t link = channel[k + 1] % w->per_tile;
		uint32_t *of = &users[(size_t)channel[k] * w->n_links + link];
		*of = adds ? *of + 1 : *of - 1;
		if (*of == adds) // the first one, or none any more
			ways[channel[k]] ^= UINT64_C(1) << link;
	}
}

// A circle that the route closes can be reached from its first link.
static bool put(struct work *w, const uint32_t *channel, size_t n, uint32_t lane)
{
	change(w, channel, n, lane, true);
	if (n < 2 || !loom_lane_has_circle(&w->search, w->ways + (size_t)lane * w->n_channels, channel[0]))
		return true;
	change(w, channel, n, lane, false);
	return false;
}

static size_t length(const struct loom_routes *routes, size_t i)
{
	return routes->first[i + 1] - routes->first[i];
}

static const uint32_t *route(const struct loom_routes *routes, size_t i)
{
	return routes->channel + routes->first[i];
}

// kept[i]: true if message i has its route in `routes`.
static void settle(bool *kept, uint32_t *lane, struct work *w, const struct loom_routes *routes,
                   const struct loom_routes *usual, uint32_t n_lanes)
{
	for (size_t i = 0; i < usual->n; i++)
		change(w, route(usual, i), length(usual, i), lane[i], true);
	for (size_t i = 0; i < usual->n; i++) {
		uint32_t k = 0;
		change(w, route(usual, i), length(usual, i), lane[i], false);
		while (k < n_lanes && !put(w, route(routes, i), length(routes, i), k))
			k++;
		kept[i] = k < n_lanes;
		if (kept[i])
			lane[i] = k;
		else
			change(w, route(usual, i), length(usual, i), lane[i], true);
	}
}

// Puts together the routes that the messages have in the end.
static int put_together(struct loom_routes *routes, const struct loom_routes *usual, const bool *kept,
                        struct loom_err *err)
{
	size_t n = 0;
	for (size_t i = 0; i < usual->n; i++)
		n += length(kept[i] ? routes : usual, i);
	struct loom_routes out = {.n = usual->n,
	                          .first = malloc((usual->n + 1) * sizeof *out.first),
	                          .channel = malloc((n + 1) * sizeof *out.channel)};
	if (!out.first || !out.channel) {
		loom_routes_free(&out);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %zu routes", usual->n);
	}
	out.first[0] = 0;
	for (size_t i = 0; i < usual->n; i++) {
		const struct loom_routes *from = kept[i] ? routes : usual;
		memcpy(out.channel + out.first[i], route(from, i), length(from, i) * sizeof *out.channel);
		out.first[i + 1] = out.first[i] + length(from, i);
	}
	loom_routes_free(routes);
	*routes = out;
	return 0;
}

int loom_routes_keep_lanes(struct loom_routes *routes, uint32_t *lane, const struct loom_routes *usual,
                           uint32_t n_lanes, const struct loom_topo *topo, struct loom_err *err)
{
	struct work w = {.per_tile = loom_topo_channels_per_tile(topo),
	                 .n_channels = loom_topo_channels(topo),
	                 .n_links = loom_topo_links(topo)};
	if (w.n_links > MOST)
		return loom_fail(err, LOOM_EINPUT, "routes on lanes of %s: its nodes have %u links, %d at most",
		                 topo->name, w.n_links, MOST);
	bool *kept = calloc(usual->n + 1, sizeof *kept);
	int rc = kept && begin(&w, topo, n_lanes)
	                 ? 0
	                 : loom_fail(err, LOOM_ENOMEM, "out of memory for the lanes of %zu routes on %s", usual->n,
	                             topo->name);
	if (rc == 0) {
		settle(kept, lane, &w, routes, usual, n_lanes);
		rc = put_together(routes, usual, kept, err);
	}
	end(&w);
	free(kept);
	return rc;
}
