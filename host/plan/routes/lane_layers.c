// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Lanes for routes of any kind: each gets the first lane in which it closes no circle of channels that wait for one
// another, together with the routes that are there already.
#include <flitloom/virtual_networks.h>

#include <stdlib.h>
#include <string.h>

#define MOST 64 // links of a node, as a word has bits

struct layer {
	uint64_t *
		ways; // owned: of each channel, bit p: some message that holds it wants link p of the node where it ends
};

struct work {
	const struct loom_routes *routes;
	uint32_t per_tile, n_channels, n_layers, n_room;
	uint32_t *end; // of each channel: the node to which it leads
	struct layer *layer;
	uint64_t *added; // of each link of the route at hand: the bit, if it is new
	uint8_t *state;  // of each channel, while looking for a circle
	uint32_t *stack, *touched;
	uint64_t *to_look_at; // of each channel on the stack
};

enum { NOT_SEEN, ON_THE_WAY, DONE };

// From the channel on. Depth first; what is on the way to where we are must not be met again.
static bool has_circle(struct work *w, const struct layer *layer, uint32_t from)
{
	uint32_t depth = 0, n_touched = 0;
	bool found = false;
	w->stack[depth++] = w->touched[n_touched++] = from;
	w->state[from] = ON_THE_WAY;
	w->to_look_at[from] = layer->ways[from];
	while (depth > 0 && !found) {
		uint32_t c = w->stack[depth - 1];
		if (w->to_look_at[c] == 0) {
			w->state[c] = DONE;
			depth--;
			continue;
		}
		uint32_t next = w->end[c] * w->per_tile + (uint32_t)__builtin_ctzll(w->to_look_at[c]);
		w->to_look_at[c] &= w->to_look_at[c] - 1;
		found = w->state[next] == ON_THE_WAY;
		if (w->state[next] != NOT_SEEN)
			continue;
		w->state[next] = ON_THE_WAY;
		w->to_look_at[next] = layer->ways[next];
		w->stack[depth++] = w->touched[n_touched++] = next;
	}
	while (n_touched > 0)
		w->state[w->touched[--n_touched]] = NOT_SEEN;
	return found;
}

// Puts route i into the layer, unless that makes a circle. One that it makes can be reached from its first link.
static bool fits(struct work *w, struct layer *layer, size_t i)
{
	const uint32_t *channel = w->routes->channel + w->routes->first[i];
	size_t n = w->routes->first[i + 1] - w->routes->first[i];
	bool is_new = false;
	for (size_t k = 0; k + 1 < n; k++) {
		uint64_t bit = UINT64_C(1) << channel[k + 1] % w->per_tile;
		w->added[k] = bit & ~layer->ways[channel[k]];
		layer->ways[channel[k]] |= bit;
		is_new = is_new || w->added[k];
	}
	if (!is_new || !has_circle(w, layer, channel[0]))
		return true;
	for (size_t k = 0; k + 1 < n; k++)
		layer->ways[channel[k]] &= ~w->added[k];
	return false;
}

static bool add_layer(struct work *w)
{
	if (w->n_layers == w->n_room) {
		uint32_t room = 2 * w->n_room + 4;
		struct layer *more = realloc(w->layer, room * sizeof *more);
		if (!more)
			return false;
		w->layer = more;
		w->n_room = room;
	}
	w->layer[w->n_layers].ways = calloc(w->n_channels, sizeof *w->layer->ways);
	return w->layer[w->n_layers++].ways != NULL;
}

static bool begin(struct work *w, const struct loom_topo *t)
{
	size_t longest = 1;
	for (size_t i = 0; i < w->routes->n; i++) {
		size_t n = w->routes->first[i + 1] - w->routes->first[i];
		longest = n > longest ? n : longest;
	}
	w->end = calloc(w->n_channels, sizeof *w->end);
	w->added = malloc(longest * sizeof *w->added);
	w->state = calloc(w->n_channels, 1);
	w->stack = malloc(w->n_channels * sizeof *w->stack);
	w->touched = malloc(w->n_channels * sizeof *w->touched);
	w->to_look_at = malloc(w->n_channels * sizeof *w->to_look_at);
	if (!w->end || !w->added || !w->state || !w->stack || !w->touched || !w->to_look_at)
		return false;
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (unsigned p = 0; p < loom_topo_links(t); p++) {
			uint32_t v;
			unsigned back;
			if (t->kind->link(t, u, p, &v, &back))
				w->end[u * w->per_tile + p] = v;
		}
	return true;
}

int loom_virtual_layers_of(uint32_t *layer, uint32_t *n_layers, const struct loom_routes *routes,
                           const struct loom_topo *topo, struct loom_err *err)
{
	struct work w = {.routes = routes,
	                 .per_tile = loom_topo_channels_per_tile(topo),
	                 .n_channels = loom_topo_channels(topo)};
	if (loom_topo_links(topo) > MOST)
		return loom_fail(err, LOOM_EINPUT, "layers of %s: its nodes have %u links, %d at most", topo->name,
		                 loom_topo_links(topo), MOST);
	bool done = begin(&w, topo) && add_layer(&w);
	for (size_t i = 0; done && i < routes->n; i++) {
		uint32_t k = 0;
		while (done && !fits(&w, &w.layer[k], i))
			done = ++k < w.n_layers || add_layer(&w);
		if (done && layer)
			layer[i] = k;
	}
	if (done)
		*n_layers = w.n_layers;
	for (uint32_t k = 0; k < w.n_layers; k++)
		free(w.layer[k].ways);
	free(w.layer);
	free(w.end);
	free(w.added);
	free(w.state);
	free(w.stack);
	free(w.touched);
	free(w.to_look_at);
	return done ? 0
	            : loom_fail(err, LOOM_ENOMEM, "out of memory for the lanes of %zu routes on %s", routes->n,
	                        topo->name);
}
