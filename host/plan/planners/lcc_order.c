// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Finds the orders of address bits that relabel a cube's nodes for one linear-complement communication.
#include <string.h>

#include <flitloom/math/lcc.h>

#include "base/numbers.h"

// Exchanges rows i and j and columns i and j of v.
static void exchange(struct loom_gf2 *v, unsigned i, unsigned j)
{
	uint64_t row = v->row[i];
	v->row[i] = v->row[j];
	v->row[j] = row;
	for (unsigned k = 0; k < v->n; k++) {
		uint64_t differ = (v->row[k] >> i ^ v->row[k] >> j) & 1;
		v->row[k] ^= differ << i | differ << j;
	}
}

// The algorithm of Fig. 3. Invariant before step i: the i marked rows of v are unit vectors within columns 0..i-1,
// every other row is zero there, and the marked rows are among rows 0..i. So an unmarked row with a 1 in column i is a
// new one.
int loom_lcc_optimize_permutation(unsigned order[LOOM_GF2_MAX], const struct loom_gf2 *a, struct loom_err *err)
{
	struct loom_gf2 v = *a;
	uint64_t marked = 0;
	unsigned n = a->n, r[LOOM_GF2_MAX];
	for (unsigned i = 0; i < n; i++)
		r[i] = i;
	for (unsigned i = 0; i < n; i++) {
		unsigned j = 0;
		while (j < n && (!(v.row[j] >> i & 1) || marked >> j & 1))
			j++;
		if (j == n)
			return loom_fail(err, LOOM_EINPUT,
			                 "the matrix is singular (rank %u of %u): not a permutation; make it a gather "
			                 "or a scatter",
			                 loom_gf2_rank(a), n);
		if (j > i + 1) {
			exchange(&v, i + 1, j);
			unsigned moved = r[i + 1];
			r[i + 1] = r[j];
			r[j] = moved;
			j = i + 1; // rows above i are unmarked, so the marks need no exchange
		}
		uint64_t pivot = v.row[j];
		for (unsigned k = 0; k < n; k++)
			v.row[k] ^= pivot & -(v.row[k] >> i & 1);
		v.row[j] = pivot;
		marked |= loom_bit(j);
	}
	memcpy(order, r, n * sizeof r[0]);
	return 0;
}

// The matrix A[S; S], its columns reduced: vector k is the sum of the columns in sum[k], and value[k] is that sum. If
// it is not zero, row pivot[k] (one bit) is in no other vector. If it is zero, pivot[k] is 0, and such sums span the
// matrix's null space. The n vectors are always a basis of the sums of S.
struct reduced {
	unsigned n;
	uint64_t sum[LOOM_GF2_MAX], value[LOOM_GF2_MAX], pivot[LOOM_GF2_MAX];
};

// Gives vector k a pivot, and removes that row from all other vectors.
static void settle(struct reduced *v, unsigned k)
{
	uint64_t value = v->value[k], sum = v->sum[k], pivot = value & -value;
	for (unsigned i = 0; i < v->n; i++) {
		uint64_t has = -(uint64_t)((v->value[i] & pivot) != 0);
		v->value[i] ^= value & has;
		v->sum[i] ^= sum & has;
	}
	v->value[k] = value;
	v->sum[k] = sum;
	v->pivot[k] = pivot;
}

static void reduce(struct reduced *v, const struct loom_gf2 *a)
{
	struct loom_gf2 columns;
	loom_gf2_transpose(&columns, a);
	v->n = a->n;
	for (unsigned i = 0; i < v->n; i++) {
		v->value[i] = columns.row[i];
		v->sum[i] = loom_bit(i);
	}
	for (unsigned i = 0; i < v->n; i++)
		settle(v, i);
}

// Removes column j. Adds one vector whose sum has j (of value zero, if possible) to all vectors that have j, itself
// included, and then drops it.
static void remove_column(struct reduced *v, uint64_t j)
{
	unsigned k = v->n;
	for (unsigned i = 0; i < v->n; i++)
		if (v->sum[i] & j && (k == v->n || !v->pivot[i]))
			k = i;
	uint64_t value = v->value[k], sum = v->sum[k];
	for (unsigned i = 0; i < v->n; i++) {
		uint64_t has = -(uint64_t)((v->sum[i] & j) != 0);
		v->value[i] ^= value & has;
		v->sum[i] ^= sum & has;
	}
	v->n--;
	v->value[k] = v->value[v->n];
	v->sum[k] = v->sum[v->n];
	v->pivot[k] = v->pivot[v->n];
}

static void remove_row(struct reduced *v, uint64_t j)
{
	unsigned k = v->n;
	for (unsigned i = 0; i < v->n; i++) {
		v->value[i] &= ~j;
		if (v->pivot[i] == j)
			k = i;
	}
	if (k < v->n)
		settle(v, k);
}

// Picks the order. The column placed last (first for a scatter) should be a sum of other columns, if possible, because
// the rank then stays the same. Of several such columns it takes the one nearest to that end, so that bits which need
// not move stay.
void loom_lcc_optimize(unsigned order[LOOM_GF2_MAX], const struct loom_lcc *lcc)
{
	unsigned n = lcc->a.n;
	bool scatter = lcc->kind == LOOM_LCC_SCATTER;
	uint64_t set = loom_gf2_mask(n);
	struct reduced v;
	reduce(&v, &lcc->a);
	for (unsigned k = n; k > 0; k--) {
		uint64_t will_do = 0;
		for (unsigned i = 0; i < v.n; i++)
			will_do |= v.sum[i] & -(uint64_t)(v.pivot[i] == 0);
		if (!will_do)
			will_do = set;
		unsigned j = (unsigned)(scatter ? __builtin_ctzll(will_do) : 63 - __builtin_clzll(will_do));
		order[scatter ? n - k : k - 1] = j;
		set &= ~loom_bit(j);
		remove_column(&v, loom_bit(j));
		remove_row(&v, loom_bit(j));
	}
}
