// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/min_passes.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

#define NONE UINT32_MAX
#define DSATUR_WORK 2e9   // neighbours looked at; beyond it, first fit
#define GREEDY_WORK 300e6 // words looked at in all rounds of iterated greedy
#define GREEDY_ROUNDS 20000

// The conflict graph, kept as channels and who uses them: two messages are neighbours if a channel has both.
struct graph {
	size_t n;
	unsigned n_hops;   // channels of a message: injection, m-1 links, ejection
	uint32_t *hop;     // [message][n_hops]: channels, numbered from 0 without gaps
	size_t n_channels; // that are used
	size_t *first;     // [channel]: its messages are user[first[channel] .. first[channel+1] - 1]
	uint32_t *user;
	uint32_t *degree; // [message]: neighbours, counted once for each channel shared
	size_t words;     // of a set of colours
	uint64_t *taken;  // [channel][words]: the colours its messages have
	uint32_t largest_load;
};

static bool has(const struct graph *g, size_t channel, uint32_t colour)
{
	return g->taken[channel * g->words + colour / 64] >> colour % 64 & 1;
}

static void take(struct graph *g, size_t message, uint32_t colour)
{
	for (unsigned k = 0; k < g->n_hops; k++)
		g->taken[g->hop[message * g->n_hops + k] * g->words + colour / 64] |= UINT64_C(1) << colour % 64;
}

// The least colour that no neighbour has. There is one: a set holds more colours than any message has neighbours.
static uint32_t least_free(const struct graph *g, size_t message)
{
	const uint32_t *hop = &g->hop[message * g->n_hops];
	for (size_t w = 0;; w++) {
		uint64_t taken = 0;
		for (unsigned k = 0; k < g->n_hops; k++)
			taken |= g->taken[hop[k] * g->words + w];
		if (~taken)
			return (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(~taken);
	}
}

static void free_graph(struct graph *g)
{
	free(g->hop);
	free(g->first);
	free(g->user);
	free(g->degree);
	free(g->taken);
}

// Numbers the used channels without gaps and counts their messages in first[channel + 1].
static bool find_channels(struct graph *g, const struct loom_min *net, const uint32_t *source,
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

static bool make_graph(struct graph *out, const struct loom_min *net, const uint32_t *source,
                       const uint32_t *destination, size_t n)
{
	struct graph g = {.n = n, .n_hops = net->m + 1};
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
	free_graph(&g);
	return false;
}

static void forget_colours(struct graph *g)
{
	memset(g->taken, 0, g->n_channels * g->words * sizeof *g->taken);
}

// --- the rows of the Latin square ---

struct row_of {
	uint32_t source, destination, message;
	uint32_t row;   // the bits in which its destination differs from where it arrives with all switches straight
	uint32_t again; // how many of the same message come before it
};

static int by_ends(const void *a, const void *b)
{
	const struct row_of *x = a, *y = b;
	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (x->destination != y->destination)
		return x->destination < y->destination ? -1 : 1;
	return x->message < y->message ? -1 : x->message > y->message;
}

static int by_row(const void *a, const void *b)
{
	const struct row_of *x = a, *y = b;
	if (x->again != y->again)
		return x->again < y->again ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

// Messages whose destinations differ from where their sources go with all switches straight by the same bits are in one
// row, so never in conflict. The second and further ones of the same message get rows of their own.
static bool colour_by_rows(uint32_t *pass, uint32_t *n_passes, const struct loom_min *net, const uint32_t *source,
                           const uint32_t *destination, size_t n)
{
	struct row_of *of = malloc((n + 1) * sizeof *of);
	if (!of)
		return false;
	for (size_t i = 0; i < n; i++) {
		uint32_t straight = source[i];
		for (unsigned s = 0; s <= net->m; s++)
			straight = loom_min_wire(net, s, straight);
		of[i] = (struct row_of){source[i], destination[i], (uint32_t)i, straight ^ destination[i], 0};
	}
	qsort(of, n, sizeof *of, by_ends);
	for (size_t i = 1; i < n; i++)
		if (of[i].source == of[i - 1].source && of[i].destination == of[i - 1].destination)
			of[i].again = of[i - 1].again + 1;
	qsort(of, n, sizeof *of, by_row);
	uint32_t colour = 0;
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && by_row(&of[i - 1], &of[i]) != 0)
			colour++;
		pass[of[i].message] = colour;
	}
	*n_passes = n ? colour + 1 : 0;
	free(of);
	return true;
}

// --- DSATUR [Brelaz79]: next the message whose neighbours have the most colours; of these, the most neighbours ---

struct heap {
	const struct graph *g;
	uint32_t *colours_around; // [message]: saturation
	uint32_t *at, *place;     // heap of messages; where a message is in it, NONE when it is out
	size_t size;
};

static bool before(const struct heap *h, uint32_t a, uint32_t b)
{
	if (h->colours_around[a] != h->colours_around[b])
		return h->colours_around[a] > h->colours_around[b];
	if (h->g->degree[a] != h->g->degree[b])
		return h->g->degree[a] > h->g->degree[b];
	return a < b;
}

static void put(struct heap *h, size_t i, uint32_t message)
{
	h->at[i] = message;
	h->place[message] = (uint32_t)i;
}

static void rise(struct heap *h, size_t i)
{
	uint32_t message = h->at[i];
	for (; i > 0 && before(h, message, h->at[(i - 1) / 2]); i = (i - 1) / 2)
		put(h, i, h->at[(i - 1) / 2]);
	put(h, i, message);
}

static void sink(struct heap *h, size_t i)
{
	uint32_t message = h->at[i];
	for (size_t child; (child = 2 * i + 1) < h->size; i = child) {
		if (child + 1 < h->size && before(h, h->at[child + 1], h->at[child]))
			child++;
		if (!before(h, h->at[child], message))
			break;
		put(h, i, h->at[child]);
	}
	put(h, i, message);
}

static uint32_t take_first(struct heap *h)
{
	uint32_t first = h->at[0];
	h->place[first] = NONE;
	if (--h->size > 0) {
		h->at[0] = h->at[h->size];
		sink(h, 0);
	}
	return first;
}

// The channel has just got this colour. A message on it then has one more colour around it, unless another of its
// channels had this colour already.
static void tell_users(struct heap *h, size_t channel, uint32_t colour)
{
	const struct graph *g = h->g;
	for (size_t u = g->first[channel]; u < g->first[channel + 1]; u++) {
		uint32_t message = g->user[u];
		unsigned k = 0;
		if (h->place[message] == NONE)
			continue;
		while (k < g->n_hops &&
		       (g->hop[message * g->n_hops + k] == channel || !has(g, g->hop[message * g->n_hops + k], colour)))
			k++;
		if (k == g->n_hops) {
			h->colours_around[message]++;
			rise(h, h->place[message]);
		}
	}
}

static bool colour_by_saturation(uint32_t *pass, uint32_t *n_passes, struct graph *g)
{
	struct heap h = {.g = g, .size = g->n};
	h.colours_around = calloc(g->n + 1, sizeof *h.colours_around);
	h.at = malloc((g->n + 1) * sizeof *h.at);
	h.place = malloc((g->n + 1) * sizeof *h.place);
	bool done = h.colours_around && h.at && h.place;
	*n_passes = 0;
	for (size_t i = 0; done && i < g->n; i++)
		put(&h, i, (uint32_t)i);
	for (size_t i = g->n / 2; done && i-- > 0;)
		sink(&h, i);
	while (done && h.size > 0) {
		uint32_t message = take_first(&h), colour = least_free(g, message);
		pass[message] = colour;
		*n_passes = colour + 1 > *n_passes ? colour + 1 : *n_passes;
		for (unsigned k = 0; k < g->n_hops; k++) {
			size_t channel = g->hop[message * g->n_hops + k];
			g->taken[channel * g->words + colour / 64] |= UINT64_C(1) << colour % 64;
			tell_users(&h, channel, colour);
		}
	}
	free(h.colours_around);
	free(h.at);
	free(h.place);
	return done;
}

// --- first fit, and iterated greedy ---

static uint32_t colour_in_order(uint32_t *pass, struct graph *g, const uint32_t *order)
{
	uint32_t n_passes = 0;
	forget_colours(g);
	for (size_t i = 0; i < g->n; i++) {
		uint32_t message = order ? order[i] : (uint32_t)i, colour = least_free(g, message);
		pass[message] = colour;
		take(g, message, colour);
		n_passes = colour + 1 > n_passes ? colour + 1 : n_passes;
	}
	return n_passes;
}

// first[c]: where the messages of colour c begin in `order` when the colours come in the order `sequence`.
static void order_by_colour(uint32_t *order, size_t *first, const uint32_t *pass, const uint32_t *sequence,
                            uint32_t n_colours, size_t n)
{
	size_t begin = 0;
	memset(first, 0, n_colours * sizeof *first);
	for (size_t i = 0; i < n; i++)
		first[pass[i]]++;
	for (uint32_t c = 0; c < n_colours; c++) {
		size_t many = first[sequence[c]];
		first[sequence[c]] = begin;
		begin += many;
	}
	for (size_t i = 0; i < n; i++)
		order[first[pass[i]]++] = (uint32_t)i;
}

// First fit over the messages of a schedule, one colour after the other in any order of the colours, never needs more
// colours than the schedule has; now and then it needs one less (Culberson's iterated greedy).
static bool improve(uint32_t *pass, uint32_t *n_passes, struct graph *g)
{
	uint32_t *order = malloc((g->n + 1) * sizeof *order), *sequence = malloc((*n_passes + 1) * sizeof *sequence);
	size_t *first = malloc((*n_passes + 1) * sizeof *first);
	struct loom_rng rng;
	bool done = order && sequence && first;
	loom_rng_init(&rng, 1);
	double per_round = (double)g->n * g->n_hops * (*n_passes / 64 + 1) + (double)(g->n_channels * g->words);
	for (unsigned round = 0; done && round < GREEDY_ROUNDS && round * per_round < GREEDY_WORK; round++) {
		if (*n_passes <= g->largest_load)
			break;
		uint32_t n = *n_passes;
		for (uint32_t c = 0; c < n; c++)
			sequence[c] = n - 1 - c;
		for (uint32_t c = n; round % 3 != 0 && c > 1; c--) {
			uint32_t other = (uint32_t)loom_rng_below(&rng, c), t = sequence[c - 1];
			sequence[c - 1] = sequence[other];
			sequence[other] = t;
		}
		order_by_colour(order, first, pass, sequence, n, g->n);
		*n_passes = colour_in_order(pass, g, order);
	}
	free(order);
	free(sequence);
	free(first);
	return done;
}

static double saturation_work(const struct graph *g)
{
	double work = 0;
	for (size_t c = 0; c < g->n_channels; c++) {
		double load = (double)(g->first[c + 1] - g->first[c]);
		work += load * load * g->n_hops;
	}
	return work;
}

static int check_input(const struct loom_min *net, const uint32_t *source, const uint32_t *destination, size_t n,
                       struct loom_err *err)
{
	uint32_t n_nodes = loom_min_nodes(net);
	if (n >= UINT32_MAX)
		return loom_fail(err, LOOM_EINPUT, "%zu messages are too many for one schedule", n);
	for (size_t i = 0; i < n; i++)
		if (source[i] >= n_nodes || destination[i] >= n_nodes)
			return loom_fail(err, LOOM_EINPUT,
			                 "message %zu from %u to %u; a network of %u nodes has 0 to %u", i, source[i],
			                 destination[i], n_nodes, n_nodes - 1);
	return 0;
}

int loom_min_passes_schedule(uint32_t *pass, struct loom_min_passes *out, const struct loom_min *net,
                             const uint32_t *source, const uint32_t *destination, size_t n, struct loom_err *err)
{
	struct graph g = {0};
	uint32_t *best = NULL, *other = NULL, n_best = 0, n_other = 0;
	int rc = check_input(net, source, destination, n, err);
	if (rc != 0)
		return rc;
	best = malloc((n + 1) * sizeof *best);
	other = malloc((n + 1) * sizeof *other);
	bool done = best && other && make_graph(&g, net, source, destination, n) &&
	            colour_by_rows(best, &n_best, net, source, destination, n);
	if (done && n_best > g.largest_load) {
		if (saturation_work(&g) <= DSATUR_WORK)
			done = colour_by_saturation(other, &n_other, &g);
		else
			n_other = colour_in_order(other, &g, NULL);
		if (done && n_other < n_best) {
			uint32_t *swap = best;
			best = other;
			other = swap;
			n_best = n_other;
		}
		done = done && improve(best, &n_best, &g);
	}
	if (done) {
		memcpy(pass, best, n * sizeof *pass);
		*out = (struct loom_min_passes){.n_passes = n_best, .lower_bound = g.largest_load};
	} else {
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a schedule of %zu messages", n);
	}
	free_graph(&g);
	free(best);
	free(other);
	return rc;
}
