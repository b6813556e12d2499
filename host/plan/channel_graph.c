// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/channel_graph.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NONE LOOM_CHANNEL_EDGE_NONE

int loom_channel_graph_init(struct loom_channel_graph *out, uint32_t n_channels)
{
	struct loom_channel_ways *ways = malloc((n_channels + (size_t)!n_channels) * sizeof *ways);
	if (!ways)
		return -1;
	memset(ways, 0xff, n_channels * sizeof *ways); // NONE
	*out = (struct loom_channel_graph){.n_channels = n_channels, .ways = ways};
	return 0;
}

void loom_channel_graph_free(struct loom_channel_graph *g)
{
	free(g->ways);
	free(g->edge);
	*g = (struct loom_channel_graph){0};
}

void loom_channel_graph_clear(struct loom_channel_graph *g)
{
	for (size_t e = 0; e < g->n_edges; e++)
		g->ways[g->edge[e].from] = (struct loom_channel_ways){NONE, NONE};
	g->n_edges = 0;
}

static int make_room(struct loom_channel_graph *g)
{
	size_t n_room = g->n_room ? 2 * g->n_room : 1024;
	if (g->n_edges < g->n_room)
		return 0;
	if (n_room >= NONE)
		return -1;
	struct loom_channel_edge *edge = realloc(g->edge, n_room * sizeof *edge);
	if (!edge)
		return -1;
	g->edge = edge;
	g->n_room = n_room;
	return 0;
}

int loom_channel_graph_add(struct loom_channel_graph *g, uint32_t from, uint32_t to, uint64_t who)
{
	struct loom_channel_ways *ways = &g->ways[from];
	uint32_t e = ways->last;
	if (ways->to == to)
		return 0;
	while (e != NONE && g->edge[e].to != to)
		e = g->edge[e].next;
	if (e == NONE) {
		if (make_room(g) != 0)
			return -1;
		g->edge[g->n_edges] = (struct loom_channel_edge){from, to, ways->last, who};
		ways->last = (uint32_t)g->n_edges++;
	}
	ways->to = to;
	return 0;
}

// --- A circle --------------------------------------------------------------------------------------------------------

// Depth first without recursion: a path may be as long as there are channels.
struct search {
	// Per channel: on the way down, the next edge to try; in breadth, the edge by which it was reached.
	uint32_t *edge;
	// The path from where the search began; in breadth, the channels in the order of reaching.
	uint32_t *list;
	uint8_t *state;
};
enum { NEW, ON_PATH, DONE };

// True if a circle can be reached from `start`: then *on_it is one of its channels. A channel that is DONE leads to
// none.
static bool descend(uint32_t *on_it, struct search *s, const struct loom_channel_graph *g, uint32_t start)
{
	size_t n = 0;
	s->list[n++] = start;
	s->state[start] = ON_PATH;
	s->edge[start] = g->ways[start].last;
	while (n > 0) {
		uint32_t at = s->list[n - 1], e = s->edge[at];
		if (e == NONE) {
			s->state[at] = DONE;
			n--;
			continue;
		}
		uint32_t to = g->edge[e].to;
		s->edge[at] = g->edge[e].next;
		if (s->state[to] == ON_PATH) {
			*on_it = to;
			return true;
		}
		if (s->state[to] == NEW) {
			s->list[n++] = to;
			s->state[to] = ON_PATH;
			s->edge[to] = g->ways[to].last;
		}
	}
	return false;
}

// The last edge of a shortest circle through `on_it`, of which there is one; s->edge[c] leads to channel c, back to on_it.
static uint32_t close_circle(struct search *s, const struct loom_channel_graph *g, uint32_t on_it)
{
	size_t n = 0;
	memset(s->edge, 0xff, g->n_channels * sizeof *s->edge);
	s->list[n++] = on_it;
	for (size_t i = 0; i < n; i++)
		for (uint32_t e = g->ways[s->list[i]].last; e != NONE; e = g->edge[e].next) {
			uint32_t to = g->edge[e].to;
			if (to == on_it)
				return e;
			if (s->edge[to] != NONE)
				continue;
			s->edge[to] = e;
			s->list[n++] = to;
		}
	return NONE;
}

static int collect(uint32_t **out, size_t *n, const struct search *s, const struct loom_channel_graph *g,
                   uint32_t last_edge)
{
	size_t length = 1, lowest = 0; // counted from the last edge backward
	uint32_t on_it = g->edge[last_edge].to, e = last_edge, from = g->edge[last_edge].from;
	while (g->edge[e].from != on_it) {
		e = s->edge[g->edge[e].from];
		if (g->edge[e].from < from) {
			from = g->edge[e].from;
			lowest = length;
		}
		length++;
	}
	uint32_t *circle = malloc(length * sizeof *circle);
	if (!circle)
		return -1;
	e = last_edge;
	for (size_t k = 0; k < length; k++) {
		circle[(lowest + length - k) % length] = e;
		e = s->edge[g->edge[e].from]; // of the first edge it is not there, and not used
	}
	*out = circle;
	*n = length;
	return 0;
}

int loom_channel_graph_circle(uint32_t **out, size_t *n, const struct loom_channel_graph *g)
{
	size_t n_entries = g->n_channels + (size_t)!g->n_channels;
	struct search s = {malloc(n_entries * sizeof *s.edge), malloc(n_entries * sizeof *s.list),
	                   calloc(n_entries, sizeof *s.state)};
	uint32_t on_it = 0;
	bool found = false;
	int rc = s.edge && s.list && s.state ? 0 : -1;
	for (uint32_t c = 0; rc == 0 && !found && c < g->n_channels; c++)
		if (g->ways[c].last != NONE && s.state[c] == NEW)
			found = descend(&on_it, &s, g, c);
	*out = NULL;
	*n = 0;
	if (found)
		rc = collect(out, n, &s, g, close_circle(&s, g, on_it));
	free(s.edge);
	free(s.list);
	free(s.state);
	return rc;
}
