// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/planners/conflicts.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

void loom_conflicts_free(struct loom_conflicts *g)
{
	free(g->at);
	free(g->hop);
	free(g->first);
	free(g->user);
	free(g->degree);
	free(g->taken);
}

// Numbers the used channels without gaps, and counts their messages in first[channel + 1].
static bool number_channels(struct loom_conflicts *g, size_t n_ids)
{
	uint32_t next = 0;
	uint32_t *number = malloc((n_ids + 1) * sizeof *number);
	size_t n_hops = g->at[g->n];
	g->first = calloc((n_ids < n_hops ? n_ids : n_hops) + 1, sizeof *g->first);
	if (!number || !g->first) {
		free(number);
		return false;
	}
	memset(number, 0xff, n_ids * sizeof *number);
	for (size_t k = 0; k < n_hops; k++) {
		uint32_t *channel = &number[g->hop[k]];
		if (*channel == NONE)
			*channel = next++;
		g->hop[k] = *channel;
		size_t load = ++g->first[*channel + 1];
		if (load > g->largest_load)
			g->largest_load = (uint32_t)load;
	}
	g->n_channels = next;
	free(number);
	return true;
}

// Finds the users of each channel, and the number of neighbours of each message.
static bool find_users(struct loom_conflicts *g, size_t *most_neighbours)
{
	size_t *next = malloc((g->n_channels + 1) * sizeof *next);
	g->user = malloc((g->at[g->n] + 1) * sizeof *g->user);
	g->degree = calloc(g->n + 1, sizeof *g->degree);
	if (!next || !g->user || !g->degree) {
		free(next);
		return false;
	}
	*most_neighbours = 0;
	for (size_t i = 0; i < g->n; i++) {
		for (size_t k = g->at[i]; k < g->at[i + 1]; k++)
			g->degree[i] += (uint32_t)g->first[g->hop[k] + 1] - 1;
		*most_neighbours = g->degree[i] > *most_neighbours ? g->degree[i] : *most_neighbours;
	}
	for (size_t c = 0; c < g->n_channels; c++)
		g->first[c + 1] += g->first[c];
	memcpy(next, g->first, g->n_channels * sizeof *next);
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = g->at[i]; k < g->at[i + 1]; k++)
			g->user[next[g->hop[k]]++] = (uint32_t)i;
	free(next);
	return true;
}

bool loom_conflicts_make(struct loom_conflicts *out, size_t n, size_t *at, uint32_t *hop, size_t n_ids)
{
	struct loom_conflicts g = {.n = n, .at = at, .hop = hop};
	size_t most_neighbours;
	if (number_channels(&g, n_ids) && find_users(&g, &most_neighbours)) {
		g.words = (most_neighbours < n ? most_neighbours : n) / 64 + 1;
		g.taken = calloc(g.n_channels * g.words + 1, sizeof *g.taken);
	}
	if (!g.taken) {
		loom_conflicts_free(&g);
		return false;
	}
	*out = g;
	return true;
}
