// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the routes of a graph: shortest ones if its lanes suffice for them, else up*/down*.
#include <stdio.h>
#include <stdlib.h>

#include "topo/graph.h"

// Chooses shortest ways to a destination. Of equally short ways it takes the one whose first link has the fewest routes
// so far. `behind`: the messages that pass each node.
static void choose_shortest(struct loom_graph *g, uint32_t destination, const uint32_t *length, const uint32_t *queue,
                            uint32_t *behind, uint32_t *load)
{
	const uint32_t n = g->wires.n_nodes;
	for (uint32_t u = 0; u < n; u++)
		behind[u] = u < n - g->wires.n_switches;
	for (uint32_t i = n; i-- > 1;) {
		uint32_t u = queue[i], best = LOOM_GRAPH_NONE;
		for (unsigned p = 0; p < g->n_ports; p++) {
			uint32_t c = u * g->n_ports + p, v = g->out[c].node;
			if (v != LOOM_GRAPH_NONE && length[v] + 1 == length[u] &&
			    (best == LOOM_GRAPH_NONE || (!g->wires.in_order && load[c] < load[best])))
				best = c;
		}
		g->next[(size_t)destination * n + u] = (uint8_t)(best % g->n_ports);
		load[best] += behind[u];
		behind[g->out[best].node] += behind[u];
	}
}

static int fail_unreachable(const struct loom_graph *g, const uint32_t *length, uint32_t destination,
                            struct loom_err *err)
{
	uint32_t u = 0;
	while (length[u] != LOOM_GRAPH_FAR)
		u++;
	return loom_fail(err, LOOM_EINPUT,
	                 "there is no way from node %s to node %s; every node must be reached from "
	                 "every other one",
	                 g->wires.name[u], g->wires.name[destination]);
}

static int route_shortest(struct loom_graph *g, struct loom_err *err)
{
	const uint32_t n = g->wires.n_nodes;
	uint32_t *length = malloc(3 * (size_t)n * sizeof *length);
	uint32_t *load = calloc((size_t)n * g->n_ports, sizeof *load);
	int rc = length && load ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of a graph");
	for (uint32_t d = 0; rc == 0 && d < n; d++) {
		uint8_t *any_shortest = &g->next[(size_t)d * n];
		if (loom_graph_search_back(any_shortest, length, g, d, NULL, length + n) < n)
			rc = fail_unreachable(g, length, d, err);
		else
			choose_shortest(g, d, length, length + n, length + 2 * (size_t)n, load);
	}
	free(length);
	free(load);
	return rc;
}

// Orders the nodes as roots to try: those whose farthest node is nearest come first.
static void order_roots(uint32_t *roots, uint32_t *farthest, const struct loom_graph *g, uint32_t *scratch)
{
	const uint32_t n = g->wires.n_nodes;
	uint32_t n_roots = 0;
	for (uint32_t u = 0; u < n; u++)
		farthest[u] = loom_graph_distances(scratch, g, u, scratch + n);
	for (uint32_t far = 0; n_roots < n; far++)
		for (uint32_t u = 0; u < n; u++)
			if (farthest[u] == far)
				roots[n_roots++] = u;
}

// Makes up*/down* routes. Returns 1 if no root will do. If all links lead both ways, the first root will do.
static int route_up_down(struct loom_graph *g, struct loom_err *err)
{
	enum { ROOTS_TRIED = 64 };
	const uint32_t n = g->wires.n_nodes;
	uint32_t *scratch = malloc(6 * (size_t)n * sizeof *scratch);
	if (!scratch)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of a graph");
	uint32_t *roots = scratch, *distance = scratch + n, *rest = scratch + 2 * (size_t)n;
	bool found = false;
	order_roots(roots, distance, g, rest);
	for (uint32_t i = 0; !found && i < n && i < ROOTS_TRIED; i++) {
		g->root = roots[i];
		(void)loom_graph_distances(distance, g, g->root, rest);
		found = loom_graph_up_down(g, distance, rest);
	}
	free(scratch);
	return found ? 0 : 1;
}

static int fail_lanes(const struct loom_graph *g, unsigned n_vcs, struct loom_err *err)
{
	char needed[40], hint[80] = "more links that lead both ways would help";
	if (g->lanes_needed > LOOM_GRAPH_LANES_COUNTED)
		(void)snprintf(needed, sizeof needed, "more than %d", LOOM_GRAPH_LANES_COUNTED);
	else
		(void)snprintf(needed, sizeof needed, "%u", g->lanes_needed);
	if (g->lanes_needed <= LOOM_LANES_MAX)
		(void)snprintf(hint, sizeof hint, "add :v%u", g->lanes_needed);
	return loom_fail(err, LOOM_EINPUT,
	                 "without deadlocks its shortest routes need %s lanes of each link, which has %u, and its "
	                 "one-way links leave no up*/down* routes: %s",
	                 needed, n_vcs, hint);
}

// Spreads routes that fit into fewer lanes over all lanes. Splitting a lane without a circle makes no circle.
static void spread(struct loom_graph *g, unsigned n_used, unsigned n_vcs)
{
	const uint32_t n = g->wires.n_nodes;
	for (uint32_t s = 0; s < n; s++)
		for (uint32_t d = 0; d < n; d++) {
			uint8_t *lane = &g->lane[(size_t)s * n + d];
			unsigned n_ways = (n_vcs - *lane + n_used - 1) / n_used;
			*lane = (uint8_t)(*lane + n_used * ((s + d) % n_ways));
		}
}

int loom_graph_route(struct loom_graph *g, unsigned n_vcs, struct loom_err *err)
{
	const uint32_t n = g->wires.n_nodes;
	int rc = route_shortest(g, err);
	if (rc == 0)
		rc = loom_graph_layers(g, &g->lanes_needed, err);
	g->routing = g->lanes_needed <= n_vcs ? LOOM_GRAPH_SHORTEST : LOOM_GRAPH_UP_DOWN;
	if (rc == 0 && g->routing == LOOM_GRAPH_UP_DOWN) {
		for (size_t i = 0; i < (size_t)n * n; i++)
			g->lane[i] = 0;
		rc = route_up_down(g, err);
		if (rc == 1)
			rc = fail_lanes(g, n_vcs, err);
	}
	if (rc == 0)
		spread(g, g->routing == LOOM_GRAPH_SHORTEST ? g->lanes_needed : 1, n_vcs);
	return rc;
}
