// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// up*/down* routing [Schroeder91] by destination alone: a message goes down by a shortest way if there is a way that
// leads down throughout, else it goes up. No message goes up after it went down, so messages cannot wait for one
// another in a circle.
#include "topo/graph.h"

// Searches breadth first from the root, over links that lead both ways, or over all links.
static uint32_t spread_from(uint32_t *distance, uint32_t *most, const struct loom_graph *g, uint32_t root, bool all,
                            uint32_t *queue)
{
	uint32_t n = 0;
	for (uint32_t u = 0; u < g->wires.n_nodes; u++)
		distance[u] = LOOM_GRAPH_FAR;
	distance[root] = 0;
	queue[n++] = root;
	for (uint32_t i = 0; i < n; i++)
		for (unsigned p = 0; p < g->n_ports; p++)
			for (int way = 0; way < 2; way++) {
				uint32_t c = queue[i] * g->n_ports + p, v = (way ? g->in : g->out)[c].node;
				if (v == LOOM_GRAPH_NONE || distance[v] != LOOM_GRAPH_FAR ||
				    (!all && g->in[c].node != g->out[c].node))
					continue;
				*most = distance[v] = distance[queue[i]] + 1;
				queue[n++] = v;
			}
	return n;
}

// Computes the distances from a root. If links that lead both ways connect all nodes, only these count, so there is a
// way up to the root and down again.
uint32_t loom_graph_distances(uint32_t *distance, const struct loom_graph *g, uint32_t root, uint32_t *queue)
{
	uint32_t most = 0;
	if (spread_from(distance, &most, g, root, false, queue) < g->wires.n_nodes)
		(void)spread_from(distance, &most, g, root, true, queue);
	return most;
}

static bool is_up(const uint32_t *distance, uint32_t from, uint32_t to)
{
	return distance[to] < distance[from] || (distance[to] == distance[from] && to < from);
}

uint32_t loom_graph_search_back(uint8_t *next, uint32_t *length, const struct loom_graph *g, uint32_t destination,
                                const uint32_t *distance, uint32_t *queue)
{
	uint32_t n = 0;
	for (uint32_t u = 0; u < g->wires.n_nodes; u++)
		length[u] = LOOM_GRAPH_FAR;
	length[destination] = 0;
	queue[n++] = destination;
	for (uint32_t i = 0; i < n; i++)
		for (unsigned p = 0; p < g->n_ports; p++) {
			const struct loom_graph_end *from = &g->in[queue[i] * g->n_ports + p];
			if (from->node == LOOM_GRAPH_NONE || length[from->node] != LOOM_GRAPH_FAR ||
			    (distance && is_up(distance, from->node, queue[i])))
				continue;
			length[from->node] = length[queue[i]] + 1;
			next[from->node] = (uint8_t)from->port;
			queue[n++] = from->node;
		}
	return n;
}

// Gives ways up to the nodes without a way. `order` begins with the root, so all nodes above a node already have their
// ways.
static bool go_up(uint8_t *next, uint32_t *length, const struct loom_graph *g, const uint32_t *distance,
                  const uint32_t *order)
{
	for (uint32_t i = 0; i < g->wires.n_nodes; i++) {
		uint32_t u = order[i], best = LOOM_GRAPH_FAR;
		for (unsigned p = 0; length[u] == LOOM_GRAPH_FAR && p < g->n_ports; p++) {
			uint32_t v = g->out[u * g->n_ports + p].node;
			if (v == LOOM_GRAPH_NONE || !is_up(distance, u, v) || length[v] >= best)
				continue;
			best = length[v];
			next[u] = (uint8_t)p;
		}
		if (length[u] == LOOM_GRAPH_FAR && best == LOOM_GRAPH_FAR)
			return false;
		length[u] = length[u] == LOOM_GRAPH_FAR ? best + 1 : length[u];
	}
	return true;
}

bool loom_graph_up_down(struct loom_graph *g, const uint32_t *distance, uint32_t *scratch)
{
	const uint32_t n = g->wires.n_nodes;
	uint32_t *length = scratch, *queue = scratch + n, *order = scratch + 2 * (size_t)n, n_ordered = 0;
	for (uint32_t d = 0; n_ordered < n; d++)
		for (uint32_t u = 0; u < n; u++)
			if (distance[u] == d)
				order[n_ordered++] = u;
	for (uint32_t d = 0; d < n; d++) {
		uint8_t *next = &g->next[(size_t)d * n];
		(void)loom_graph_search_back(next, length, g, d, distance, queue);
		if (!go_up(next, length, g, distance, order))
			return false;
	}
	return true;
}
