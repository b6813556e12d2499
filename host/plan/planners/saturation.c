// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// DSATUR [Brelaz79]: the next message is the one whose neighbours have the most colours; of equal ones, the one with
// the most neighbours.
#include <stdlib.h>

#include "plan/planners/conflicts.h"

#define NONE UINT32_MAX

struct heap {
	const struct loom_conflicts *g;
	uint32_t *colours_around; // [message]: saturation
	uint32_t *at, *place;     // the heap of messages; a message's place in it, or NONE
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

// Notes that the channel has got this colour. Each message on it then has one more colour around it, unless another of
// its channels had this colour already.
static void tell_users(struct heap *h, size_t channel, uint32_t colour)
{
	const struct loom_conflicts *g = h->g;
	for (size_t u = g->first[channel]; u < g->first[channel + 1]; u++) {
		uint32_t message = g->user[u];
		size_t k = g->at[message], end = g->at[message + 1];
		if (h->place[message] == NONE)
			continue;
		while (k < end && (g->hop[k] == channel || !loom_conflicts_has(g, g->hop[k], colour)))
			k++;
		if (k == end) {
			h->colours_around[message]++;
			rise(h, h->place[message]);
		}
	}
}

bool loom_conflicts_saturate(uint32_t *pass, uint32_t *n_passes, struct loom_conflicts *g)
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
		uint32_t message = take_first(&h), colour = loom_conflicts_least_free(g, message);
		pass[message] = colour;
		*n_passes = colour + 1 > *n_passes ? colour + 1 : *n_passes;
		for (size_t k = g->at[message]; k < g->at[message + 1]; k++) {
			size_t channel = g->hop[k];
			g->taken[channel * g->words + colour / 64] |= UINT64_C(1) << colour % 64;
			tell_users(&h, channel, colour);
		}
	}
	free(h.colours_around);
	free(h.at);
	free(h.place);
	return done;
}
