// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plan/placement/placement.h"

// Searches breadth first from a node. Returns the number of nodes that it reaches.
static uint32_t search(uint16_t *hops, uint32_t *queue, const struct loom_place_net *net, uint32_t from)
{
	uint32_t head = 0, tail = 0;
	memset(hops, 0xff, net->n_nodes * sizeof *hops);
	hops[from] = 0;
	for (queue[tail++] = from; head < tail; head++)
		for (unsigned p = 0; p < net->n_links; p++) {
			uint32_t u = queue[head], v = net->neighbour[(size_t)u * net->n_links + p];
			if (v == UINT32_MAX || hops[v] != UINT16_MAX)
				continue;
			hops[v] = (uint16_t)(hops[u] + 1);
			queue[tail++] = v;
		}
	return tail;
}

int loom_place_net_make(struct loom_place_net *out, const struct loom_topo *topo, struct loom_err *err)
{
	struct loom_place_net net = {.topo = topo, .n_nodes = topo->n_nodes, .n_links = loom_topo_links(topo)};
	uint32_t *queue = NULL, reached = net.n_nodes;
	unsigned back;
	int rc = 0;
	if (net.n_links == 0)
		return loom_fail(
			err, LOOM_EINPUT,
			"placement on %s: tasks are placed on direct networks (line, ring, mesh, torus, cube, graph)",
			topo->name);
	if (net.n_nodes > LOOM_PLACEMENT_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "placement on %s: it has %" PRIu32 " nodes, and %d can be searched",
		                 topo->name, net.n_nodes, LOOM_PLACEMENT_NODES_MAX);
	net.neighbour = calloc((size_t)net.n_nodes * net.n_links, sizeof *net.neighbour);
	net.hops = calloc((size_t)net.n_nodes * net.n_nodes, sizeof *net.hops);
	queue = calloc(net.n_nodes, sizeof *queue);
	if (!net.neighbour || !net.hops || !queue) {
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for distances between %" PRIu32 " nodes", net.n_nodes);
		goto out;
	}
	for (uint32_t u = 0; u < net.n_nodes; u++)
		for (unsigned p = 0; p < net.n_links; p++) {
			uint32_t *v = &net.neighbour[(size_t)u * net.n_links + p];
			if (!topo->kind->link(topo, u, p, v, &back))
				*v = UINT32_MAX;
		}
	for (uint32_t u = 0; u < net.n_nodes && reached == net.n_nodes; u++)
		reached = search(net.hops + (size_t)u * net.n_nodes, queue, &net, u);
	if (reached < net.n_nodes)
		rc = loom_fail(err, LOOM_EINPUT, "placement on %s: not every node can be reached from every other",
		               topo->name);
out:
	free(queue);
	if (rc == 0)
		*out = net;
	else
		loom_place_net_free(&net);
	return rc;
}

void loom_place_net_free(struct loom_place_net *net)
{
	if (!net)
		return;
	free(net->neighbour);
	free(net->hops);
	memset(net, 0, sizeof *net);
}
