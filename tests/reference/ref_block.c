// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_block.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// --- The affected rectangle --------------------------------------------------------------------------------------------

static unsigned coordinate(const struct ref_net *net, unsigned node, unsigned d)
{
	for (unsigned k = 0; k < d; k++)
		node /= net->extent[k];
	return node % net->extent[d];
}

static bool wraps(const struct ref_net *net)
{
	return net->kind == REF_RING || net->kind == REF_TORUS;
}

// Returns the direction, +1 or -1, in which a message takes dimension d.
static int direction(const struct ref_net *net, const struct ref_way *way, unsigned d)
{
	int x = (int)coordinate(net, way->source, d), y = (int)coordinate(net, way->destination, d),
	    extent = (int)net->extent[d], up = (y - x + extent) % extent;
	if (x == y)
		return 0;
	if (wraps(net))
		return 2 * up <= extent ? 1 : -1;
	return y > x ? 1 : -1;
}

static unsigned steps_between(const struct ref_net *net, int way_round, unsigned d, unsigned x, unsigned y)
{
	unsigned extent = net->extent[d];
	if (way_round == 0)
		return x == y ? 0 : extent; // farther than any distance
	if (!wraps(net) && (way_round > 0 ? y < x : y > x))
		return extent;
	return way_round > 0 ? (y + extent - x) % extent : (x + extent - y) % extent;
}

static bool node_inside(const struct ref_net *net, const struct ref_way *way, unsigned node)
{
	for (unsigned d = 0; d < net->n_extents; d++) {
		int round = direction(net, way, d);
		unsigned x = coordinate(net, way->source, d), y = coordinate(net, way->destination, d);
		if (steps_between(net, round, d, x, coordinate(net, node, d)) > steps_between(net, round, d, x, y))
			return false;
	}
	return true;
}

// Finds the link on which the message can leave the node along dimension d with both ends in the rectangle. False:
// there is none.
static bool step_inside(unsigned *link, unsigned *to, const struct ref_net *net, const struct ref_way *way,
                        unsigned node, unsigned d)
{
	int round = direction(net, way, d);
	unsigned back, x = coordinate(net, node, d), y = coordinate(net, way->destination, d);
	if (round == 0 || x == y || !node_inside(net, way, node))
		return false;
	*link = net->kind == REF_CUBE ? d : round > 0 || (wraps(net) && net->extent[d] == 2) ? 2 * d : 2 * d + 1;
	return ref_net_link(to, &back, net, node, *link) && node_inside(net, way, *to);
}

static void add_rectangle(uint64_t *label, const struct ref_net *net, const struct ref_way *way, uint64_t weight)
{
	unsigned link, to;
	for (unsigned u = 0; u < ref_net_nodes(net); u++)
		for (unsigned d = 0; d < net->n_extents; d++)
			if (step_inside(&link, &to, net, way, u, d))
				label[ref_net_channel(net, u, link)] += weight;
}

// Computes F of [Zhong92], Fig. 5, for a message at `node`: the sum over all first steps. known: 0 where it is not
// computed yet.
static uint64_t freedom(uint64_t *known, const struct ref_net *net, const struct ref_way *way, unsigned node)
{
	unsigned link, to;
	if (node == way->destination)
		return 1;
	if (known[node] == 0)
		for (unsigned d = 0; d < net->n_extents; d++)
			if (step_inside(&link, &to, net, way, node, d))
				known[node] += freedom(known, net, way, to);
	return known[node];
}

// --- BLOCK -----------------------------------------------------------------------------------------------------------

struct ways {
	uint64_t least[REF_BLOCK_NODES]; // the largest label on the best way from here; UINT64_MAX: not yet known
	unsigned dimension[REF_BLOCK_NODES];
};

static uint64_t best_way(struct ways *ways, const uint64_t *label, const struct ref_net *net, const struct ref_way *way,
                         unsigned node)
{
	unsigned link, to;
	if (node == way->destination)
		return 0;
	if (ways->least[node] != UINT64_MAX)
		return ways->least[node];
	for (unsigned d = net->n_extents; d-- > 0;) { // among equals the lowest dimension wins
		if (!step_inside(&link, &to, net, way, node, d))
			continue;
		uint64_t further = best_way(ways, label, net, way, to), here = label[ref_net_channel(net, node, link)];
		uint64_t most = here > further ? here : further;
		if (most <= ways->least[node]) {
			ways->least[node] = most;
			ways->dimension[node] = d;
		}
	}
	return ways->least[node];
}

static size_t route(size_t *channel, uint64_t *label, const struct ref_net *net, const struct ref_way *way,
                    uint64_t weight)
{
	struct ways ways;
	size_t length = 0;
	unsigned link = 0, to = 0;
	memset(&ways, 0xff, sizeof ways);
	(void)best_way(&ways, label, net, way, way->source);
	for (unsigned at = way->source; at != way->destination; at = to) {
		bool there = step_inside(&link, &to, net, way, at, ways.dimension[at]);
		assert(there);
		channel[length++] = ref_net_channel(net, at, link);
	}
	add_rectangle(label, net, way, -weight);
	for (size_t k = 0; k < length; k++)
		label[channel[k]] += weight;
	return length;
}

int ref_block(size_t *channel, size_t *length, const struct ref_net *net, const struct ref_way *way,
              const uint64_t *weight, size_t n)
{
	unsigned n_nodes = ref_net_nodes(net);
	if (n_nodes > REF_BLOCK_NODES)
		return -EINVAL;
	uint64_t *label = calloc(ref_net_channels(net), sizeof *label), *known = calloc(n_nodes, sizeof *known);
	uint64_t *routes_of = calloc(n + 1, sizeof *routes_of);
	bool *done = calloc(n + 1, sizeof *done);
	int rc = label && known && routes_of && done ? 0 : -ENOMEM;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		memset(known, 0, n_nodes * sizeof *known);
		routes_of[i] = freedom(known, net, &way[i], way[i].source);
		add_rectangle(label, net, &way[i], weight[i]);
	}
	for (size_t k = 0; rc == 0 && k < n; k++) {
		size_t next = n;
		for (size_t i = 0; i < n; i++)
			if (!done[i] && (next == n || routes_of[i] < routes_of[next]))
				next = i;
		done[next] = true;
		length[next] = route(channel + next * REF_BLOCK_NODES, label, net, &way[next], weight[next]);
	}
	free(label);
	free(known);
	free(routes_of);
	free(done);
	return rc;
}

// --- Loads and bounds ------------------------------------------------------------------------------------------------

int ref_routes_load(uint64_t *most, const size_t *channel, const size_t *length, const struct ref_net *net,
                    const struct ref_way *way, const uint64_t *weight, size_t n)
{
	uint64_t *load = calloc(ref_net_channels(net), sizeof *load);
	int rc = load ? 0 : -ENOMEM;
	*most = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		unsigned at = way[i].source;
		for (size_t k = 0; rc == 0 && k < length[i]; k++) {
			size_t c = channel[i * REF_BLOCK_NODES + k];
			unsigned link = 0, to = 0, back = 0;
			while (link < ref_net_links(net) && ref_net_channel(net, at, link) != c)
				link++;
			if (link == ref_net_links(net) || !ref_net_link(&to, &back, net, at, link))
				rc = -EINVAL;
			load[c] += weight[i];
			*most = load[c] > *most ? load[c] : *most;
			at = to;
		}
		if (rc == 0 && at != way[i].destination)
			rc = -EINVAL;
	}
	free(load);
	return rc;
}

// Computes the number of links from each node to `to`, by breadth-first search; every link has one in the other
// direction.
static void distances(unsigned *out, const struct ref_net *net, unsigned to)
{
	unsigned queue[REF_BLOCK_NODES], n = 0, v, back;
	for (unsigned u = 0; u < ref_net_nodes(net); u++)
		out[u] = UINT32_MAX;
	out[to] = 0;
	queue[n++] = to;
	for (unsigned i = 0; i < n; i++)
		for (unsigned p = 0; p < ref_net_links(net); p++)
			if (ref_net_link(&v, &back, net, queue[i], p) && out[v] == UINT32_MAX) {
				out[v] = out[queue[i]] + 1;
				queue[n++] = v;
			}
}

static uint64_t cheapest_from(uint64_t *known, const unsigned *distance, const struct ref_net *net, unsigned node,
                              const uint32_t *price)
{
	unsigned v, back;
	if (distance[node] == 0)
		return 0;
	if (known[node] != UINT64_MAX)
		return known[node];
	uint64_t least = UINT64_MAX;
	for (unsigned p = 0; p < ref_net_links(net); p++)
		if (ref_net_link(&v, &back, net, node, p) && distance[v] + 1 == distance[node]) {
			uint64_t cost =
				price[ref_net_channel(net, node, p)] + cheapest_from(known, distance, net, v, price);
			least = cost < least ? cost : least;
		}
	known[node] = least;
	return least;
}

uint64_t ref_cheapest(const struct ref_net *net, unsigned from, unsigned to, const uint32_t *price)
{
	unsigned distance[REF_BLOCK_NODES];
	uint64_t known[REF_BLOCK_NODES];
	distances(distance, net, to);
	memset(known, 0xff, sizeof known);
	return cheapest_from(known, distance, net, from, price);
}

struct trial {
	const struct ref_net *net;
	const struct ref_way *way;
	const uint64_t *weight;
	size_t n;
	uint64_t *load;
	unsigned *distance; // n * REF_BLOCK_NODES
	uint64_t best, tries;
};

// Message i is at `node`; the largest load so far is `most`. False: given up.
static bool try_all(struct trial *t, size_t i, unsigned node, uint64_t most)
{
	unsigned v, back;
	if (most >= t->best)
		return true;
	if (i == t->n) {
		t->best = most;
		return true;
	}
	if (t->tries-- == 0)
		return false;
	const unsigned *distance = t->distance + i * REF_BLOCK_NODES;
	if (distance[node] == 0)
		return try_all(t, i + 1, i + 1 < t->n ? t->way[i + 1].source : 0, most);
	for (unsigned p = 0; p < ref_net_links(t->net); p++) {
		if (!ref_net_link(&v, &back, t->net, node, p) || distance[v] + 1 != distance[node])
			continue;
		uint64_t *load = &t->load[ref_net_channel(t->net, node, p)];
		*load += t->weight[i];
		bool goes_on = try_all(t, i, v, *load > most ? *load : most);
		*load -= t->weight[i];
		if (!goes_on)
			return false;
	}
	return true;
}

uint64_t ref_best_routes(const struct ref_net *net, const struct ref_way *way, const uint64_t *weight, size_t n,
                         uint64_t tries)
{
	struct trial t = {.net = net, .way = way, .weight = weight, .n = n, .best = UINT64_MAX, .tries = tries};
	t.load = calloc(ref_net_channels(net), sizeof *t.load);
	t.distance = calloc((n + 1) * REF_BLOCK_NODES, sizeof *t.distance);
	assert(t.load && t.distance);
	for (size_t i = 0; i < n; i++)
		distances(t.distance + i * REF_BLOCK_NODES, net, way[i].destination);
	bool done = try_all(&t, 0, n ? way[0].source : 0, 0);
	free(t.load);
	free(t.distance);
	return done ? t.best : UINT64_MAX;
}
