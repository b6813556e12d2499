// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Over 400 lines because edges, their order and the search for circles work on one structure.
#include "topo/channel_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"

#define NONE LOOM_CHANNEL_EDGE_NONE

int loom_channel_graph_init(struct loom_channel_graph *out, uint32_t n_channels)
{
	*out = (struct loom_channel_graph){.n_channels = n_channels};
	LOOM_ARRAY(&out->arrays, out->ways, n_channels);
	LOOM_ARRAY(&out->arrays, out->users, n_channels);
	if (!out->arrays.is_short) {
		for (uint32_t c = 0; c < n_channels; c++)
			out->ways[c] = (struct loom_channel_ways){.last = NONE};
		return 0;
	}
	loom_channel_graph_free(out);
	return -1;
}

void loom_channel_graph_free(struct loom_channel_graph *g)
{
	loom_arrays_free(&g->arrays);
	free(g->edge);
	*g = (struct loom_channel_graph){0};
}

void loom_channel_graph_clear(struct loom_channel_graph *g)
{
	for (size_t e = 0; e < g->n_edges; e++)
		g->ways[g->edge[e].from] = (struct loom_channel_ways){.last = NONE};
	g->n_edges = 0;
	memset(g->users, 0, g->n_channels);
}

static int new_edge(uint32_t *out, struct loom_channel_graph *g, uint32_t from, uint32_t to, uint64_t who)
{
	if (g->n_edges == NONE || !LOOM_ROOM(g->edge, g->n_room, g->n_edges + 1))
		return -1;
	*out = (uint32_t)g->n_edges++;
	g->edge[*out] = (struct loom_channel_edge){.from = from, .to = to, .next = g->ways[from].last, .who = who};
	g->ways[from].last = *out;
	return 0;
}

// Finds the edge, or adds it.
static int find_edge(uint32_t *out, struct loom_channel_graph *g, uint32_t from, uint32_t to, uint64_t who)
{
	uint32_t e = g->ways[from].last;
	while (e != NONE && g->edge[e].to != to)
		e = g->edge[e].next;
	if (e == NONE)
		return new_edge(out, g, from, to, who);
	*out = e;
	return 0;
}

// Returns true if the edge is known to have been added before. Otherwise notes it, if it lies in the window of `added`.
static bool was_added(struct loom_channel_ways *ways, uint32_t to)
{
	const uint32_t window = 64;
	if (ways->added == 0)
		ways->first = to < window / 2 ? 0 : to - window / 2;
	if (to - ways->first >= window) // a very large difference if `to` is below `first`
		return false;
	const uint64_t bit = UINT64_C(1) << (to - ways->first);
	const bool was = ways->added & bit;
	ways->added |= bit;
	return was;
}

int loom_channel_graph_add(struct loom_channel_graph *g, uint32_t from, uint32_t to, uint64_t who)
{
	uint32_t e;
	if (was_added(&g->ways[from], to))
		return 0;
	if (find_edge(&e, g, from, to, who) != 0)
		return -1;
	g->edge[e].n_users = 1;
	return 0;
}

int loom_channel_graph_append(struct loom_channel_graph *g, uint32_t from, uint32_t to)
{
	uint32_t e;
	if (new_edge(&e, g, from, to, 0) != 0)
		return -1;
	g->edge[e].n_users = 1;
	return 0;
}

bool loom_channel_graph_count(struct loom_channel_graph *g, uint32_t channel)
{
	uint8_t *users = &g->users[channel];
	*users = *users ? 2 : 1;
	return *users == 2;
}

int loom_channel_graph_follow(struct loom_channel_graph *g, uint32_t *held, uint32_t channel, uint64_t who)
{
	uint32_t from = *held;
	if (g->users[channel] < 2)
		return 0;
	*held = channel;
	return from == LOOM_CHANNEL_NONE ? 0 : loom_channel_graph_add(g, from, channel, who);
}

// --- Routes, one by one ----------------------------------------------------------------------------------------------

static int begin_order(struct loom_channel_graph *g)
{
	const size_t n = g->n_channels;
	if (g->place)
		return 0;
	uint32_t *place;
	LOOM_ARRAY(&g->arrays, place, n);
	LOOM_ARRAY(&g->arrays, g->at, n);
	LOOM_ARRAY(&g->arrays, g->reached, n);
	LOOM_ARRAY(&g->arrays, g->is_reached, n);
	if (g->arrays.is_short)
		return -1;
	for (uint32_t c = 0; c < g->n_channels; c++)
		g->at[c] = place[c] = c;
	g->place = place;
	return 0;
}

// Marks the channels that can be reached from `from` and lie below the place `end` of another channel. Returns false,
// with no marks, if that channel can be reached, too.
static bool reach(struct loom_channel_graph *g, uint32_t from, uint32_t end)
{
	bool meets = g->place[from] == end;
	// A stack at the beginning of the list, and its former elements at the end.
	uint32_t n = 0, done = g->n_channels;
	g->reached[n++] = from;
	g->is_reached[from] = true;
	while (n > 0 && !meets) {
		uint32_t at = g->reached[--n];
		g->reached[--done] = at;
		for (uint32_t e = g->ways[at].last; e != NONE && !meets; e = g->edge[e].next) {
			g->n_looked_at++;
			uint32_t next = g->edge[e].to, place = g->place[next];
			if (place > end || g->edge[e].n_users == 0 || g->is_reached[next])
				continue;
			g->is_reached[next] = true;
			g->reached[n++] = next;
			meets = place == end;
		}
	}
	while (meets && n > 0)
		g->is_reached[g->reached[--n]] = false;
	for (; meets && done < g->n_channels; done++)
		g->is_reached[g->reached[done]] = false;
	return !meets;
}

// Moves the marked channels, all in places first .. last, behind the others in these places. Both keep their order.
static void move_reached(struct loom_channel_graph *g, uint32_t first, uint32_t last)
{
	uint32_t n = 0, to = first;
	for (uint32_t i = first; i <= last; i++) {
		uint32_t channel = g->at[i];
		if (g->is_reached[channel])
			g->reached[n++] = channel;
		else
			g->at[g->place[channel] = to++] = channel;
	}
	for (uint32_t i = 0; i < n; i++) {
		g->is_reached[g->reached[i]] = false;
		g->at[g->place[g->reached[i]] = to++] = g->reached[i];
	}
}

static void take_edges(struct loom_channel_graph *g, const uint32_t *channel, size_t n)
{
	for (size_t k = 0; k + 1 < n; k++) {
		uint32_t e = g->ways[channel[k]].last;
		while (g->edge[e].to != channel[k + 1])
			e = g->edge[e].next;
		g->edge[e].n_users--;
	}
}

// Makes an edge from `from` to `to` lead upward. Returns false if it would close a circle.
static bool put_in_order(struct loom_channel_graph *g, uint32_t from, uint32_t to)
{
	if (g->place[from] < g->place[to])
		return true;
	if (!reach(g, to, g->place[from]))
		return false;
	move_reached(g, g->place[to], g->place[from]);
	return true;
}

// Adds a user to an edge, or refuses it with 1. *stays: everything that was put before stays.
static int put_edge(struct loom_channel_graph *g, uint32_t from, uint32_t to, bool *stays)
{
	uint32_t e;
	if (find_edge(&e, g, from, to, 0) != 0)
		return -1;
	struct loom_channel_edge *edge = &g->edge[e];
	if (edge->is_refused)
		return 1;
	if (edge->n_users == 0 && !put_in_order(g, from, to)) {
		edge->is_refused = *stays;
		return 1;
	}
	*stays = *stays && edge->n_users > 0; // the edges of this route may be removed again
	edge->n_users++;
	return 0;
}

int loom_channel_graph_put(struct loom_channel_graph *g, const uint32_t *channel, size_t n)
{
	bool stays = !g->shrinks;
	int rc = begin_order(g);
	size_t k = 0;
	for (; rc == 0 && k + 1 < n; k += rc == 0)
		rc = put_edge(g, channel[k], channel[k + 1], &stays);
	if (rc != 0)
		take_edges(g, channel, k + 1);
	return rc;
}

void loom_channel_graph_take(struct loom_channel_graph *g, const uint32_t *channel, size_t n)
{
	for (size_t e = 0; !g->shrinks && e < g->n_edges; e++)
		g->edge[e].is_refused = false;
	g->shrinks = true;
	take_edges(g, channel, n);
}

// --- Lanes -----------------------------------------------------------------------------------------------------------

static int add_lane(struct loom_lane_graphs *g)
{
	struct loom_channel_graph *lane = realloc(g->lane, (g->n_lanes + (size_t)1) * sizeof *lane);
	if (!lane)
		return -1;
	g->lane = lane;
	if (loom_channel_graph_init(&lane[g->n_lanes], g->n_channels) != 0)
		return -1;
	g->n_lanes++;
	return 0;
}

int loom_lane_graphs_init(struct loom_lane_graphs *out, uint32_t n_channels, uint32_t n_lanes)
{
	int rc = 0;
	*out = (struct loom_lane_graphs){.n_channels = n_channels};
	while (rc == 0 && out->n_lanes < n_lanes)
		rc = add_lane(out);
	return rc;
}

int loom_lane_graphs_put(uint32_t *lane, struct loom_lane_graphs *g, uint32_t most, const uint32_t *channel, size_t n)
{
	int rc = 1;
	for (uint32_t k = 0; rc == 1 && k < most; k++) {
		rc = k < g->n_lanes || add_lane(g) == 0 ? loom_channel_graph_put(&g->lane[k], channel, n) : -1;
		if (rc == 0)
			*lane = k;
	}
	return rc;
}

void loom_lane_graphs_clear(struct loom_lane_graphs *g)
{
	for (uint32_t k = 0; k < g->n_lanes; k++)
		loom_channel_graph_clear(&g->lane[k]);
}

void loom_lane_graphs_free(struct loom_lane_graphs *g)
{
	for (uint32_t k = 0; k < g->n_lanes; k++)
		loom_channel_graph_free(&g->lane[k]);
	free(g->lane);
	*g = (struct loom_lane_graphs){0};
}

// --- Search for a circle ---------------------------------------------------------------------------------------------

// The search goes depth first without recursion, because a path may be as long as there are channels.
struct search {
	// By channel: in depth, the next edge to try; in breadth, the edge by which the channel was reached.
	uint32_t *edge;
	// In depth, the path from the start; in breadth, the channels in the order in which they were reached.
	uint32_t *list;
	uint8_t *state;
};
enum { NEW, ON_PATH, DONE };

// True if a circle can be reached from `start`; *on_it is then one of its channels. A channel that is DONE leads to no
// circle.
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
		if (g->edge[e].n_users == 0)
			continue;
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

// Returns the last edge of a shortest circle through `on_it`, which is on one. s->edge[c] leads to channel c, back to
// on_it.
static uint32_t close_circle(struct search *s, const struct loom_channel_graph *g, uint32_t on_it)
{
	size_t n = 0;
	memset(s->edge, 0xff, g->n_channels * sizeof *s->edge);
	s->list[n++] = on_it;
	for (size_t i = 0; i < n; i++)
		for (uint32_t e = g->ways[s->list[i]].last; e != NONE; e = g->edge[e].next) {
			uint32_t to = g->edge[e].to;
			if (g->edge[e].n_users == 0)
				continue;
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
		e = s->edge[g->edge[e].from]; // not set for the first edge, and not used then
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
