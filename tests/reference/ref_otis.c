// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_otis.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 256u

static void *room(size_t n, size_t size)
{
	void *memory = calloc(n + 1, size);
	if (!memory)
		abort();
	return memory;
}

// A link from a node to another.
enum way { RIGHT, LEFT, UP, DOWN, LIGHT, NO_WAY };
static const char *const way_names[] = {"right", "left", "up", "down", "light", "no link"};

static enum way way_between(unsigned side, uint32_t from, uint32_t to)
{
	uint32_t n = side * side, g = from / n, p = from % n, h = to / n, q = to % n;
	if (g == q && p == h && g != p)
		return LIGHT;
	if (g != h)
		return NO_WAY;
	if (p / side == q / side)
		return q == p + 1 ? RIGHT : p == q + 1 ? LEFT : NO_WAY;
	return q == p + side ? DOWN : p == q + side ? UP : NO_WAY;
}

// ---- Moves ----

struct player {
	struct ref_otis_played *out;
	unsigned side;
	uint32_t n_nodes;
	const struct ref_otis_hop *hop;
	size_t n_hops;
	uint32_t *item_of_hop;      // which item it carries
	uint32_t *held;             // node * SLOTS + slot: an item + 1, 0: nothing
	struct ref_otis_item *item; // its source, and the node where it is now
	bool *arrived;              // the processor has the item outside of its store
	size_t n_items;
};

#define WRONG(player, ...) (void)snprintf((player)->out->wrong, sizeof(player)->out->wrong, __VA_ARGS__)

static bool is_wrong(const struct player *p)
{
	return p->out->wrong[0] != '\0';
}

// Checks that each pass goes one way, with one item from each processor.
static void check_pass(struct player *p, size_t first, size_t end)
{
	enum way way = NO_WAY;
	bool *sends = room(p->n_nodes, sizeof *sends);
	for (size_t i = first; i < end && !is_wrong(p); i++) {
		const struct ref_otis_hop *h = &p->hop[i];
		if (h->source >= p->n_nodes || h->destination >= p->n_nodes || h->from >= SLOTS || h->keep >= SLOTS) {
			WRONG(p, "message %zu: there is no such processor or slot", i);
		} else if (h->source != h->destination) {
			enum way its = way_between(p->side, h->source, h->destination);
			if (its == NO_WAY)
				WRONG(p, "message %zu: no link from %" PRIu32 " to %" PRIu32, i, h->source,
				      h->destination);
			else if (way != NO_WAY && its != way)
				WRONG(p, "message %zu goes %s, others of pass %" PRIu32 " %s", i, way_names[its],
				      h->pass, way_names[way]);
			else if (sends[h->source])
				WRONG(p, "message %zu: two items leave %" PRIu32 " in pass %" PRIu32, i, h->source,
				      h->pass);
			sends[h->source] = true;
			way = its;
		}
	}
	p->out->electronic += way != NO_WAY && way != LIGHT;
	p->out->otis += way == LIGHT;
	free(sends);
}

static void take(struct player *p, size_t i)
{
	const struct ref_otis_hop *h = &p->hop[i];
	uint32_t *slot = &p->held[h->source * SLOTS + h->from];
	if (h->from == 0) {
		p->item[p->n_items] = (struct ref_otis_item){h->source, h->source};
		p->item_of_hop[i] = (uint32_t)p->n_items++;
	} else if (*slot == 0) {
		WRONG(p, "message %zu: slot %u of %" PRIu32 " holds nothing in pass %" PRIu32, i, h->from, h->source,
		      h->pass);
	} else {
		p->item_of_hop[i] = *slot - 1;
		*slot = 0;
	}
}

static void give(struct player *p, size_t i)
{
	const struct ref_otis_hop *h = &p->hop[i];
	uint32_t item = p->item_of_hop[i], *slot = &p->held[h->destination * SLOTS + h->keep];
	p->item[item].destination = h->destination;
	p->arrived[item] = h->keep == 0;
	if (h->keep && *slot)
		WRONG(p, "message %zu: what slot %u of %" PRIu32 " held in pass %" PRIu32 " is lost", i, h->keep,
		      h->destination, h->pass);
	if (h->keep)
		*slot = item + 1;
}

static void play_pass(struct player *p, size_t first, size_t end)
{
	check_pass(p, first, end);
	for (size_t i = first; i < end && !is_wrong(p); i++)
		take(p, i);
	for (size_t i = first; i < end && !is_wrong(p); i++)
		give(p, i);
}

static int in_order(const void *a, const void *b)
{
	const struct ref_otis_item *x = a, *y = b;
	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return x->destination < y->destination ? -1 : x->destination > y->destination;
}

static void check_ends(struct player *p, const struct ref_otis_item *wanted, size_t n_wanted)
{
	struct ref_otis_item *sorted = room(n_wanted, sizeof *sorted);
	for (size_t i = 0; i < p->n_items && !is_wrong(p); i++)
		if (!p->arrived[i])
			WRONG(p, "the item of %" PRIu32 " is left in a store of %" PRIu32, p->item[i].source,
			      p->item[i].destination);
	if (!is_wrong(p) && p->n_items != n_wanted)
		WRONG(p, "%zu items are moved, %zu should be", p->n_items, n_wanted);
	for (size_t i = 0; i < n_wanted; i++)
		sorted[i] = wanted[i];
	if (!is_wrong(p)) {
		qsort(sorted, n_wanted, sizeof *sorted, in_order);
		qsort(p->item, p->n_items, sizeof *p->item, in_order);
	}
	for (size_t i = 0; i < n_wanted && !is_wrong(p); i++)
		if (in_order(&p->item[i], &sorted[i]) != 0)
			WRONG(p, "an item of %" PRIu32 " ends at %" PRIu32 "; one of %" PRIu32 " should at %" PRIu32,
			      p->item[i].source, p->item[i].destination, sorted[i].source, sorted[i].destination);
	free(sorted);
}

void ref_otis_play(struct ref_otis_played *out, unsigned side, const struct ref_otis_hop *hop, size_t n_hops,
                   const struct ref_otis_item *wanted, size_t n_wanted)
{
	uint32_t n_nodes = side * side * side * side;
	struct player p = {.out = out, .side = side, .n_nodes = n_nodes, .hop = hop, .n_hops = n_hops};
	*out = (struct ref_otis_played){0};
	p.item_of_hop = room(n_hops, sizeof *p.item_of_hop);
	p.held = room((size_t)n_nodes * SLOTS, sizeof *p.held);
	p.item = room(n_hops, sizeof *p.item);
	p.arrived = room(n_hops, sizeof *p.arrived);
	for (size_t first = 0, end; first < n_hops && !is_wrong(&p); first = end) {
		for (end = first; end < n_hops && hop[end].pass == hop[first].pass; end++)
			;
		play_pass(&p, first, end);
	}
	check_ends(&p, wanted, n_wanted);
	free(p.item_of_hop);
	free(p.held);
	free(p.item);
	free(p.arrived);
}

// ---- Distances ----

void ref_otis_distances(uint32_t *out, unsigned side, uint32_t from)
{
	uint32_t n_nodes = side * side * side * side, hops = 0;
	bool more = true;
	memset(out, 0xff, n_nodes * sizeof *out);
	for (out[from] = 0; more; hops++) {
		more = false;
		for (uint32_t u = 0; u < n_nodes; u++) {
			uint32_t n = side * side, g = u / n, q = u % n;
			const uint32_t near[5] = {u + 1, u - 1, u + side, u - side, q * n + g};
			for (unsigned k = 0; k < 5 && out[u] == hops; k++)
				if (near[k] < n_nodes && out[near[k]] == UINT32_MAX &&
				    way_between(side, u, near[k]) != NO_WAY) {
					out[near[k]] = hops + 1;
					more = true;
				}
		}
	}
}

uint32_t ref_otis_diameter(unsigned side)
{
	uint32_t n_nodes = side * side * side * side, most = 0;
	uint32_t *hops = room(n_nodes, sizeof *hops);
	for (uint32_t from = 0; from < n_nodes; from++) {
		ref_otis_distances(hops, side, from);
		for (uint32_t to = 0; to < n_nodes; to++)
			most = hops[to] > most ? hops[to] : most;
	}
	free(hops);
	return most;
}

void ref_otis_displace(struct ref_otis_displacement *out, unsigned side, const uint32_t *to, uint32_t n_groups)
{
	*out = (struct ref_otis_displacement){0};
	for (uint32_t i = 0; i < n_groups * side * side; i++) {
		int p = (int)(i % (side * side)), q = (int)to[i], s = (int)side;
		int across = q % s - p % s, down = q / s - p / s;
		out->right = across > (int)out->right ? (unsigned)across : out->right;
		out->left = -across > (int)out->left ? (unsigned)-across : out->left;
		out->down = down > (int)out->down ? (unsigned)down : out->down;
		out->up = -down > (int)out->up ? (unsigned)-down : out->up;
	}
}
