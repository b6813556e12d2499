// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Lanes for routes: each pair of nodes gets the first lane in which its route closes no circle of channels that wait for
// one another [Lysne06]. The channels of a lane have an order in which every message climbs; it is kept up by
// [Pearce06].
#include <stdlib.h>
#include <string.h>

#include "topo/graph.h"

#define LAYERS_MAX LOOM_GRAPH_LANES_COUNTED

enum { ABSENT, PRESENT, REFUSED };

// One lane. A channel is node * n_ports + port, of the node that it leaves; a turn is channel * n_ports + port, of a message
// that holds the channel and wants that port of the node where it ends.
struct layer {
	uint8_t *turn;   // owned
	uint32_t *place; // owned: of each channel in the order
};

struct work {
	const struct loom_graph *g;
	uint32_t n_channels;
	unsigned n_layers;
	struct layer layer[LAYERS_MAX];
	// Channels that a new turn moves: those that can be reached from its end, and those that reach its beginning.
	uint32_t *after, *before, *places, *stack;
	uint64_t *key;
	uint32_t n_after, n_before;
	uint8_t *seen;
	uint32_t *added; // turns of the route at hand
	uint32_t n_added;
};

static int add_layer(struct work *w)
{
	if (w->n_layers == LAYERS_MAX)
		return 1;
	struct layer *l = &w->layer[w->n_layers];
	l->turn = calloc((size_t)w->n_channels * w->g->n_ports, 1);
	l->place = malloc(w->n_channels * sizeof *l->place);
	w->n_layers++;
	if (!l->turn || !l->place)
		return -1;
	for (uint32_t c = 0; c < w->n_channels; c++)
		l->place[c] = c;
	return 0;
}

// A channel that waits for port p of the node at the end of `at`, or if we go back a channel that comes in there by p and waits
// for `at`: LOOM_GRAPH_NONE if no message has that turn.
static uint32_t beside(const struct loom_graph *g, const struct layer *l, uint32_t at, unsigned p, bool back)
{
	const unsigned n_ports = g->n_ports;
	const struct loom_graph_end *end = back ? &g->in[at / n_ports * n_ports + p] : &g->out[at];
	if (end->node == LOOM_GRAPH_NONE)
		return LOOM_GRAPH_NONE;
	uint32_t other = end->node * n_ports + (back ? end->port : p);
	uint32_t turn = back ? other * n_ports + at % n_ports : at * n_ports + p;
	return l->turn[turn] == PRESENT ? other : LOOM_GRAPH_NONE;
}

// Lists the channels that can be reached from there, forward or back, whose places lie between those two; false: `to` is one of
// them.
static bool find(struct work *w, uint32_t *list, uint32_t *n_list, const struct layer *l, uint32_t from, uint32_t to,
                 bool back)
{
	uint32_t n = 0;
	*n_list = 0;
	w->stack[n++] = from;
	w->seen[from] = 1;
	while (n > 0) {
		uint32_t at = w->stack[--n];
		list[(*n_list)++] = at;
		for (unsigned p = 0; p < w->g->n_ports; p++) {
			uint32_t next = beside(w->g, l, at, p, back);
			if (next == LOOM_GRAPH_NONE || w->seen[next] ||
			    (back ? l->place[next] < l->place[to] : l->place[next] > l->place[to]))
				continue;
			if (next == to) {
				while (n > 0)
					w->seen[w->stack[--n]] = 0;
				return false;
			}
			w->seen[next] = 1;
			w->stack[n++] = next;
		}
	}
	return true;
}

static void forget(struct work *w)
{
	for (uint32_t i = 0; i < w->n_after; i++)
		w->seen[w->after[i]] = 0;
	for (uint32_t i = 0; i < w->n_before; i++)
		w->seen[w->before[i]] = 0;
	w->n_after = w->n_before = 0;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

// Channels by their places; these go to places[].
static void sort(struct work *w, const struct layer *l, uint32_t *list, uint32_t n, uint32_t *places)
{
	for (uint32_t i = 0; i < n; i++)
		w->key[i] = (uint64_t)l->place[list[i]] << 32 | list[i];
	qsort(w->key, n, sizeof *w->key, by_number);
	for (uint32_t i = 0; i < n; i++) {
		list[i] = (uint32_t)w->key[i];
		places[i] = (uint32_t)(w->key[i] >> 32);
	}
}

// Moves all of `before` into the lowest places that both have, all of `after` into the others.
static void reorder(struct work *w, struct layer *l)
{
	uint32_t *a = w->places, *b = a + w->n_before, *end = b + w->n_after;
	const uint32_t *of_after = b;
	sort(w, l, w->before, w->n_before, a);
	sort(w, l, w->after, w->n_after, b);
	for (uint32_t i = 0; i < w->n_before + w->n_after; i++) {
		uint32_t channel = i < w->n_before ? w->before[i] : w->after[i - w->n_before];
		l->place[channel] = b == end || (a < of_after && *a < *b) ? *a++ : *b++;
	}
}

static bool add_turn(struct work *w, struct layer *l, uint32_t from, unsigned port)
{
	uint32_t to = w->g->out[from].node * w->g->n_ports + port, turn = from * w->g->n_ports + port;
	bool good = true;
	if (l->turn[turn] != ABSENT)
		return l->turn[turn] == PRESENT;
	if (l->place[from] > l->place[to]) {
		good = find(w, w->after, &w->n_after, l, to, from, false);
		if (good) { // so it leads to none back either
			(void)find(w, w->before, &w->n_before, l, from, to, true);
			reorder(w, l);
		}
		forget(w);
	}
	// Whatever else is added later, the circle stays; but what this route has added may go again.
	if (!good && w->n_added == 0)
		l->turn[turn] = REFUSED;
	if (good) {
		l->turn[turn] = PRESENT;
		w->added[w->n_added++] = turn;
	}
	return good;
}

static bool add_route(struct work *w, struct layer *l, uint32_t source, uint32_t destination)
{
	const struct loom_graph *g = w->g;
	const uint8_t *next = &g->next[(size_t)destination * g->wires.n_nodes];
	uint32_t at = source, held = LOOM_GRAPH_NONE;
	bool good = true;
	w->n_added = 0;
	while (good && at != destination) {
		if (held != LOOM_GRAPH_NONE)
			good = add_turn(w, l, held, next[at]);
		held = at * g->n_ports + next[at];
		at = g->out[held].node;
	}
	for (uint32_t i = 0; !good && i < w->n_added; i++)
		l->turn[w->added[i]] = ABSENT;
	return good;
}

// Adds the routes to one destination, the farthest first: the routes of others are the ends of theirs, and fit where
// they do. 1: there are too many lanes.
static int add_destination(struct work *w, struct loom_graph *g, uint32_t destination, const uint32_t *nearest)
{
	const uint32_t n = g->wires.n_nodes;
	for (uint32_t i = n; i-- > 1;) {
		uint32_t source = nearest[i];
		unsigned layer = 0;
		for (;; layer++) {
			int rc = layer == w->n_layers ? add_layer(w) : 0;
			if (rc != 0)
				return rc;
			if (add_route(w, &w->layer[layer], source, destination))
				break;
		}
		g->lane[(size_t)source * n + destination] = (uint8_t)layer;
	}
	return 0;
}

// Sorts all nodes by how far their routes to the destination are.
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

static void free_work(struct work *w)
{
	for (unsigned i = 0; i < w->n_layers; i++) {
		free(w->layer[i].turn);
		free(w->layer[i].place);
	}
	free(w->after);
	free(w->before);
	free(w->places);
	free(w->key);
	free(w->stack);
	free(w->added);
	free(w->seen);
}

int loom_graph_layers(struct loom_graph *g, unsigned *n, struct loom_err *err)
{
	const uint32_t n_nodes = g->wires.n_nodes, n_channels = n_nodes * g->n_ports;
	struct work w = {.g = g,
	                 .n_channels = n_channels,
	                 .after = malloc(n_channels * sizeof *w.after),
	                 .before = malloc(n_channels * sizeof *w.before),
	                 .places = malloc(2 * (size_t)n_channels * sizeof *w.places),
	                 .key = malloc(n_channels * sizeof *w.key),
	                 .stack = malloc(n_channels * sizeof *w.stack),
	                 .added = malloc(n_channels * sizeof *w.added),
	                 .seen = calloc(n_channels, 1)};
	uint32_t *nearest = malloc(2 * (size_t)n_nodes * sizeof *nearest);
	int rc = w.after && w.before && w.places && w.key && w.stack && w.added && w.seen && nearest ? 0 : -1;
	for (uint32_t d = 0; rc == 0 && d < n_nodes; d++) {
		sort_nodes(nearest, g, d, nearest + n_nodes);
		rc = add_destination(&w, g, d, nearest);
	}
	*n = w.n_layers + (rc == 1);
	free_work(&w);
	free(nearest);
	return rc >= 0 ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the lanes of a graph");
}
