// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/planners/conflicts.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

void loom_conflicts_free(struct loom_conflicts *g)
{
	free(g->hop);
	free(g->first);
	free(g->user);
	free(g->degree);
	free(g->taken);
}

// Numbers the used channels without gaps and counts their messages in first[channel + 1].
static bool find_channels(struct loom_conflicts *g, const struct loom_min *net, const uint32_t *source,
                          const uint32_t *destination)
{
	uint32_t n_nodes = loom_min_nodes(net), next = 0, path[LOOM_MIN_M_MAX];
	size_t most = (size_t)n_nodes * g->n_hops;
	uint32_t *number = malloc(most * sizeof *number);
	g->hop = malloc((g->n * g->n_hops + 1) * sizeof *g->hop);
	g->first = calloc((most < g->n * g->n_hops ? most : g->n * g->n_hops) + 2, sizeof *g->first);
	if (!number || !g->hop || !g->first) {
		free(number);
		return false;
	}
	memset(number, 0xff, most * sizeof *number);
	for (size_t i = 0; i < g->n; i++) {
		loom_min_path(path, net, source[i], destination[i]);
		for (unsigned k = 0; k < g->n_hops; k++) {
			uint32_t line = k == 0 ? source[i] : k < net->m ? path[k - 1] : destination[i];
			uint32_t *channel = &number[(size_t)k * n_nodes + line];
			if (*channel == NONE)
				*channel = next++;
			g->hop[i * g->n_hops + k] = *channel;
			size_t load = ++g->first[*channel + 1];
			if (load > g->largest_load)
				g->largest_load = (uint32_t)load;
		}
	}
	g->n_channels = next;
	free(number);
	return true;
}

bool loom_conflicts_make(struct loom_conflicts *out, const struct loom_min *net, const uint32_t *source,
                         const uint32_t *destination, size_t n)
{
	struct loom_conflicts g = {.n = n, .n_hops = net->m + 1};
	size_t *next = NULL, most_neighbours = 0;
	if (!find_channels(&g, net, source, destination))
		goto fail;
	next = malloc((g.n_channels + 1) * sizeof *next);
	g.user = malloc((n * g.n_hops + 1) * sizeof *g.user);
	g.degree = calloc(n + 1, sizeof *g.degree);
	if (!next || !g.user || !g.degree)
		goto fail;
	for (size_t i = 0; i < n; i++) {
		for (unsigned k = 0; k < g.n_hops; k++)
			g.degree[i] += (uint32_t)g.first[g.hop[i * g.n_hops + k] + 1] - 1;
		most_neighbours = g.degree[i] > most_neighbours ? g.degree[i] : most_neighbours;
	}
	for (size_t c = 0; c < g.n_channels; c++)
		g.first[c + 1] += g.first[c];
	memcpy(next, g.first, g.n_channels * sizeof *next);
	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k < g.n_hops; k++)
			g.user[next[g.hop[i * g.n_hops + k]]++] = (uint32_t)i;
	g.words = (most_neighbours < n ? most_neighbours : n) / 64 + 1;
	g.taken = calloc(g.n_channels * g.words + 1, sizeof *g.taken);
	if (!g.taken)
		goto fail;
	free(next);
	*out = g;
	return true;
fail:
	free(next);
	loom_conflicts_free(&g);
	return false;
}
