// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/min_passes.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "plan/planners/conflicts.h"

#define DSATUR_WORK 2e9   // neighbours looked at; beyond it, first fit
#define GREEDY_WORK 300e6 // words looked at in all rounds of iterated greedy
#define GREEDY_ROUNDS 20000

static void forget_colours(struct loom_conflicts *g)
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

// --- first fit, and iterated greedy ---

static uint32_t colour_in_order(uint32_t *pass, struct loom_conflicts *g, const uint32_t *order)
{
	uint32_t n_passes = 0;
	forget_colours(g);
	for (size_t i = 0; i < g->n; i++) {
		uint32_t message = order ? order[i] : (uint32_t)i, colour = loom_conflicts_least_free(g, message);
		pass[message] = colour;
		loom_conflicts_take(g, message, colour);
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
static bool improve(uint32_t *pass, uint32_t *n_passes, struct loom_conflicts *g)
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

static double saturation_work(const struct loom_conflicts *g)
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
	struct loom_conflicts g = {0};
	uint32_t *best = NULL, *other = NULL, n_best = 0, n_other = 0;
	int rc = check_input(net, source, destination, n, err);
	if (rc != 0)
		return rc;
	best = malloc((n + 1) * sizeof *best);
	other = malloc((n + 1) * sizeof *other);
	bool done = best && other && loom_conflicts_make(&g, net, source, destination, n) &&
	            colour_by_rows(best, &n_best, net, source, destination, n);
	if (done && n_best > g.largest_load) {
		if (saturation_work(&g) <= DSATUR_WORK)
			done = loom_conflicts_saturate(other, &n_other, &g);
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
	loom_conflicts_free(&g);
	free(best);
	free(other);
	return rc;
}
