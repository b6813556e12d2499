// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Balances passes of messages of different lengths. A pass lasts as long as its longest message, so long messages
// should share passes.
#include "plan/planners/balance.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/rng.h"
#include "plan/planners/route_conflicts.h"

#define BALANCE_WORK 60e6 // words that are examined in all rounds
#define BALANCE_ROUNDS 400

struct search {
	struct loom_conflicts *g;
	const uint64_t *weight;
	uint32_t *order;    // the messages in the order in which they take their passes
	uint32_t *by_place; // scratch
	uint64_t *key;      // [message]: the sort key, the largest first
	uint64_t *longest;  // [pass]
	struct loom_rng rng;
	struct loom_arrays arrays; // owns the arrays
};

static uint64_t cost(struct search *s, const uint32_t *pass, uint32_t n_passes)
{
	uint64_t sum = 0;
	memset(s->longest, 0, n_passes * sizeof *s->longest);
	for (size_t i = 0; i < s->g->n; i++)
		if (s->weight[i] > s->longest[pass[i]])
			s->longest[pass[i]] = s->weight[i];
	for (uint32_t p = 0; p < n_passes; p++)
		sum += s->longest[p];
	return sum;
}

// Sorts messages by key, the largest first; of equal ones the lower message comes first. A bottom-up merge sort.
static void sort(struct search *s)
{
	size_t n = s->g->n;
	uint32_t *from = s->order, *to = s->by_place;
	for (size_t i = 0; i < n; i++)
		from[i] = (uint32_t)i;
	for (size_t width = 1; width < n; width *= 2) {
		for (size_t begin = 0; begin < n; begin += 2 * width) {
			size_t middle = begin + width < n ? begin + width : n;
			size_t end = begin + 2 * width < n ? begin + 2 * width : n;
			for (size_t a = begin, b = middle, k = begin; k < end; k++) {
				bool first = b == end || (a < middle && s->key[from[a]] >= s->key[from[b]]);
				to[k] = first ? from[a++] : from[b++];
			}
		}
		uint32_t *other = from;
		from = to;
		to = other;
	}
	s->order = from;
	s->by_place = to;
}

// Applies first fit until the cost stays. The pass with the longest message comes first, and in each pass the longest
// message. In this order a message ends in its own pass or an earlier one. So pass k holds only messages from place k
// or later, and neither the number of passes nor the sum of their longest messages grows.
static uint64_t polish(struct search *s, uint32_t *pass, uint32_t *n_passes)
{
	uint64_t now = cost(s, pass, *n_passes), before;
	do {
		before = now;
		for (size_t i = 0; i < s->g->n; i++) // keeps a pass in one block even if another one is as long
			s->key[i] = s->longest[pass[i]] << 20 | (*n_passes - 1 - pass[i]);
		sort(s);
		*n_passes = loom_conflicts_first_fit(pass, s->g, s->order);
		now = cost(s, pass, *n_passes);
	} while (now < before);
	return now;
}

// Disturbs the order in even rounds by message and in odd rounds by pass: the longest come first, and those of about
// the same length in random order.
static void disturb(struct search *s, uint32_t *pass, uint32_t *n_passes, unsigned round)
{
	uint64_t blur = UINT64_C(1) << round / 2 % 5; // 1/16 of the length to all of it
	if (round % 2)
		(void)cost(s, pass, *n_passes);
	for (uint32_t p = 0; round % 2 && p < *n_passes; p++)
		s->longest[p] = (s->longest[p] * (1024 + loom_rng_below(&s->rng, 64 * blur + 1))) << 20 | p;
	for (size_t i = 0; i < s->g->n; i++)
		s->key[i] = round % 2 ? s->longest[pass[i]]
		                      : s->weight[i] * (1024 + (round ? loom_rng_below(&s->rng, 64 * blur + 1) : 0));
	sort(s);
	*n_passes = loom_conflicts_first_fit(pass, s->g, s->order);
}

static void run(struct search *s, uint32_t *pass, uint32_t *n_passes, uint32_t *trial, uint64_t bound)
{
	const struct loom_conflicts *g = s->g;
	double per_round = 3 * ((double)g->at[g->n] * (*n_passes / 64 + 1) + (double)(g->n_channels * g->words) +
	                        (double)g->n * 16);
	uint64_t best = polish(s, pass, n_passes);
	for (unsigned round = 0;
	     best > bound && loom_conflicts_goes_on(g, round, per_round, BALANCE_ROUNDS, BALANCE_WORK); round++) {
		uint32_t n_trial = *n_passes;
		memcpy(trial, pass, g->n * sizeof *trial);
		disturb(s, trial, &n_trial, round);
		uint64_t found = n_trial <= 2 * *n_passes ? polish(s, trial, &n_trial) : UINT64_MAX;
		if (n_trial > *n_passes || found >= best)
			continue;
		best = found;
		*n_passes = n_trial;
		memcpy(pass, trial, g->n * sizeof *trial);
	}
}

// Computes a lower bound. The messages of a channel are all in different passes, so the k longest passes last at least
// as long as the k-th longest message of any channel. seen: zeroed, an element per channel.
static uint64_t lower_bound(struct search *s, uint32_t *seen)
{
	uint64_t bound = 0;
	uint32_t rank = 0;
	memcpy(s->key, s->weight, s->g->n * sizeof *s->key);
	sort(s);
	for (size_t i = 0; i < s->g->n; i++)
		for (size_t k = s->g->at[s->order[i]]; k < s->g->at[s->order[i] + 1]; k++)
			if (++seen[s->g->hop[k]] > rank) {
				rank++;
				bound += s->weight[s->order[i]];
			}
	return bound;
}

// Finds other passes, at most as many, with a smaller sum of the weights of their heaviest messages. Weights are below
// 2^40. Deterministic. Returns false if memory runs out.
static bool balance(uint32_t *pass, uint32_t *n_passes, struct loom_conflicts *g, const uint64_t *weight)
{
	struct search s = {.g = g, .weight = weight};
	size_t n = g->n + 1;
	uint32_t *trial, *seen;
	LOOM_ARRAY(&s.arrays, trial, n);
	LOOM_ARRAY(&s.arrays, seen, g->n_channels + 1);
	LOOM_ARRAY(&s.arrays, s.order, n);
	LOOM_ARRAY(&s.arrays, s.by_place, n);
	LOOM_ARRAY(&s.arrays, s.key, n);
	LOOM_ARRAY(&s.arrays, s.longest, n);
	bool done = !s.arrays.is_short;
	loom_rng_init(&s.rng, 1);
	if (done && *n_passes > 1)
		run(&s, pass, n_passes, trial, lower_bound(&s, seen));
	loom_arrays_free(&s.arrays);
	return done;
}

// --- Messages of a plan

bool loom_plan_balance(uint32_t *pass, uint32_t *n_passes, struct loom_conflicts *g, const struct loom_plan *plan,
                       size_t first)
{
	bool differ = false, done = true;
	uint64_t *cycles = malloc((g->n + 1) * sizeof *cycles);
	for (size_t i = 0; cycles && i < g->n; i++) {
		cycles[i] = loom_plan_message_cycles(plan, &plan->messages[first + i]);
		differ = differ || cycles[i] != cycles[0];
	}
	if (differ)
		done = balance(pass, n_passes, g, cycles);
	free(cycles);
	return cycles && done;
}

int loom_plan_balance_mixed(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan, size_t first, size_t n,
                            struct loom_err *err)
{
	struct loom_conflicts g = {0};
	bool differ = false, done = true;
	for (size_t i = 1; i < n; i++)
		differ = differ || plan->messages[first + i].flits != plan->messages[first].flits;
	if (differ)
		done = loom_route_conflicts_make(&g, plan, first, n) &&
		       loom_plan_balance(pass, n_passes, &g, plan, first);
	loom_conflicts_free(&g);
	return done ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
}
