// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages with the same numbers of steps, in any order of dimensions, have equally many routes. This number is
// computed once for all of them.
#include "plan/routes/freedom.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/room.h"

#define NONE UINT32_MAX

// A number of any size: the lowest 32 bits come first, and the highest word is not 0.
struct number {
	uint32_t *word; // owned
	size_t n_words, room;
};

// All messages with the same steps.
struct kind {
	uint32_t *steps; // owned: n_axes of them, ascending
	unsigned n_axes;
	struct number freedom;
	uint32_t rank; // its place among all kinds by freedom; equal numbers share it
	uint32_t next; // the next kind in the same bucket
};

struct kinds {
	struct kind *kind; // owned
	uint32_t *bucket;  // owned, n_buckets: the first kind
	uint32_t n, n_buckets;
	size_t room;
};

// --- Numbers ---------------------------------------------------------------------------------------------------------

static bool multiply(struct number *x, uint32_t by)
{
	uint64_t carry = 0;
	for (size_t i = 0; i < x->n_words; i++) {
		carry += (uint64_t)x->word[i] * by;
		x->word[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry == 0)
		return true;
	if (!LOOM_ROOM(x->word, x->room, x->n_words + 1))
		return false;
	x->word[x->n_words++] = (uint32_t)carry;
	return true;
}

// Divides x by a divisor of it.
static void divide(struct number *x, uint32_t by)
{
	uint64_t rest = 0;
	for (size_t i = x->n_words; i-- > 0;) {
		rest = rest << 32 | x->word[i];
		x->word[i] = (uint32_t)(rest / by);
		rest %= by;
	}
	while (x->n_words > 1 && x->word[x->n_words - 1] == 0)
		x->n_words--;
}

static int compare(const struct number *x, const struct number *y)
{
	if (x->n_words != y->n_words)
		return x->n_words < y->n_words ? -1 : 1;
	for (size_t i = x->n_words; i-- > 0;)
		if (x->word[i] != y->word[i])
			return x->word[i] < y->word[i] ? -1 : 1;
	return 0;
}

// Computes the multinomial coefficient. The axis with the most steps alone has one order. For step j of another axis
// the number is multiplied by all steps so far and divided by j, which leaves a whole number of routes.
static bool count_routes(struct kind *k)
{
	struct number *x = &k->freedom;
	x->room = 4;
	x->word = malloc(x->room * sizeof *x->word);
	if (!x->word)
		return false;
	x->word[0] = 1;
	x->n_words = 1;
	uint32_t total = k->n_axes ? k->steps[k->n_axes - 1] : 0;
	for (unsigned a = k->n_axes; a-- > 1;)
		for (uint32_t j = 1; j <= k->steps[a - 1]; j++) {
			if (!multiply(x, ++total))
				return false;
			divide(x, j);
		}
	return true;
}

// --- Kinds -----------------------------------------------------------------------------------------------------------

static void sorted_steps(uint32_t out[LOOM_DIMS_MAX], const struct loom_box *box)
{
	for (unsigned a = 0; a < box->n_axes; a++) {
		unsigned i = a;
		for (; i > 0 && out[i - 1] > box->steps[a]; i--)
			out[i] = out[i - 1];
		out[i] = box->steps[a];
	}
}

static uint32_t bucket_of(const struct kinds *kinds, const uint32_t *steps, unsigned n_axes)
{
	uint32_t hash = 2166136261u;
	for (unsigned a = 0; a < n_axes; a++)
		hash = (hash ^ steps[a]) * 16777619u;
	return (hash ^ hash >> 15) % kinds->n_buckets;
}

static bool add_kind(struct kinds *kinds, const uint32_t *steps, unsigned n_axes, uint32_t bucket)
{
	if (!LOOM_ROOM(kinds->kind, kinds->room, kinds->n + 1))
		return false;
	struct kind *k = &kinds->kind[kinds->n];
	*k = (struct kind){.n_axes = n_axes, .next = kinds->bucket[bucket]};
	k->steps = malloc((n_axes + 1) * sizeof *k->steps);
	if (!k->steps)
		return false;
	memcpy(k->steps, steps, n_axes * sizeof *steps);
	kinds->bucket[bucket] = kinds->n++;
	return count_routes(k);
}

// Returns the kind of a box, or NONE if memory runs out.
static uint32_t kind_of(struct kinds *kinds, const struct loom_box *box)
{
	uint32_t steps[LOOM_DIMS_MAX];
	sorted_steps(steps, box);
	uint32_t bucket = bucket_of(kinds, steps, box->n_axes), i = kinds->bucket[bucket];
	while (i != NONE && (kinds->kind[i].n_axes != box->n_axes ||
	                     memcmp(kinds->kind[i].steps, steps, box->n_axes * sizeof *steps) != 0))
		i = kinds->kind[i].next;
	if (i != NONE)
		return i;
	return add_kind(kinds, steps, box->n_axes, bucket) ? kinds->n - 1 : NONE;
}

static int compare_kinds(const void *a, const void *b)
{
	const struct kind *const *x = a, *const *y = b;
	return compare(&(*x)->freedom, &(*y)->freedom);
}

// Ranks the kinds. Returns the number of ranks, or 0 if memory runs out.
static uint32_t rank_kinds(struct kinds *kinds)
{
	uint32_t rank = 0;
	struct kind **sorted = malloc(kinds->n * sizeof *sorted);
	if (!sorted)
		return 0;
	for (uint32_t i = 0; i < kinds->n; i++)
		sorted[i] = &kinds->kind[i];
	qsort(sorted, kinds->n, sizeof(struct kind *), compare_kinds);
	for (uint32_t i = 0; i < kinds->n; i++) {
		rank += i > 0 && compare_kinds(&sorted[i - 1], &sorted[i]) != 0;
		sorted[i]->rank = rank;
	}
	free(sorted);
	return rank + 1;
}

static void free_kinds(struct kinds *kinds)
{
	for (uint32_t i = 0; i < kinds->n; i++) {
		free(kinds->kind[i].steps);
		free(kinds->kind[i].freedom.word);
	}
	free(kinds->kind);
	free(kinds->bucket);
}

// Sorts messages by rank; equal ones keep their order. before[r]: messages of a lower rank than r.
static bool sort_messages(uint32_t *order, const uint32_t *kind, size_t n, struct kinds *kinds)
{
	uint32_t n_ranks = rank_kinds(kinds);
	size_t *before = calloc((size_t)n_ranks + 1, sizeof *before);
	bool done = n_ranks > 0 && before;
	for (size_t i = 0; done && i < n; i++)
		before[kinds->kind[kind[i]].rank + 1]++;
	for (uint32_t r = 1; done && r <= n_ranks; r++)
		before[r] += before[r - 1];
	for (size_t i = 0; done && i < n; i++)
		order[before[kinds->kind[kind[i]].rank]++] = (uint32_t)i;
	free(before);
	return done;
}

// --- Without coordinates ---------------------------------------------------------------------------------------------

struct counted {
	uint64_t n_routes;
	uint32_t message;
};

static int compare_counted(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;
	const int by = loom_order(x->n_routes, y->n_routes);
	return by ? by : loom_order(x->message, y->message);
}

static int order_counted(uint32_t *order, struct loom_region *region, const struct loom_message *messages, size_t n,
                         struct loom_err *err)
{
	struct counted *all = malloc((n + 1) * sizeof *all);
	if (!all)
		return loom_fail(err, LOOM_ENOMEM, "out of memory to put %zu messages in order", n);
	for (size_t i = 0; i < n; i++) {
		loom_region_set(region, &messages[i], 0);
		all[i] = (struct counted){loom_distances_count(&region->distances), (uint32_t)i};
	}
	qsort(all, n, sizeof *all, compare_counted);
	for (size_t i = 0; i < n; i++)
		order[i] = all[i].message;
	free(all);
	return 0;
}

int loom_freedom_order(uint32_t *order, struct loom_region *region, const struct loom_message *messages, size_t n,
                       struct loom_err *err)
{
	if (!region->by_box)
		return order_counted(order, region, messages, n, err);
	struct kinds kinds = {.n_buckets = 4096};
	uint32_t *kind = malloc((n + 1) * sizeof *kind);
	kinds.bucket = malloc(kinds.n_buckets * sizeof *kinds.bucket);
	bool done = kind && kinds.bucket;
	for (uint32_t i = 0; done && i < kinds.n_buckets; i++)
		kinds.bucket[i] = NONE;
	for (size_t i = 0; done && i < n; i++) {
		loom_region_set(region, &messages[i], 0);
		kind[i] = kind_of(&kinds, &region->box);
		done = kind[i] != NONE;
	}
	done = done && (n == 0 || sort_messages(order, kind, n, &kinds));
	free_kinds(&kinds);
	free(kind);
	return done ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory to put %zu messages in order", n);
}
