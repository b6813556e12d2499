// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds routes for links that may have too few lanes, on fabrics with usual routes that cannot lock. All messages begin
// on the usual routes. Then each in turn changes to its other route, on the first lane on which that closes no circle.
#include <flitloom/routes/virtual_networks.h>

#include <stdlib.h>
#include <string.h>

#include "topo/channel_graph.h"

static size_t length(const struct loom_routes *routes, size_t i)
{
	return routes->first[i + 1] - routes->first[i];
}

static const uint32_t *route(const struct loom_routes *routes, size_t i)
{
	return routes->channel + routes->first[i];
}

// Sets kept[i] to true if message i takes its route in `routes`. g: n_lanes empty graphs. Returns -1 if memory runs
// out, 1 if the usual routes have a circle.
static int settle(bool *kept, uint32_t *lane, struct loom_lane_graphs *g, const struct loom_routes *routes,
                  const struct loom_routes *usual)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < usual->n; i++)
		rc = loom_channel_graph_put(&g->lane[lane[i]], route(usual, i), length(usual, i));
	for (size_t i = 0; rc == 0 && i < usual->n; i++) {
		loom_channel_graph_take(&g->lane[lane[i]], route(usual, i), length(usual, i));
		rc = loom_lane_graphs_put(&lane[i], g, g->n_lanes, route(routes, i), length(routes, i));
		kept[i] = rc == 0;
		if (rc == 1)
			rc = loom_channel_graph_put(&g->lane[lane[i]], route(usual, i), length(usual, i));
	}
	return rc;
}

// Collects the routes that the messages take in the end.
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
	struct loom_lane_graphs g = {0};
	bool *kept = calloc(usual->n + 1, sizeof *kept);
	int rc = kept ? loom_lane_graphs_init(&g, loom_topo_channels(topo), n_lanes) : -1;
	if (rc == 0)
		rc = settle(kept, lane, &g, routes, usual);
	if (rc == 0)
		rc = put_together(routes, usual, kept, err);
	else if (rc == 1)
		rc = loom_fail(err, LOOM_EINPUT, "the usual routes of %zu messages on %s can lock", usual->n,
		               topo->name);
	else
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the lanes of %zu routes on %s", usual->n,
		               topo->name);
	loom_lane_graphs_free(&g);
	free(kept);
	return rc;
}
