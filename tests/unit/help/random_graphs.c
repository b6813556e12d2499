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

// Those that cannot be are left out.
static void add_more(struct loom_graph_wires *out, struct loom_rng *rng, uint32_t more, unsigned one_way)
{
	for (uint32_t i = 0; i < more; i++) {
		uint32_t a = (uint32_t)loom_rng_below(rng, out->n_nodes),
			 b = (uint32_t)loom_rng_below(rng, out->n_nodes);
		(void)loom_graph_add(out, a, b, loom_rng_below(rng, 100) >= one_way, "test", NULL);
	}
}

void random_graph(struct loom_graph_wires *out, uint64_t seed, uint32_t n, uint32_t more, unsigned one_way)
{
	struct loom_rng rng;
	loom_rng_init(&rng, seed);
	add_nodes(out, n);
	for (uint32_t i = 1; i < n; i++)
		while (loom_graph_add(out, (uint32_t)loom_rng_below(&rng, i), i, true, "test", NULL) != 0)
			;
	add_more(out, &rng, more, one_way);
}

void random_circle(struct loom_graph_wires *out, uint64_t seed, uint32_t n, uint32_t more)
{
	struct loom_rng rng;
	loom_rng_init(&rng, seed);
	add_nodes(out, n);
	for (uint32_t i = 0; i < n; i++)
		(void)loom_graph_add(out, i, (i + 1) % n, false, "test", NULL);
	add_more(out, &rng, more, 100);
}
