// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Eclipse [Venkatakrishnan16]: takes the slot that carries most flits per cycle, dark cycles included, then the best
// slot for what is left, until everything is carried. For a given number of cycles of light, the best matching has
// the largest sum of min(cycles, flits left).
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "circuits/matching.h"
#include "circuits/remains.h"

struct greedy {
	struct loom_remains left;
	uint32_t dark;
	uint32_t *value; // the values of the entries, ascending, each once
	size_t n_values;
	uint32_t *weight, *to, *best_to;
	// The best slot found so far.
	uint64_t best_flits;
	uint32_t best_cycles;
	bool no_memory;
};

static int ascending(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return loom_order(x, y);
}

static void list_values(struct greedy *g)
{
	const size_t all = (size_t)g->left.n * g->left.n;
	size_t n = 0, kept = 0;
	for (size_t p = 0; p < all; p++)
		if (g->left.flits[p] > 0)
			g->value[n++] = g->left.flits[p];
	qsort(g->value, n, sizeof *g->value, ascending);
	for (size_t k = 0; k < n; k++)
		if (k == 0 || g->value[k] != g->value[kept - 1])
			g->value[kept++] = g->value[k];
	g->n_values = kept;
}

// Returns the flits per cycle of the best matching for value[k] cycles, and remembers the best slot so far.
static double rate(struct greedy *g, size_t k)
{
	const uint32_t n = g->left.n, cycles = g->value[k];
	const size_t all = (size_t)n * n;
	uint64_t flits = 0;
	for (size_t p = 0; p < all; p++)
		g->weight[p] = g->left.flits[p] < cycles ? g->left.flits[p] : cycles;
	if (!loom_assignment(g->to, n, g->weight)) {
		g->no_memory = true;
		return 0;
	}
	for (uint32_t i = 0; i < n; i++)
		flits += g->weight[(size_t)i * n + g->to[i]];
	const double mine = (double)flits / ((double)cycles + g->dark);
	if (g->best_cycles == 0 || mine > (double)g->best_flits / ((double)g->best_cycles + g->dark)) {
		g->best_flits = flits;
		g->best_cycles = cycles;
		memcpy(g->best_to, g->to, n * sizeof *g->to);
	}
	return mine;
}

// Searches for the best duration among the values of the entries by halving, as if the rate had a single maximum.
static void find_best(struct greedy *g)
{
	size_t low = 0, high = g->n_values - 1;
	g->best_cycles = 0;
	while (!g->no_memory && high - low > 2) {
		const size_t middle = low + (high - low) / 2;
		if (rate(g, middle) < rate(g, middle + 1))
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t k = low; !g->no_memory && k <= high; k++)
		(void)rate(g, k);
}

static int add_best(struct loom_circuit_list *out, struct greedy *g, struct loom_err *err)
{
	const uint32_t n = g->left.n;
	for (uint32_t i = 0; i < n; i++)
		if (g->left.flits[(size_t)i * n + g->best_to[i]] == 0)
			g->best_to[i] = LOOM_CIRCUIT_NO_PORT;
	loom_remains_take(&g->left, g->best_to, g->best_cycles);
	return loom_circuit_list_add(out, g->best_cycles, g->best_to, err);
}

int loom_circuit_eclipse(struct loom_circuit_list *out, bool *done, const struct loom_demand *demand, uint32_t dark,
                         uint64_t limit, struct loom_err *err)
{
	struct greedy g = {.dark = dark};
	const size_t n = demand->n;
	uint64_t spent = 0;
	int rc = loom_remains_init(&g.left, demand, err);
	g.value = malloc(n * n * sizeof *g.value);
	g.weight = malloc(n * n * sizeof *g.weight);
	g.to = malloc(2 * n * sizeof *g.to);
	g.best_to = g.to ? g.to + n : NULL;
	if (rc == 0 && (!g.value || !g.weight || !g.to))
		rc = loom_circuit_no_memory(err);
	while (rc == 0 && g.left.n_entries > 0 &&
	       (limit == LOOM_NO_LIMIT || spent + loom_remains_least(&g.left, dark) < limit)) {
		list_values(&g);
		find_best(&g);
		if (g.no_memory)
			rc = loom_circuit_no_memory(err);
		else
			rc = add_best(out, &g, err);
		spent += (uint64_t)g.best_cycles + dark;
	}
	*done = g.left.n_entries == 0;
	loom_remains_free(&g.left);
	free(g.value);
	free(g.weight);
	free(g.to);
	return rc;
}
