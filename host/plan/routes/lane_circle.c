// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the channel dependency graph of chosen routes.
#include <flitloom/routes/virtual_networks.h>

#include <inttypes.h>
#include <stdlib.h>

#include "plan/routes/lane_circle.h"

struct lanes {
	const struct loom_routes *routes;
	const uint32_t *lane; // NULL: all links are on lane 0
	uint32_t n_lanes;
};

static uint32_t place(const struct lanes *l, size_t k)
{
	return l->routes->channel[k] * l->n_lanes + (l->lane ? l->lane[k] : 0);
}

// Adds all routes to the graph. Returns -1 if memory runs out.
static int fill(struct loom_channel_graph *g, const struct lanes *l)
{
	const struct loom_routes *routes = l->routes;
	int rc = 0;
	for (size_t k = routes->first[0]; k < routes->first[routes->n]; k++)
		(void)loom_channel_graph_count(g, place(l, k));
	for (size_t i = 0; rc == 0 && i < routes->n; i++) {
		uint32_t held = LOOM_CHANNEL_NONE;
		for (size_t k = routes->first[i]; rc == 0 && k < routes->first[i + 1]; k++)
			rc = loom_channel_graph_follow(g, &held, place(l, k), i);
	}
	return rc;
}

int loom_lane_circle_take(struct loom_lane_circle *out, const struct loom_channel_graph *g, uint32_t n_lanes)
{
	struct loom_lane_circle circle = {0};
	uint32_t *edges = NULL;
	if (loom_channel_graph_circle(&edges, &circle.n, g) != 0)
		return -1;
	circle.at = circle.n ? calloc(circle.n, sizeof *circle.at) : NULL;
	for (size_t i = 0; circle.at && i < circle.n; i++) {
		const struct loom_channel_edge *edge = &g->edge[edges[i]];
		circle.at[i] = (struct loom_lane){edge->from / n_lanes, edge->from % n_lanes, (uint32_t)edge->who};
	}
	free(edges);
	if (circle.n && !circle.at)
		return -1;
	*out = circle;
	return 0;
}

int loom_lane_circle_find(struct loom_lane_circle *out, const struct loom_routes *routes, const uint32_t *lane,
                          uint32_t n_lanes, const struct loom_topo *topo, struct loom_err *err)
{
	struct loom_channel_graph g = {0};
	uint64_t n_places = (uint64_t)loom_topo_channels(topo) * n_lanes;
	if (n_places >= UINT32_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "%" PRIu32 " lanes of each channel of %s: too many to look for a deadlock", n_lanes,
		                 topo->name);
	const struct lanes l = {routes, lane, n_lanes};
	int rc = loom_channel_graph_init(&g, (uint32_t)n_places) == 0 ? fill(&g, &l) : -1;
	if (rc == 0)
		rc = loom_lane_circle_take(out, &g, n_lanes);
	loom_channel_graph_free(&g);
	return rc == 0 ? 0
	               : loom_fail(err, LOOM_ENOMEM, "out of memory to look for a deadlock among %zu routes on %s",
	                           routes->n, topo->name);
}

void loom_lane_circle_free(struct loom_lane_circle *circle)
{
	if (!circle)
		return;
	free(circle->at);
	*circle = (struct loom_lane_circle){0};
}
