// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A network of n nodes with d links each, drawn at random from the connected ones. It begins as a ring with chords of
// fixed lengths. Two random links a-b and c-d become a-d and c-b, unless one of these exists or leads from a node to
// itself. That happens 20 times as often as there are links, and again until all nodes can be reached. The generator is
// that of base/rng.h, so a seed gives the same network on every machine.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "topo/made.h"

#define SWAPS_OF_A_LINK 20

struct drawing {
	struct loom_graph_wires *wires;
	uint8_t *joined; // node * n_nodes + node
	struct loom_rng rng;
};

static void join(struct drawing *d, uint32_t a, uint32_t b, bool on)
{
	const size_t n = d->wires->n_nodes;
	d->joined[a * n + b] = d->joined[b * n + a] = on;
}

static void draw_swap(struct drawing *d)
{
	const size_t n = d->wires->n_nodes;
	struct loom_graph_link *one = &d->wires->link[loom_rng_below(&d->rng, d->wires->n_links)];
	struct loom_graph_link *two = &d->wires->link[loom_rng_below(&d->rng, d->wires->n_links)];
	const bool turned = loom_rng_below(&d->rng, 2) != 0;
	const uint32_t a = one->from, b = one->to, c = turned ? two->to : two->from, e = turned ? two->from : two->to;
	if (a == e || c == b || one == two || d->joined[a * n + e] || d->joined[c * n + b])
		return;
	join(d, a, b, false);
	join(d, c, e, false);
	join(d, a, e, true);
	join(d, c, b, true);
	one->to = e;
	*two = (struct loom_graph_link){.from = c, .to = b, .both = true};
}

static bool is_connected(const struct drawing *d)
{
	const uint32_t n = d->wires->n_nodes;
	uint32_t queue[LOOM_GRAPH_NODES_MAX] = {0}, n_seen = 1;
	bool seen[LOOM_GRAPH_NODES_MAX] = {true};
	for (uint32_t i = 0; i < n_seen; i++)
		for (uint32_t v = 0; v < n; v++)
			if (!seen[v] && d->joined[(size_t)queue[i] * n + v]) {
				seen[v] = true;
				queue[n_seen++] = v;
			}
	return n_seen == n;
}

static void begin_as_ring(struct drawing *d, uint32_t degree)
{
	const uint32_t n = d->wires->n_nodes;
	for (uint32_t u = 0; u < n; u++)
		for (uint32_t by = 1; by <= degree / 2; by++) {
			loom_made_add(d->wires, u, (u + by) % n, 0);
			join(d, u, (u + by) % n, true);
		}
	for (uint32_t u = 0; degree % 2 != 0 && u < n / 2; u++) {
		loom_made_add(d->wires, u, u + n / 2, 0);
		join(d, u, u + n / 2, true);
	}
}

// Writes the links in the order of their ends.
static void write_links(struct drawing *d)
{
	const uint32_t n = d->wires->n_nodes;
	d->wires->n_links = 0;
	for (uint32_t u = 0; u < n; u++)
		for (uint32_t v = u + 1; v < n; v++)
			if (d->joined[(size_t)u * n + v])
				loom_made_add(d->wires, u, v, 0);
}

static int draw(struct loom_graph_wires *out, uint32_t degree, uint64_t seed, struct loom_err *err)
{
	struct drawing d = {.wires = out, .joined = calloc(out->n_nodes, out->n_nodes)};
	if (!d.joined)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " nodes", out->n_nodes);
	loom_rng_init(&d.rng, seed);
	begin_as_ring(&d, degree);
	do {
		for (uint32_t i = 0; i < SWAPS_OF_A_LINK * out->n_links; i++)
			draw_swap(&d);
	} while (!is_connected(&d));
	write_links(&d);
	free(d.joined);
	return 0;
}

static int make(struct loom_graph_wires *out, char usual[LOOM_TOPO_SIZE], const struct loom_topo_kind *kind,
                const char *size, struct loom_err *err)
{
	uint32_t number[3];
	unsigned n;
	const char *end = loom_made_numbers(number, &n, 3, size, ',');
	if (!end || *end || n != 3)
		return loom_made_fail_size(kind, "64,4,1", err);
	if (number[0] % 2 != 0 && number[1] % 2 != 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "%" PRIu32 " nodes with %" PRIu32
		                 " links each: one of the two numbers must be even, as a link has two ends",
		                 number[0], number[1]);
	if (number[1] >= number[0] || (number[1] < 2 && number[0] != 2) || number[1] == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "%" PRIu32 " nodes with %" PRIu32 " links each; 2 to %" PRIu32 " links are possible",
		                 number[0], number[1], number[0] > 3 ? number[0] - 1 : 2);
	int rc = loom_made_begin(out, number[0], (uint64_t)number[0] * number[1] / 2, err);
	if (rc == 0)
		rc = draw(out, number[1], number[2], err);
	if (rc == 0)
		(void)snprintf(usual, LOOM_TOPO_SIZE, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, number[0], number[1],
		               number[2]);
	return rc;
}

const struct loom_topo_kind loom_topo_kind_random = {
	.name = "random",
	.sizes = "NODES,DEGREE,SEED[v2..v8]",
	.size_is = "number of nodes, of links of each, and a seed",
	.help = "links at random, as many at each node, over which all nodes can be reached",
	.make = make,
	LOOM_MADE_DEFAULTS,
};
