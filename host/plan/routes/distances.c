// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/routes/distances.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define FAR UINT16_MAX
#define BYTES_MOST ((uint64_t)1 << 30) // of all distances

// --- Distances -------------------------------------------------------------------------------------------------------

// The links by the node to which they lead.
struct inward {
	uint32_t *first; // owned, n_nodes + 1
	uint32_t *from;  // owned
};

static int find_links(struct loom_distances *d, struct inward *in)
{
	const struct loom_topo *t = d->topo;
	size_t n = (size_t)t->n_nodes * d->n_links;
	d->to = malloc((n + 1) * sizeof *d->to);
	in->first = calloc((size_t)t->n_nodes + 2, sizeof *in->first);
	in->from = malloc((n + 1) * sizeof *in->from);
	if (!d->to || !in->first || !in->from)
		return LOOM_ENOMEM;
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (unsigned p = 0; p < d->n_links; p++) {
			uint32_t v;
			unsigned back;
			bool is_there = t->kind->link(t, u, p, &v, &back);
			d->to[(size_t)u * d->n_links + p] = is_there ? v : NONE;
			if (is_there)
				in->first[v + 2]++;
		}
	for (uint32_t v = 0; v < t->n_nodes; v++)
		in->first[v + 2] += in->first[v + 1];
	for (size_t i = 0; i < n; i++) // first[v + 1] moves from the beginning of v's links to their end
		if (d->to[i] != NONE)
			in->from[in->first[d->to[i] + 1]++] = (uint32_t)(i / d->n_links);
	return 0;
}

// Searches breadth first against the direction of the links. `queue` has n_nodes elements.
static void search_backward(uint16_t *hops, uint32_t *queue, const struct inward *in, uint32_t n_nodes, uint32_t to)
{
	uint32_t n = 0;
	memset(hops, 0xff, n_nodes * sizeof *hops);
	hops[to] = 0;
	queue[n++] = to;
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t i = in->first[queue[k]]; i < in->first[queue[k] + 1]; i++)
			if (hops[in->from[i]] == FAR) {
				hops[in->from[i]] = (uint16_t)(hops[queue[k]] + 1);
				queue[n++] = in->from[i];
			}
}

static int find_distances(struct loom_distances *d, const struct inward *in, const struct loom_message *messages,
                          size_t n, struct loom_err *err)
{
	const struct loom_topo *t = d->topo;
	uint64_t bytes = 0;
	for (size_t i = 0; i < n; i++) {
		uint16_t **hops = &d->hops[messages[i].destination];
		if (!*hops) {
			bytes += t->n_nodes * sizeof **hops;
			if (bytes > BYTES_MOST)
				return loom_fail(
					err, LOOM_EINPUT,
					"%s has too many nodes to search for routes in it: distances to more than "
					"%" PRIu64 " destinations take more than 1 GiB",
					t->name, BYTES_MOST / (t->n_nodes * sizeof **hops));
			*hops = malloc(t->n_nodes * sizeof **hops);
			if (!*hops)
				return loom_fail(err, LOOM_ENOMEM, "out of memory for routes on %s", t->name);
			search_backward(*hops, d->queue, in, t->n_nodes, messages[i].destination);
		}
		if ((*hops)[messages[i].source] == FAR)
			return loom_fail(err, LOOM_EINPUT,
			                 "message %zu: there is no way from node %" PRIu32 " to %" PRIu32 " on %s", i,
			                 messages[i].source, messages[i].destination, t->name);
	}
	return 0;
}

int loom_distances_init(struct loom_distances *out, const struct loom_topo *topo, const struct loom_message *messages,
                        size_t n, uint32_t detours, struct loom_err *err)
{
	size_t nodes = topo->n_nodes;
	if (nodes + detours >= FAR)
		return loom_fail(err, LOOM_EINPUT, "%s has too many nodes to search for routes in it: %d at most",
		                 topo->name, (int)FAR - 1);
	struct loom_distances d = {.topo = topo,
	                           .n_links = loom_topo_links(topo),
	                           .per_tile = loom_topo_channels_per_tile(topo),
	                           .detours = detours};
	LOOM_ARRAY(&d.arrays, d.hops, nodes);
	LOOM_ARRAY(&d.arrays, d.node, nodes);
	LOOM_ARRAY(&d.arrays, d.queue, nodes);
	LOOM_ARRAY(&d.arrays, d.first, nodes + detours + 2);
	LOOM_ARRAY(&d.arrays, d.outward, nodes);
	LOOM_ARRAY(&d.arrays, d.best, nodes * (detours + 1));
	LOOM_ARRAY(&d.arrays, d.choice, nodes * (detours + 1));
	struct inward in = {0};
	int rc = d.arrays.is_short ? LOOM_ENOMEM : 0;
	if (rc == 0)
		rc = find_links(&d, &in);
	if (rc != 0)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for routes on %s", topo->name);
	else
		rc = find_distances(&d, &in, messages, n, err);
	free(in.first);
	free(in.from);
	if (rc != 0)
		loom_distances_free(&d);
	else {
		memset(d.outward, 0xff, nodes * sizeof *d.outward);
		*out = d;
	}
	return rc;
}

void loom_distances_free(struct loom_distances *d)
{
	if (!d)
		return;
	for (uint32_t v = 0; d->hops && v < d->topo->n_nodes; v++)
		free(d->hops[v]);
	free(d->to);
	loom_arrays_free(&d->arrays);
	*d = (struct loom_distances){0};
}

// --- The routes of a message -----------------------------------------------------------------------------------------

// Returns the detours that a route has left after the link u to v. A negative number: it may not take this link.
static int left_after(const uint16_t *hops, uint32_t u, uint32_t v, int left)
{
	return hops[v] == FAR ? -1 : left - (1 + (int)hops[v] - (int)hops[u]);
}

// Returns the detours that a route has left at node u if it came there by a shortest way.
static int left_at(const struct loom_distances *d, const uint16_t *hops, uint32_t u)
{
	return (int)(d->n_hops + d->detours) - (int)d->outward[u] - (int)hops[u];
}

void loom_distances_set(struct loom_distances *d, uint32_t source, uint32_t destination)
{
	const uint16_t *hops = d->hops[destination];
	uint32_t *queue = d->queue, n = 0;
	for (uint32_t i = 0; i < d->n_nodes; i++)
		d->outward[d->node[i]] = FAR;
	d->source = source;
	d->destination = destination;
	d->n_hops = hops[source];
	d->n_uses = 0;
	uint32_t farthest = d->n_hops + d->detours;
	memset(d->first, 0, (farthest + 2) * sizeof *d->first);
	d->outward[source] = 0;
	queue[n++] = source;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t u = queue[k];
		d->first[hops[u] + 1]++;
		for (unsigned p = 0; u != destination && p < d->n_links; p++) {
			uint32_t v = d->to[(size_t)u * d->n_links + p];
			if (v == NONE || left_after(hops, u, v, left_at(d, hops, u)) < 0)
				continue;
			d->n_uses++;
			if (d->outward[v] != FAR)
				continue;
			d->outward[v] = (uint16_t)(d->outward[u] + 1);
			queue[n++] = v;
		}
	}
	for (uint32_t h = 0; h <= farthest; h++)
		d->first[h + 1] += d->first[h];
	for (uint32_t k = n; k-- > 0;)
		d->node[--d->first[hops[queue[k]] + 1]] = queue[k];
	// first[h + 1] is now the beginning of the nodes with h hops. It belongs at first[h].
	memmove(d->first, d->first + 1, (farthest + 1) * sizeof *d->first);
	d->first[farthest + 1] = n;
	d->n_nodes = n;
}

void loom_distances_visit(const struct loom_distances *d, loom_link_visitor *visit, void *user)
{
	const uint16_t *hops = d->hops[d->destination];
	for (uint32_t i = 0; i < d->n_nodes; i++) {
		uint32_t u = d->node[i];
		for (unsigned p = 0; u != d->destination && p < d->n_links; p++) {
			uint32_t v = d->to[(size_t)u * d->n_links + p];
			if (v != NONE && left_after(hops, u, v, left_at(d, hops, u)) >= 0)
				visit(user, u * d->per_tile + p);
		}
	}
}

uint64_t loom_distances_count(struct loom_distances *d)
{
	const uint16_t *hops = d->hops[d->destination];
	for (uint32_t i = 0; i < d->n_nodes; i++) {
		uint32_t u = d->node[i];
		uint64_t n = u == d->destination;
		for (unsigned p = 0; u != d->destination && p < d->n_links; p++) {
			uint32_t v = d->to[(size_t)u * d->n_links + p];
			if (v != NONE && hops[v] + 1 == hops[u])
				n = n + d->best[v] < n ? UINT64_MAX : n + d->best[v];
		}
		d->best[u] = n;
	}
	return d->best[d->source];
}

// --- The best route --------------------------------------------------------------------------------------------------

// Finds the best next link from u with `left` detours. The states that it reads are one hop shorter, so they are
// already known.
static void look_from(struct loom_distances *d, const uint16_t *hops, uint32_t u, uint32_t left, const uint64_t *value,
                      bool is_sum, uint64_t ties)
{
	size_t place = (size_t)u * (d->detours + 1) + left;
	uint64_t best = UINT64_MAX;
	uint8_t choice = 0;
	for (unsigned p = 0; p < d->n_links; p++) {
		uint32_t v = d->to[(size_t)u * d->n_links + p];
		int then = v == NONE ? -1 : left_after(hops, u, v, (int)left);
		if (then < 0 || d->outward[v] == FAR)
			continue;
		uint64_t here = value[(size_t)u * d->per_tile + p],
			 further = d->best[(size_t)v * (d->detours + 1) + (size_t)then];
		uint64_t whole = is_sum           ? (further > UINT64_MAX - here ? UINT64_MAX : here + further)
		                 : here > further ? here
		                                  : further;
		if (whole < best || (is_sum && whole == best && ties >> ((u + p) & 63) & 1)) {
			best = whole;
			choice = (uint8_t)p;
		}
	}
	d->best[place] = best;
	d->choice[place] = choice;
}

static void walk(uint32_t *channel, uint32_t *n_hops, const struct loom_distances *d, const uint16_t *hops)
{
	uint32_t u = d->source, n = 0, left = d->detours;
	while (u != d->destination) {
		uint8_t p = d->choice[(size_t)u * (d->detours + 1) + left];
		uint32_t v = d->to[(size_t)u * d->n_links + p];
		channel[n++] = u * d->per_tile + p;
		left = (uint32_t)left_after(hops, u, v, (int)left);
		u = v;
	}
	if (n_hops)
		*n_hops = n;
}

uint64_t loom_distances_best(uint32_t *channel, uint32_t *n_hops, struct loom_distances *d, const uint64_t *value,
                             bool is_sum, uint64_t ties)
{
	const uint16_t *hops = d->hops[d->destination];
	uint32_t farthest = d->n_hops + d->detours;
	for (uint32_t to_go = 0; to_go <= farthest; to_go++) {
		uint32_t nearest = to_go > d->detours ? to_go - d->detours : 0;
		for (uint32_t i = d->first[nearest]; i < d->first[to_go + 1]; i++) {
			uint32_t u = d->node[i], left = to_go - hops[u];
			if (u == d->destination)
				d->best[(size_t)u * (d->detours + 1) + left] = 0;
			else
				look_from(d, hops, u, left, value, is_sum, ties);
		}
	}
	if (channel)
		walk(channel, n_hops, d, hops);
	return d->best[(size_t)d->source * (d->detours + 1) + d->detours];
}
