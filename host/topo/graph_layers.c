// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives routes lanes: the route of each pair of nodes gets the first lane in which it closes no circle of channels that
// wait for one another [Lysne06].
#include <stdlib.h>
#include <string.h>

#include "topo/channel_graph.h"
#include "topo/graph.h"

#define LAYERS_MAX LOOM_GRAPH_LANES_COUNTED

struct work {
	struct loom_lane_graphs layers; // of channels, each numbered node * n_ports + port at the node that it leaves
	uint32_t *route;                // the channels of the present route
};

static size_t follow(uint32_t *route, const struct loom_graph *g, uint32_t source, uint32_t destination)
{
	const uint8_t *next = &g->next[(size_t)destination * g->wires.n_nodes];
	size_t n = 0;
	for (uint32_t at = source; at != destination; at = g->out[route[n++]].node)
		route[n] = at * g->n_ports + next[at];
	return n;
}

// Adds the routes to one destination, the farthest source first. The routes of nearer sources are ends of these routes,
// so they fit into the same lanes. Returns 1 if there are too many lanes, -1 if memory runs out.
static int add_destination(struct work *w, struct loom_graph *g, uint32_t destination, const uint32_t *nearest)
{
	const uint32_t n = g->wires.n_nodes;
	int rc = 0;
	for (uint32_t i = n; rc == 0 && i-- > 1;) {
		if (nearest[i] >= n - g->wires.n_switches)
			continue;
		size_t n_links = follow(w->route, g, nearest[i], destination);
		uint32_t layer = LAYERS_MAX;
		rc = loom_lane_graphs_put(&layer, &w->layers, LAYERS_MAX, w->route, n_links);
		g->lane[(size_t)nearest[i] * n + destination] = (uint8_t)layer;
	}
	return rc;
}

// Sorts all nodes by the lengths of their routes to the destination.
static void sort_nodes(uint32_t *nearest, const struct loom_graph *g, uint32_t destination, uint32_t *queue)
{
	const uint32_t n = g->wires.n_nodes;
	const uint8_t *next = &g->next[(size_t)destination * n];
	uint32_t n_queued = 0;
	queue[n_queued++] = destination;
	for (uint32_t i = 0; i < n_queued; i++)
		for (unsigned p = 0; p < g->n_ports; p++) {
			const struct loom_graph_end *end = &g->in[queue[i] * g->n_ports + p];
			if (end->node != LOOM_GRAPH_NONE && end->node != destination && next[end->node] == end->port)
				queue[n_queued++] = end->node;
		}
	memcpy(nearest, queue, n * sizeof *nearest);
}

int loom_graph_layers(struct loom_graph *g, unsigned *n, struct loom_err *err)
{
	const uint32_t n_nodes = g->wires.n_nodes;
	uint32_t *nearest = malloc(2 * (size_t)n_nodes * sizeof *nearest);
	struct work w = {.route = malloc(n_nodes * sizeof *w.route)};
	int rc = nearest && w.route ? loom_lane_graphs_init(&w.layers, n_nodes * g->n_ports, 0) : -1;
	for (uint32_t d = 0; rc == 0 && d < n_nodes - g->wires.n_switches; d++) {
		sort_nodes(nearest, g, d, nearest + n_nodes);
		rc = add_destination(&w, g, d, nearest);
	}
	*n = w.layers.n_lanes + (rc == 1);
	loom_lane_graphs_free(&w.layers);
	free(w.route);
	free(nearest);
	return rc >= 0 ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the lanes of a graph");
}
