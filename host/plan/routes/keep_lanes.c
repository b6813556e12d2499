// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes for links that may have too few lanes for them, where there are usual routes that cannot lock. All messages begin on
// these; then each in turn goes over to its other route, on the first lane where that closes no circle.
#include <flitloom/virtual_networks.h>

#include <stdlib.h>
#include <string.h>

#include "plan/routes/routes_internal.h"

#define MOST 64 // links of a node, as a word has bits

struct work {
	const struct loom_topo *topo;
	uint32_t per_tile, n_channels, n_links;
	uint32_t *end;   // of each channel: the node to which it leads
	uint32_t *users; // of each lane, channel and link there: messages that hold the channel and want the link
	uint64_t *ways;  // of each lane and channel: bit p: users of link p
	uint8_t *state;  // of each channel, while looking for a circle
	uint32_t *stack, *touched;
	uint64_t *to_look_at; // of each channel on the stack
};

enum { NOT_SEEN, ON_THE_WAY, DONE };

static bool begin(struct work *w, uint32_t n_lanes)
{
	const struct loom_topo *t = w->topo;
	w->end = calloc(w->n_channels, sizeof *w->end);
	w->users = calloc((size_t)n_lanes * w->n_channels * w->n_links, sizeof *w->users);
	w->ways = calloc((size_t)n_lanes * w->n_channels, sizeof *w->ways);
	w->state = calloc(w->n_channels, 1);
	w->stack = malloc(w->n_channels * sizeof *w->stack);
	w->touched = malloc(w->n_channels * sizeof *w->touched);
	w->to_look_at = malloc(w->n_channels * sizeof *w->to_look_at);
	if (!w->end || !w->users || !w->ways || !w->state || !w->stack || !w->touched || !w->to_look_at)
		return false;
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (unsigned p = 0; p < w->n_links; p++) {
			uint32_t v;
			unsigned back;
			if (t->kind->link(t, u, p, &v, &back))
				w->end[u * w->per_tile + p] = v;
		}
	return true;
}

static void end(struct work *w)
{
	free(w->end);
	free(w->users);
	free(w->ways);
	free(w->state);
	free(w->stack);
	free(w->touched);
	free(w->to_look_at);
}

// Depth first from the channel on; what is on the way to where we are must not be met again.
static bool has_circle(struct work *w, const uint64_t *ways, uint32_t from)
{
	uint32_t depth = 0, n_touched = 0;
	bool found = false;
	w->stack[depth++] = w->touched[n_touched++] = from;
	w->state[from] = ON_THE_WAY;
	w->to_look_at[from] = ways[from];
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
		w->to_look_at[next] = ways[next];
		w->stack[depth++] = w->touched[n_touched++] = next;
	}
	while (n_touched > 0)
		w->state[w->touched[--n_touched]] = NOT_SEEN;
	return found;
}

static void change(struct work *w, const uint32_t *channel, size_t n, uint32_t lane, bool adds)
{
	uint64_t *ways = w->ways + (size_t)lane * w->n_channels;
	uint32_t *users = w->users + (size_t)lane * w->n_channels * w->n_links;
	for (size_t k = 0; k + 1 < n; k++) {
		uint32_t link = channel[k + 1] % w->per_tile;
		uint32_t *of = &users[(size_t)channel[k] * w->n_links + link];
		*of = adds ? *of + 1 : *of - 1;
		if (*of == adds) // the first one, or none any more
			ways[channel[k]] ^= UINT64_C(1) << link;
	}
}

// A circle that the route closes can be reached from its first link.
static bool put(struct work *w, const uint32_t *channel, size_t n, uint32_t lane)
{
	change(w, channel, n, lane, true);
	if (n < 2 || !has_circle(w, w->ways + (size_t)lane * w->n_channels, channel[0]))
		return true;
	change(w, channel, n, lane, false);
	return false;
}

static size_t length(const struct loom_routes *routes, size_t i)
{
	return routes->first[i + 1] - routes->first[i];
}

static const uint32_t *route(const struct loom_routes *routes, size_t i)
{
	return routes->channel + routes->first[i];
}

// kept[i]: whether message i has its route in `routes`.
static void settle(bool *kept, uint32_t *lane, struct work *w, const struct loom_routes *routes,
                   const struct loom_routes *usual, uint32_t n_lanes)
{
	for (size_t i = 0; i < usual->n; i++)
		change(w, route(usual, i), length(usual, i), lane[i], true);
	for (size_t i = 0; i < usual->n; i++) {
		uint32_t k = 0;
		change(w, route(usual, i), length(usual, i), lane[i], false);
		while (k < n_lanes && !put(w, route(routes, i), length(routes, i), k))
			k++;
		kept[i] = k < n_lanes;
		if (kept[i])
			lane[i] = k;
		else
			change(w, route(usual, i), length(usual, i), lane[i], true);
	}
}

// Of each message the route that it has in the end.
static int put_together(struct loom_routes *routes, const struct loom_routes *usual, const bool *kept,
                        struct loom_err *err)
{
	size_t n = 0;
	for (size_t i = 0; i < usual->n; i++)
		n += length(kept[i] ? routes : usual, i);
	struct loom_routes out = {.n = usual->n,
	                          .first = malloc((usual->n + 1) * sizeof *out.first),
	                          .channel = malloc((n + 1) * sizeof *out.channel)};
	if (!out.first || !out.channel) {
		loom_routes_free(&out);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %zu routes", usual->n);
	}
	out.first[0] = 0;
	for (size_t i = 0; i < usual->n; i++) {
		const struct loom_routes *from = kept[i] ? routes : usual;
		memcpy(out.channel + out.first[i], route(from, i), length(from, i) * sizeof *out.channel);
		out.first[i + 1] = out.first[i] + length(from, i);
	}
	loom_routes_free(routes);
	*routes = out;
	return 0;
}

int loom_routes_keep_lanes(struct loom_routes *routes, uint32_t *lane, const struct loom_routes *usual,
                           uint32_t n_lanes, const struct loom_topo *topo, struct loom_err *err)
{
	struct work w = {.topo = topo,
	                 .per_tile = loom_topo_channels_per_tile(topo),
	                 .n_channels = loom_topo_channels(topo),
	                 .n_links = loom_topo_links(topo)};
	if (w.n_links > MOST)
		return loom_fail(err, LOOM_EINPUT, "routes on lanes of %s: its nodes have %u links, %d at most",
		                 topo->name, w.n_links, MOST);
	bool *kept = calloc(usual->n + 1, sizeof *kept);
	int rc = kept && begin(&w, n_lanes)
	                 ? 0
	                 : loom_fail(err, LOOM_ENOMEM, "out of memory for the lanes of %zu routes on %s", usual->n,
	                             topo->name);
	if (rc == 0) {
		settle(kept, lane, &w, routes, usual, n_lanes);
		rc = put_together(routes, usual, kept, err);
	}
	end(&w);
	free(kept);
	return rc;
}
