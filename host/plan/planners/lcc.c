// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/lcc.h>

#include <assert.h>
#include <string.h>

#include "base/numbers.h"
#include "plan/planners/lcc_messages.h"

static bool is_silent(const struct loom_lcc *lcc)
{
	struct loom_gf2 identity;
	loom_gf2_identity(&identity, lcc->a.n);
	return !lcc->b && !memcmp(identity.row, lcc->a.row, sizeof identity.row);
}

static void reorder(struct loom_lcc *out, const struct loom_lcc *lcc, const unsigned *order)
{
	out->kind = lcc->kind;
	out->b = loom_gf2_reorder_vector(lcc->b, lcc->a.n, order);
	loom_gf2_reorder(&out->a, &lcc->a, order);
}

// Computes T_i = 2^(i - rank A[0..i ; 0..i-1]). Each column is reduced by the columns before it until its lowest
// element is one that no earlier column has. The rank of any upper left corner is then the number of those elements
// inside it.
static void gather_contention(uint64_t *out, const struct loom_gf2 *a, uint64_t b)
{
	struct loom_gf2 columns;
	uint64_t basis[LOOM_GF2_MAX] = {0}, pivots = 0;
	loom_gf2_transpose(&columns, a);
	for (unsigned i = 0; i < a->n; i++) {
		unsigned rank = (unsigned)__builtin_popcountll(pivots & loom_gf2_mask(i + 1));
		out[i] = a->row[i] == loom_bit(i) && !(b >> i & 1) ? 0 : loom_bit(i - rank);
		uint64_t v = columns.row[i];
		while (v && basis[loom_lowest_bit(v)])
			v ^= basis[loom_lowest_bit(v)];
		if (v) {
			basis[loom_lowest_bit(v)] = v;
			pivots |= v & -v;
		}
	}
}

void loom_lcc_contention(uint64_t out[LOOM_GF2_MAX], const struct loom_lcc *lcc)
{
	unsigned n = lcc->a.n, backwards[LOOM_GF2_MAX] = {0};
	if (lcc->kind != LOOM_LCC_SCATTER) {
		gather_contention(out, &lcc->a, lcc->b);
		return;
	}
	// The formula of a scatter is that of a gather with rows, columns and dimensions counted from the other end.
	struct loom_lcc mirror;
	uint64_t t[LOOM_GF2_MAX];
	for (unsigned i = 0; i < n; i++)
		backwards[i] = n - 1 - i;
	reorder(&mirror, lcc, backwards);
	gather_contention(t, &mirror.a, mirror.b);
	for (unsigned i = 0; i < n; i++)
		out[i] = t[n - 1 - i];
}

uint64_t loom_lcc_contention_under(const struct loom_lcc *lcc, const unsigned *order)
{
	struct loom_lcc placed;
	uint64_t t[LOOM_GF2_MAX], largest = 0;
	reorder(&placed, lcc, order);
	loom_lcc_contention(t, &placed);
	for (unsigned i = 0; i < lcc->a.n; i++)
		largest = t[i] > largest ? t[i] : largest;
	return largest;
}

uint64_t loom_lcc_optimum(const struct loom_lcc *lcc)
{
	unsigned rank = loom_gf2_rank(&lcc->a);
	if (is_silent(lcc))
		return 0;
	return rank == lcc->a.n ? 1 : loom_bit(lcc->a.n - 1 - rank);
}

void loom_lcc_theory(uint32_t *out, const struct loom_lcc *lcc, const unsigned *order)
{
	struct loom_lcc placed;
	uint64_t t[LOOM_GF2_MAX];
	unsigned n = lcc->a.n, rank = loom_gf2_rank(&lcc->a);
	assert(n <= 31);
	reorder(&placed, lcc, order);
	loom_lcc_contention(t, &placed);
	for (unsigned i = 0; i < n; i++)
		out[i] = (uint32_t)t[i];

	// At the end where messages meet there are 2^rank nodes, with 2^(n-rank) messages each. A message to the sender
	// itself uses no channel, so a node that has one carries one less. So all loads are equal only if all of these
	// nodes have such a message, or none.
	uint64_t self = loom_lcc_to_self(lcc);
	uint32_t one = is_silent(lcc) ? 0 : 1, many = (uint32_t)loom_bit(n - rank);
	if (rank == n)
		many = one;
	else if (self)
		many = self == loom_bit(rank) ? many - 1 : UINT32_MAX;
	out[n] = lcc->kind == LOOM_LCC_SCATTER ? many : one;
	out[n + 1] = lcc->kind == LOOM_LCC_SCATTER ? one : many;
}
