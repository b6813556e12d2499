// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "plan/placement/placement.h"

#define NOWHERE UINT32_MAX

struct greedy {
	const struct loom_task_graph *graph;
	const struct loom_place_net *net;
	uint32_t *map;  // NOWHERE for a task that is not placed
	bool *taken;    // owned, [node]
	uint64_t *pull; // owned, [task]: flits to and from the placed tasks
};

static void put(struct greedy *g, uint32_t task, uint32_t node)
{
	const struct loom_task_graph *graph = g->graph;
	g->map[task] = node;
	g->taken[node] = true;
	for (size_t k = graph->first[task]; k < graph->first[task + 1]; k++) {
		const struct loom_task_edge *e = &graph->edge[graph->incident[k]];
		g->pull[loom_task_edge_other(e, task)] += e->flits;
	}
}

// Returns the sum of flits times hops between the task, on that node, and the placed tasks.
static uint64_t way(const struct greedy *g, uint32_t task, uint32_t node)
{
	const struct loom_task_graph *graph = g->graph;
	uint64_t sum = 0;
	for (size_t k = graph->first[task]; k < graph->first[task + 1]; k++) {
		const struct loom_task_edge *e = &graph->edge[graph->incident[k]];
		uint32_t at = g->map[loom_task_edge_other(e, task)];
		if (at != NOWHERE)
			sum += e->flits * g->net->hops[e->from == task ? (size_t)node * g->net->n_nodes + at
			                                               : (size_t)at * g->net->n_nodes + node];
	}
	return sum;
}

static uint32_t best_node(const struct greedy *g, uint32_t task)
{
	uint32_t best = NOWHERE;
	uint64_t least = UINT64_MAX;
	for (uint32_t u = 0; u < g->net->n_nodes; u++) {
		uint64_t sum = g->taken[u] ? UINT64_MAX : way(g, task, u);
		if (sum < least) {
			least = sum;
			best = u;
		}
	}
	return best;
}

// Returns the node with the least sum of hops to all others.
static uint32_t middle(const struct loom_place_net *net)
{
	uint32_t best = 0;
	uint64_t least = UINT64_MAX;
	for (uint32_t u = 0; u < net->n_nodes; u++) {
		uint64_t sum = 0;
		for (uint32_t v = 0; v < net->n_nodes; v++)
			sum += net->hops[(size_t)u * net->n_nodes + v];
		if (sum < least) {
			least = sum;
			best = u;
		}
	}
	return best;
}

// Finds the heaviest pair of tasks, with all messages of both directions, and returns that one of the two which sends
// and receives more in all. It sums the edges of one task at a time in `pull`, which is zero before and after.
static uint32_t first_task(struct greedy *g)
{
	const struct loom_task_graph *graph = g->graph;
	uint64_t most = 0;
	uint32_t best = 0;
	for (uint32_t t = 0; t < graph->n_tasks; t++) {
		for (size_t k = graph->first[t]; k < graph->first[t + 1]; k++) {
			const struct loom_task_edge *e = &graph->edge[graph->incident[k]];
			uint64_t *sum = &g->pull[loom_task_edge_other(e, t)];
			*sum += e->flits;
			if (*sum > most) {
				most = *sum;
				best = t;
			}
		}
		for (size_t k = graph->first[t]; k < graph->first[t + 1]; k++)
			g->pull[loom_task_edge_other(&graph->edge[graph->incident[k]], t)] = 0;
	}
	return best;
}

static uint32_t next_task(const struct greedy *g)
{
	uint32_t best = NOWHERE;
	for (uint32_t t = 0; t < g->graph->n_tasks; t++)
		if (g->map[t] == NOWHERE && (best == NOWHERE || g->pull[t] > g->pull[best]))
			best = t;
	return best;
}

int loom_place_greedy(uint32_t *map, const struct loom_task_graph *graph, const struct loom_place_net *net,
                      struct loom_err *err)
{
	struct greedy g = {.graph = graph, .net = net, .map = map};
	int rc = 0;
	g.taken = calloc(net->n_nodes, sizeof *g.taken);
	g.pull = calloc(graph->n_tasks, sizeof *g.pull);
	if (!g.taken || !g.pull) {
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a placement of %" PRIu32 " tasks", graph->n_tasks);
		goto out;
	}
	uint32_t first = first_task(&g);
	for (uint32_t t = 0; t < graph->n_tasks; t++)
		map[t] = NOWHERE;
	put(&g, first, middle(net));
	for (uint32_t n = 1; n < graph->n_tasks; n++) {
		uint32_t task = next_task(&g);
		put(&g, task, best_node(&g, task));
	}
out:
	free(g.taken);
	free(g.pull);
	return rc;
}
