// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the cheapest ways of a pair, lane by lane. Layer k of the search has the links that can be link k of a way.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "plan/routes/pairs/pair_rank.h"
#include "plan/routes/pairs/pair_state.h"

#define NONE UINT32_MAX

struct loom_pair_walk {
	uint32_t most_hops; // links of a way within a slack
	// Owned, one layer after the other:
	double *cost;    // [layer * n_links + link]
	uint32_t *from;  // the link before it
	uint32_t *stamp; // the search that reached it last
	uint32_t *list;  // the links in the layer
	uint32_t *n_in;  // by layer: links in the list
	uint32_t now;    // the number of the present search
	uint32_t *link;  // owned, n_links: the way found
	// For ways of any length: [lane * n_links + i]: the links in ascending order of their places.
	uint32_t *order;                 // owned
	struct loom_pair_ranked *ranked; // owned, n_links: scratch for sorting
	bool is_sorted;
	struct loom_arrays arrays; // owns the arrays
};

// Returns the most links of a way within a slack. walk_far finds longer ways.
static uint32_t most_hops(const struct loom_pair_net *net)
{
	return net->longest + 4;
}

struct loom_pair_walk *loom_pair_walk_make(const struct loom_pair_net *net, uint32_t n_lanes)
{
	struct loom_pair_walk *w = calloc(1, sizeof *w);
	if (!w)
		return NULL;
	w->most_hops = most_hops(net);
	const size_t room = ((size_t)w->most_hops + 1) * net->n_links + 1;
	LOOM_ARRAY(&w->arrays, w->cost, room);
	LOOM_ARRAY(&w->arrays, w->from, room);
	LOOM_ARRAY(&w->arrays, w->stamp, room);
	LOOM_ARRAY(&w->arrays, w->list, room);
	LOOM_ARRAY(&w->arrays, w->n_in, (size_t)w->most_hops + 1);
	LOOM_ARRAY(&w->arrays, w->link, (size_t)net->n_links + 1);
	LOOM_ARRAY(&w->arrays, w->order, (size_t)net->n_links * n_lanes + 1);
	LOOM_ARRAY(&w->arrays, w->ranked, (size_t)net->n_links + 1);
	if (!w->arrays.is_short)
		return w;
	loom_pair_walk_free(w);
	return NULL;
}

void loom_pair_walk_free(struct loom_pair_walk *w)
{
	if (!w)
		return;
	loom_arrays_free(&w->arrays);
	free(w);
}

// --- Within a slack --------------------------------------------------------------------------------------------------

// The request of a search, and the best end found so far.
struct quest {
	const struct loom_pair_state *state;
	const uint16_t *hops; // by node: hops to the destination
	uint32_t source, destination, most;
	uint32_t lane;
	double fine, best;
	uint32_t layer, end; // of the best end
};

static double price_of(const struct loom_pair_state *s, uint32_t link)
{
	return s->price[s->load[link]] + s->toll[link];
}

static void reach(struct loom_pair_walk *w, const struct quest *q, uint32_t layer, uint32_t link, uint32_t from,
                  double cost)
{
	const size_t at = (size_t)layer * q->state->net->n_links + link;
	if (w->stamp[at] != w->now) {
		w->stamp[at] = w->now;
		w->list[(size_t)layer * q->state->net->n_links + w->n_in[layer]++] = link;
	} else if (w->cost[at] <= cost)
		return;
	w->cost[at] = cost;
	w->from[at] = from;
}

// Goes on from a link of a layer, by all turns that lead near enough.
static void go_on(struct loom_pair_walk *w, const struct quest *q, uint32_t layer, uint32_t a, double cost)
{
	const struct loom_pair_state *s = q->state;
	const struct loom_pair_net *net = s->net;
	const double *place = s->place + (size_t)q->lane * net->n_links;
	const double *use = s->use + (size_t)q->lane * net->n_turns;
	for (uint32_t t = net->turn_first[a]; t < net->turn_first[a + 1]; t++) {
		const uint32_t b = net->turn[t];
		if (layer + 2 + q->hops[net->head[b]] > q->most || net->head[b] == q->source)
			continue;
		double there = cost + price_of(s, b);
		if (place[b] <= place[a]) {
			if (q->fine < 0)
				continue;
			there += q->fine / (1 + s->gather * use[t]);
		}
		if (there < q->best)
			reach(w, q, layer + 1, b, a, there);
	}
}

static bool search_lane(struct loom_pair_walk *w, struct quest *q)
{
	const struct loom_pair_net *net = q->state->net;
	bool better = false;
	if (++w->now == 0) { // the numbers of searches have wrapped round
		memset(w->stamp, 0, ((size_t)w->most_hops + 1) * net->n_links * sizeof *w->stamp);
		w->now = 1;
	}
	for (uint32_t k = 0; k <= q->most; k++)
		w->n_in[k] = 0;
	for (uint32_t i = net->out_first[q->source]; i < net->out_first[q->source + 1]; i++) {
		const uint32_t a = net->out[i];
		if (1u + q->hops[net->head[a]] <= q->most)
			reach(w, q, 0, a, NONE, price_of(q->state, a));
	}
	for (uint32_t k = 0; k < q->most; k++)
		for (uint32_t i = 0; i < w->n_in[k]; i++) {
			const uint32_t a = w->list[(size_t)k * net->n_links + i];
			const double cost = w->cost[(size_t)k * net->n_links + a];
			if (cost >= q->best)
				continue;
			if (net->head[a] != q->destination) {
				go_on(w, q, k, a, cost);
				continue;
			}
			q->best = cost;
			q->layer = k;
			q->end = a;
			better = true;
		}
	return better;
}

// Removes loops from the way w->link of n links: at each node it goes on by the last link that leaves the node. If
// places rose along the way, they still do.
static void keep(struct loom_pair_way *out, struct loom_pair_walk *w, const struct quest *q, uint32_t n)
{
	const uint32_t *tail = q->state->net->tail;
	uint32_t kept = 0;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t last = k;
		for (uint32_t i = k + 1; i < n; i++)
			last = tail[w->link[i]] == tail[w->link[k]] ? i : last;
		w->link[kept++] = w->link[last];
		k = last;
	}
	*out = (struct loom_pair_way){.link = w->link, .n = (uint16_t)kept, .lane = (uint8_t)q->lane};
}

static void keep_layers(struct loom_pair_way *out, struct loom_pair_walk *w, const struct quest *q)
{
	uint32_t a = q->end;
	for (uint32_t k = q->layer + 1; k-- > 0; a = w->from[(size_t)k * q->state->net->n_links + a])
		w->link[k] = a;
	keep(out, w, q, q->layer + 1);
}

bool loom_pair_walk(struct loom_pair_way *out, struct loom_pair_state *s, uint32_t source, uint32_t destination,
                    uint32_t slack, double fine)
{
	struct loom_pair_walk *w = s->walk;
	const uint32_t most = loom_pair_hops(s->net, source, destination) + slack;
	struct quest q = {.state = s,
	                  .hops = s->net->hops + (size_t)destination * s->net->n_nodes,
	                  .source = source,
	                  .destination = destination,
	                  .most = most < w->most_hops ? most : w->most_hops,
	                  .fine = fine,
	                  .best = DBL_MAX};
	bool found = false;
	for (q.lane = 0; q.lane < s->n_lanes; q.lane++)
		if (search_lane(w, &q)) {
			keep_layers(out, w, &q);
			found = true;
		}
	return found;
}

// --- Any length ------------------------------------------------------------------------------------------------------

void loom_pair_walk_resort(struct loom_pair_state *s)
{
	s->walk->is_sorted = false;
}

// Sorts the links of each lane by place, unless they are sorted.
static void sort_places(struct loom_pair_state *s)
{
	struct loom_pair_walk *w = s->walk;
	const uint32_t n = s->net->n_links;
	for (uint32_t lane = 0; !w->is_sorted && lane < s->n_lanes; lane++) {
		loom_pair_rank(w->ranked, s->place + (size_t)lane * n, n);
		for (uint32_t i = 0; i < n; i++)
			w->order[(size_t)lane * n + i] = w->ranked[i].at;
	}
	w->is_sorted = true;
}

// Visits all links once, in the order of their places. All links that can precede a link are visited before it.
static bool search_far(struct loom_pair_walk *w, struct quest *q)
{
	const struct loom_pair_state *s = q->state;
	const struct loom_pair_net *net = s->net;
	const uint32_t *order = w->order + (size_t)q->lane * net->n_links;
	const double *place = s->place + (size_t)q->lane * net->n_links;
	bool better = false;
	for (uint32_t a = 0; a < net->n_links; a++)
		w->cost[a] = DBL_MAX;
	for (uint32_t i = net->out_first[q->source]; i < net->out_first[q->source + 1]; i++) {
		w->cost[net->out[i]] = price_of(s, net->out[i]);
		w->from[net->out[i]] = NONE;
	}
	for (uint32_t i = 0; i < net->n_links; i++) {
		const uint32_t a = order[i];
		if (w->cost[a] >= q->best)
			continue;
		if (net->head[a] == q->destination) {
			q->best = w->cost[a];
			q->end = a;
			better = true;
			continue;
		}
		for (uint32_t t = net->turn_first[a]; t < net->turn_first[a + 1]; t++) {
			const uint32_t b = net->turn[t];
			const double there = w->cost[a] + price_of(s, b);
			if (place[b] <= place[a] || there >= w->cost[b])
				continue;
			w->cost[b] = there;
			w->from[b] = a;
		}
	}
	return better;
}

static void keep_far(struct loom_pair_way *out, struct loom_pair_walk *w, const struct quest *q)
{
	uint32_t n = 0;
	for (uint32_t a = q->end; a != NONE; a = w->from[a])
		n++;
	for (uint32_t a = q->end, k = n; a != NONE; a = w->from[a])
		w->link[--k] = a;
	keep(out, w, q, n);
}

bool loom_pair_walk_far(struct loom_pair_way *out, struct loom_pair_state *s, uint32_t source, uint32_t destination)
{
	struct quest q = {.state = s, .source = source, .destination = destination, .best = DBL_MAX};
	bool found = false;
	sort_places(s);
	for (q.lane = 0; q.lane < s->n_lanes; q.lane++)
		if (search_far(s->walk, &q)) {
			keep_far(out, s->walk, &q);
			found = true;
		}
	return found;
}
