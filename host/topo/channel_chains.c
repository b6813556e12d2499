// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the longest chains in a graph of channels.
#include <stdlib.h>

#include "topo/channel_graph.h"

int loom_channel_graph_chains(uint32_t *longest, const struct loom_channel_graph *g)
{
	const size_t n = g->n_channels + (size_t)!g->n_channels;
	uint32_t *entering = calloc(n, sizeof *entering); // edges from channels that are not yet done
	uint32_t *list = malloc(n * sizeof *list);        // channels that are done or ready, in order
	size_t n_listed = 0;
	if (!entering || !list) {
		free(entering);
		free(list);
		return -1;
	}
	for (size_t e = 0; e < g->n_edges; e++)
		entering[g->edge[e].to] += g->edge[e].n_users != 0;
	for (uint32_t c = 0; c < g->n_channels; c++) {
		longest[c] = 0;
		if (entering[c] == 0)
			list[n_listed++] = c;
	}
	for (size_t i = 0; i < n_listed; i++)
		for (uint32_t from = list[i], e = g->ways[from].last; e != LOOM_CHANNEL_EDGE_NONE;
		     e = g->edge[e].next) {
			const uint32_t to = g->edge[e].to;
			if (g->edge[e].n_users == 0)
				continue;
			longest[to] = longest[from] >= longest[to] ? longest[from] + 1 : longest[to];
			if (--entering[to] == 0)
				list[n_listed++] = to;
		}
	free(entering);
	free(list);
	return n_listed == g->n_channels ? 0 : 1;
}
