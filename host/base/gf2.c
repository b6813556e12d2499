// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/gf2.h>

#include <assert.h>

#include "base/numbers.h"

uint64_t loom_gf2_mask(unsigned n)
{
	assert(n <= 64);
	return n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

void loom_gf2_identity(struct loom_gf2 *out, unsigned n)
{
	assert(n >= 1 && n <= LOOM_GF2_MAX);
	*out = (struct loom_gf2){.n = n};
	for (unsigned i = 0; i < n; i++)
		out->row[i] = (uint64_t)1 << i;
}

bool loom_gf2_is_valid(const struct loom_gf2 *a)
{
	if (a->n < 1 || a->n > LOOM_GF2_MAX)
		return false;
	for (unsigned i = 0; i < LOOM_GF2_MAX; i++)
		if (a->row[i] & ~(i < a->n ? loom_gf2_mask(a->n) : 0))
			return false;
	return true;
}

uint64_t loom_gf2_apply(const struct loom_gf2 *a, uint64_t x)
{
	uint64_t y = 0;
	for (unsigned i = 0; i < a->n; i++)
		y |= (uint64_t)__builtin_parityll(a->row[i] & x) << i;
	return y;
}

void loom_gf2_product(struct loom_gf2 *out, const struct loom_gf2 *a, const struct loom_gf2 *b)
{
	assert(a->n == b->n);
	struct loom_gf2 c = {.n = a->n};
	for (unsigned i = 0; i < a->n; i++)
		for (uint64_t rest = a->row[i]; rest; rest &= rest - 1)
			c.row[i] ^= b->row[loom_lowest_bit(rest)];
	*out = c;
}

void loom_gf2_transpose(struct loom_gf2 *out, const struct loom_gf2 *a)
{
	struct loom_gf2 t = {.n = a->n};
	for (unsigned i = 0; i < a->n; i++)
		for (uint64_t rest = a->row[i]; rest; rest &= rest - 1)
			t.row[loom_lowest_bit(rest)] |= (uint64_t)1 << i;
	*out = t;
}

unsigned loom_gf2_rank_of(const struct loom_gf2 *a, uint64_t rows, uint64_t columns)
{
	uint64_t basis[LOOM_GF2_MAX] = {0}; // basis[p]: a vector whose lowest element is p, or 0
	unsigned rank = 0;
	for (rows &= loom_gf2_mask(a->n); rows; rows &= rows - 1) {
		uint64_t v = a->row[loom_lowest_bit(rows)] & columns;
		while (v && basis[loom_lowest_bit(v)])
			v ^= basis[loom_lowest_bit(v)];
		if (v) {
			basis[loom_lowest_bit(v)] = v;
			rank++;
		}
	}
	return rank;
}

unsigned loom_gf2_rank(const struct loom_gf2 *a)
{
	return loom_gf2_rank_of(a, UINT64_MAX, UINT64_MAX);
}

bool loom_gf2_inverse(struct loom_gf2 *out, const struct loom_gf2 *a)
{
	struct loom_gf2 left = *a, right;
	loom_gf2_identity(&right, a->n);
	for (unsigned i = 0; i < a->n; i++) {
		unsigned p = i;
		while (p < a->n && !(left.row[p] >> i & 1))
			p++;
		if (p == a->n)
			return false;
		uint64_t l = left.row[p], r = right.row[p];
		left.row[p] = left.row[i];
		right.row[p] = right.row[i];
		left.row[i] = l;
		right.row[i] = r;
		for (unsigned k = 0; k < a->n; k++)
			if (k != i && left.row[k] >> i & 1) {
				left.row[k] ^= l;
				right.row[k] ^= r;
			}
	}
	*out = right;
	return true;
}

void loom_gf2_reorder(struct loom_gf2 *out, const struct loom_gf2 *a, const unsigned *order)
{
	struct loom_gf2 d = {.n = a->n};
	for (unsigned i = 0; i < a->n; i++)
		d.row[i] = loom_gf2_reorder_vector(a->row[order[i]], a->n, order);
	*out = d;
}

uint64_t loom_gf2_reorder_vector(uint64_t x, unsigned n, const unsigned *order)
{
	uint64_t y = 0;
	for (unsigned d = 0; d < n; d++)
		y |= (x >> order[d] & 1) << d;
	return y;
}
