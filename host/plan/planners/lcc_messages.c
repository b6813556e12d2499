// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts the dimensions that the messages of a linear-complement communication must cross: x + y = (A + I) x + b for
// all x, whatever the order of the address bits.
#include "plan/planners/lcc_messages.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

static void plus_identity(struct loom_gf2 *out, const struct loom_gf2 *a)
{
	*out = *a;
	for (unsigned i = 0; i < a->n; i++)
		out->row[i] ^= loom_bit(i);
}

// Returns the number of solutions of (A + I) x = b: 0 or 2^(n - rank).
uint64_t loom_lcc_to_self(const struct loom_lcc *lcc)
{
	struct loom_gf2 columns;
	uint64_t basis[LOOM_GF2_MAX] = {0}, v = lcc->b;
	unsigned n = lcc->a.n, rank = 0;
	assert(n < 64);
	plus_identity(&columns, &lcc->a);
	loom_gf2_transpose(&columns, &columns);
	for (unsigned k = 0; k <= n; k++) { // the columns of A+I, then b, which must be a sum of them
		v = k < n ? columns.row[k] : lcc->b;
		while (v && basis[loom_lowest_bit(v)])
			v ^= basis[loom_lowest_bit(v)];
		if (v && k < n) {
			basis[loom_lowest_bit(v)] = v;
			rank++;
		}
	}
	return v ? 0 : loom_bit(n - rank);
}

// Counts the messages that cross each dimension. A sum of some bits of x is 1 for half of all x, unless it is the empty
// sum.
void loom_lcc_crossings(uint64_t out[LOOM_GF2_MAX], const struct loom_lcc *lcc)
{
	struct loom_gf2 d;
	unsigned n = lcc->a.n;
	assert(n < 64);
	plus_identity(&d, &lcc->a);
	for (unsigned i = 0; i < n; i++)
		out[i] = d.row[i] ? loom_bit(n - 1) : (lcc->b >> i & 1) * loom_bit(n);
}

// Finds the largest number of ones in a word of a coset of a linear code: b + the span of the columns. If the code is
// small, the function looks at all its words. Otherwise there are few checks, and it searches their results for the
// word with the fewest zeros.

#define FEW 16 // 2^FEW words, or 2^FEW results of checks

// A basis of the columns, and the checks. A check is a set of rows whose sum is zero, so each word of the code has an
// even number of ones in it.
struct code {
	unsigned n, rank, n_checks;
	uint64_t column[LOOM_GF2_MAX], check[LOOM_GF2_MAX];
};

static void make_code(struct code *out, const struct loom_gf2 *d)
{
	struct loom_gf2 columns;
	uint64_t basis[LOOM_GF2_MAX] = {0}, row_basis[LOOM_GF2_MAX] = {0}, made_of[LOOM_GF2_MAX] = {0};
	*out = (struct code){.n = d->n};
	loom_gf2_transpose(&columns, d);
	for (unsigned k = 0; k < d->n; k++) {
		uint64_t v = columns.row[k];
		while (v && basis[loom_lowest_bit(v)])
			v ^= basis[loom_lowest_bit(v)];
		if (v)
			basis[loom_lowest_bit(v)] = out->column[out->rank++] = v;
	}
	for (unsigned i = 0; i < d->n; i++) {
		uint64_t v = d->row[i], sum = loom_bit(i);
		while (v && row_basis[loom_lowest_bit(v)]) {
			sum ^= made_of[loom_lowest_bit(v)];
			v ^= row_basis[loom_lowest_bit(v)];
		}
		if (v) {
			row_basis[loom_lowest_bit(v)] = v;
			made_of[loom_lowest_bit(v)] = sum;
		} else {
			out->check[out->n_checks++] = sum;
		}
	}
	assert(out->rank + out->n_checks == out->n);
}

static unsigned ones(uint64_t v)
{
	return (unsigned)__builtin_popcountll(v);
}

static unsigned most_ones_of_words(const struct code *c, uint64_t word)
{
	unsigned most = ones(word);
	for (uint64_t i = 1; i < loom_bit(c->rank); i++) { // in the order of a Gray code, so that one column changes
		word ^= c->column[loom_lowest_bit(i)];
		most = ones(word) > most ? ones(word) : most;
	}
	return most;
}

static uint32_t results(const struct code *c, uint64_t word)
{
	uint32_t r = 0;
	for (unsigned k = 0; k < c->n_checks; k++)
		r |= (ones(c->check[k] & word) & 1) << k;
	return r;
}

// Finds the fewest places in which a word of the coset has zeros. These places together must change the checks from
// their results for all ones to those of the coset. Searches breadth first from the empty set, a place at a time.
// Returns -1 if memory runs out.
static int fewest_zeros(const struct code *c, uint64_t word)
{
	uint32_t wanted = results(c, word) ^ results(c, loom_gf2_mask(c->n)), n = UINT32_C(1) << c->n_checks;
	uint32_t of_place[LOOM_GF2_MAX], *queue = malloc(n * sizeof *queue), head = 0, tail = 0;
	int8_t *zeros = malloc(n);
	int found = -1;
	for (unsigned k = 0; k < c->n; k++)
		of_place[k] = results(c, loom_bit(k));
	if (queue && zeros) {
		memset(zeros, -1, n);
		zeros[0] = 0;
		for (queue[tail++] = 0; head < tail && zeros[wanted] < 0; head++)
			for (unsigned k = 0; k < c->n; k++) {
				uint32_t next = queue[head] ^ of_place[k];
				if (zeros[next] >= 0)
					continue;
				zeros[next] = (int8_t)(zeros[queue[head]] + 1);
				queue[tail++] = next;
			}
		found = zeros[wanted];
	}
	free(queue);
	free(zeros);
	return found;
}

int loom_lcc_farthest(unsigned *out, const struct loom_lcc *lcc, struct loom_err *err)
{
	struct loom_gf2 d;
	struct code c;
	assert(lcc->a.n <= 2 * FEW);
	plus_identity(&d, &lcc->a);
	make_code(&c, &d);
	if (c.rank <= FEW) {
		*out = most_ones_of_words(&c, lcc->b);
		return 0;
	}
	int zeros = fewest_zeros(&c, lcc->b);
	if (zeros < 0)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the farthest message of a communication");
	*out = c.n - (unsigned)zeros;
	return 0;
}
