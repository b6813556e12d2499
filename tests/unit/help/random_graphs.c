// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "random_graphs.h"

#include <stdio.h>

#include "base/rng.h"
#include "topo/graph.h"

static void add_nodes(struct loom_graph_wires *out, uint32_t n)
{
	*out = (struct loom_graph_wires){0};
	for (uint32_t i = 0; i < n; i++) {
		char name[16];
		uint32_t number;
		int length = snprintf(name, sizeof name, "n%u", i);
		(void)loom_graph_node(&number, out, name, (size_t)length, "test", NULL);
	}
}

// Adds a link, unless it exists.
static int add(struct loom_graph_wires *out, uint32_t from, uint32_t to, bool both)
{
	const struct loom_graph_link link = {.from = from, .to = to, .both = both};
	int rc = from == to ? LOOM_EINPUT : loom_graph_check_new(out, &link, "test", NULL);
	return rc == 0 ? loom_graph_add(out, &link, "test", NULL) : rc;
}

// Adds random links; links that cannot exist are left out.
static void add_more(struct loom_graph_wires *out, struct loom_rng *rng, uint32_t more, unsigned one_way)
{
	for (uint32_t i = 0; i < more; i++) {
		uint32_t a = (uint32_t)loom_rng_below(rng, out->n_nodes),
			 b = (uint32_t)loom_rng_below(rng, out->n_nodes);
		(void)add(out, a, b, loom_rng_below(rng, 100) >= one_way);
	}
}

void random_graph(struct loom_graph_wires *out, uint64_t seed, uint32_t n, uint32_t more, unsigned one_way)
{
	struct loom_rng rng;
	loom_rng_init(&rng, seed);
	add_nodes(out, n);
	for (uint32_t i = 1; i < n; i++)
		while (add(out, (uint32_t)loom_rng_below(&rng, i), i, true) != 0)
			;
	add_more(out, &rng, more, one_way);
}

void random_circle(struct loom_graph_wires *out, uint64_t seed, uint32_t n, uint32_t more)
{
	struct loom_rng rng;
	loom_rng_init(&rng, seed);
	add_nodes(out, n);
	for (uint32_t i = 0; i < n; i++)
		(void)add(out, i, (i + 1) % n, false);
	add_more(out, &rng, more, 100);
}
