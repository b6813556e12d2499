// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes for links that may have too few lanes for them, where there are usual routes that cannot lock. All messages begin on
// these; then each in turn goes over to its other route, on the first lane where that closes no circle.
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

static int put(struct loom_channel_graph *g, const struct loom_routes *routes, size_t i)
{
	return loom_channel_graph_put(g, route(routes, i), length(routes, i));
}

// kept[i]: true if message i has its route in `routes`. g: of each lane, empty. -1: out of memory; 1: the usual routes have a circle.
static int settle(bool *kept, uint32_t *lane, struct loom_channel_graph *g, const struct loom_routes *routes,
                  const struct loom_routes *usual, uint32_t n_lanes)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < usual->n; i++)
		rc = put(&g[lane[i]], usual, i);
	for (size_t i = 0; rc == 0 && i < usual->n; i++) {
		uint32_t k = 0;
		loom_channel_graph_take(&g[lane[i]], route(usual, i), length(usual, i));
		for (rc = 1; rc == 1 && k < n_lanes; k += rc == 1)
			rc = put(&g[k], routes, i);
		kept[i] = rc == 0;
		if (kept[i])
			lane[i] = k;
		else if (rc == 1)
			rc = put(&g[lane[i]], usual, i);
	}
	return rc;
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
	struct loom_channel_graph *g = calloc(n_lanes, sizeof *g);
	bool *kept = calloc(usual->n + 1, sizeof *kept);
	int rc = g && kept ? 0 : -1;
	for (uint32_t k = 0; rc == 0 && k < n_lanes; k++)
		rc = loom_channel_graph_init(&g[k], loom_topo_channels(topo));
	if (rc == 0)
		rc = settle(kept, lane, g, routes, usual, n_lanes);
	if (rc == 0)
		rc = put_together(routes, usual, kept, err);
	else if (rc == 1)
		rc = loom_fail(err, LOOM_EINPUT, "the usual routes of %zu messages on %s can lock", usual->n,
		               topo->name);
	else
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the lanes of %zu routes on %s", usual->n,
		               topo->name);
	for (uint32_t k = 0; g && k < n_lanes; k++)
		loom_channel_graph_free(&g[k]);
	free(g);
	free(kept);
	return rc;
}
