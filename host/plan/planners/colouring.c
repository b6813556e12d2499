// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Colours the conflict graph by DSATUR or first fit, then by iterated greedy.
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "plan/planners/conflicts.h"

#define DSATUR_WORK 2e9   // neighbours that are examined; first fit if there are more
#define GREEDY_WORK 300e6 // words that are examined in all rounds of iterated greedy
#define GREEDY_ROUNDS 20000

static void forget_colours(struct loom_conflicts *g)
{
	memset(g->taken, 0, g->n_channels * g->words * sizeof *g->taken);
}

uint32_t loom_conflicts_first_fit(uint32_t *pass, struct loom_conflicts *g, const uint32_t *order)
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

// Orders messages by colour, with the colours in the order `sequence`. first[c]: the place in `order` where colour c
// begins.
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

// Improves a colouring by iterated greedy (Culberson): first fit over the messages, one colour after the other in any
// order of the colours, never needs more colours, and sometimes one less.
static bool improve(uint32_t *pass, uint32_t *n_passes, struct loom_conflicts *g)
{
	uint32_t *order = malloc((g->n + 1) * sizeof *order), *sequence = malloc((*n_passes + 1) * sizeof *sequence);
	size_t *first = malloc((*n_passes + 1) * sizeof *first);
	struct loom_rng rng;
	bool done = order && sequence && first;
	loom_rng_init(&rng, 1);
	double per_round = (double)g->at[g->n] * (*n_passes / 64 + 1) + (double)(g->n_channels * g->words);
	for (unsigned round = 0; done && *n_passes > g->largest_load &&
	                         loom_conflicts_goes_on(g, round, per_round, GREEDY_ROUNDS, GREEDY_WORK);
	     round++) {
		uint32_t n = *n_passes;
		for (uint32_t c = 0; c < n; c++)
			sequence[c] = n - 1 - c;
		for (uint32_t c = n; round % 3 != 0 && c > 1; c--) {
			uint32_t other = (uint32_t)loom_rng_below(&rng, c), t = sequence[c - 1];
			sequence[c - 1] = sequence[other];
			sequence[other] = t;
		}
		order_by_colour(order, first, pass, sequence, n, g->n);
		*n_passes = loom_conflicts_first_fit(pass, g, order);
	}
	free(order);
	free(sequence);
	free(first);
	return done;
}

static double saturation_work(const struct loom_conflicts *g)
{
	double work = 0, hops = (double)g->at[g->n] / (double)(g->n ? g->n : 1);
	for (size_t c = 0; c < g->n_channels; c++) {
		double load = (double)(g->first[c + 1] - g->first[c]);
		work += load * load * hops;
	}
	return work;
}

bool loom_conflicts_colour(uint32_t *pass, uint32_t *n_passes, struct loom_conflicts *g)
{
	uint32_t n_other = 0;
	if (*n_passes != 0 && *n_passes <= g->largest_load)
		return true;
	uint32_t *other = malloc((g->n + 1) * sizeof *other);
	bool done = other != NULL;
	if (done && saturation_work(g) <= DSATUR_WORK)
		done = loom_conflicts_saturate(other, &n_other, g);
	else if (done)
		n_other = loom_conflicts_first_fit(other, g, NULL);
	if (done && (*n_passes == 0 || n_other < *n_passes)) {
		memcpy(pass, other, g->n * sizeof *pass);
		*n_passes = n_other;
	}
	free(other);
	return done && improve(pass, n_passes, g);
}
