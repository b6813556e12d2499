// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/pairs.h"

#include <stdlib.h>

#include "base/arrays.h"
#include "base/numbers.h"

struct loom_play_pairs {
	size_t n_pairs;
	size_t *pair_of; // by message
	size_t *first;   // by pair: the index of its first tail in `tail`
	size_t *n;       // by pair: how many messages have arrived
	uint64_t *tail;
	struct loom_arrays arrays; // owns the arrays
};

// A message with its sender and receiver.
struct ends {
	uint32_t source, destination;
	size_t message;
};

static int by_ends(const void *a, const void *b)
{
	const struct ends *x = a, *y = b;
	const int by = loom_order(x->source, y->source);
	return by ? by : loom_order(x->destination, y->destination);
}

// Numbers the pairs, in the order of `ends`, which is sorted by sender and receiver.
static void number_pairs(struct loom_play_pairs *pairs, const struct ends *ends, size_t n)
{
	size_t n_pairs = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || by_ends(&ends[i - 1], &ends[i]) != 0)
			pairs->first[n_pairs++] = i;
		pairs->pair_of[ends[i].message] = n_pairs - 1;
	}
	pairs->n_pairs = n_pairs;
}

int loom_pairs_make(struct loom_play_pairs **out, const struct loom_plan *plan, struct loom_err *err)
{
	const size_t n = plan->n_messages;
	*out = NULL;
	if (!plan->timing)
		return 0;
	struct ends *ends = calloc(n + 1, sizeof *ends);
	struct loom_play_pairs *pairs = calloc(1, sizeof *pairs);
	if (pairs) {
		LOOM_ARRAY(&pairs->arrays, pairs->pair_of, n);
		LOOM_ARRAY(&pairs->arrays, pairs->first, n);
		LOOM_ARRAY(&pairs->arrays, pairs->n, n);
		LOOM_ARRAY(&pairs->arrays, pairs->tail, n);
	}
	if (!ends || !pairs || pairs->arrays.is_short) {
		free(ends);
		loom_pairs_free(pairs);
		return loom_fail(err, LOOM_ENOMEM, "no memory for the waits of %zu messages", n);
	}
	for (size_t i = 0; i < n; i++)
		ends[i] = (struct ends){plan->messages[i].source, plan->messages[i].destination, i};
	qsort(ends, n, sizeof *ends, by_ends);
	number_pairs(pairs, ends, n);
	free(ends);
	*out = pairs;
	return 0;
}

void loom_pairs_free(struct loom_play_pairs *pairs)
{
	if (!pairs)
		return;
	loom_arrays_free(&pairs->arrays);
	free(pairs);
}

void loom_pairs_forget(struct loom_play_pairs *pairs)
{
	for (size_t i = 0; pairs && i < pairs->n_pairs; i++)
		pairs->n[i] = 0;
}

void loom_pairs_arrive(struct loom_play_pairs *pairs, size_t i, uint64_t tail)
{
	if (!pairs)
		return;
	const size_t pair = pairs->pair_of[i];
	pairs->tail[pairs->first[pair] + pairs->n[pair]++] = tail;
}

bool loom_pairs_tail(uint64_t *out, const struct loom_play_pairs *pairs, size_t i, uint64_t k)
{
	const size_t pair = pairs->pair_of[i];
	if (k == 0 || k > pairs->n[pair])
		return false;
	*out = pairs->tail[pairs->first[pair] + k - 1];
	return true;
}
