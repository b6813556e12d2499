// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "lcc_sets.h"

#include <string.h>

#include "base/rng.h"

// Any kind and rank: entries at random, or a permutation of the bits with some rows lost.
struct loom_lcc random_lcc(unsigned n, uint64_t *state)
{
	struct loom_lcc lcc = {.kind = (enum loom_lcc_kind)(loom_splitmix64(state) % 3), .a.n = n};
	uint64_t flavour = loom_splitmix64(state),
		 idle = loom_splitmix64(state) & loom_splitmix64(state) & loom_splitmix64(state);
	if (flavour & 1)
		lcc.b = loom_splitmix64(state) & loom_gf2_mask(n);
	if (flavour & 2) {
		loom_gf2_identity(&lcc.a, n);
		for (unsigned i = n; i > 1; i--) {
			unsigned j = (unsigned)(loom_splitmix64(state) % i);
			uint64_t row = lcc.a.row[j];
			lcc.a.row[j] = lcc.a.row[i - 1];
			lcc.a.row[i - 1] = row;
		}
	} else {
		for (unsigned i = 0; i < n; i++)
			lcc.a.row[i] = loom_splitmix64(state) & (flavour & 4 ? loom_splitmix64(state) : UINT64_MAX) &
			               loom_gf2_mask(n);
	}
	for (unsigned i = 0; i < n; i++) {
		if (flavour & 8 && loom_splitmix64(state) % 4 == 0)
			lcc.a.row[i] = 0;
		if (flavour & 16 && idle >> i & 1) {
			lcc.a.row[i] = (uint64_t)1 << i;
			lcc.b &= ~lcc.a.row[i];
		}
	}
	if (lcc.kind == LOOM_LCC_PERMUTATION && loom_gf2_rank(&lcc.a) < n)
		lcc.kind = LOOM_LCC_GATHER;
	return lcc;
}

struct loom_lcc random_lcc_of(enum loom_lcc_kind kind, unsigned n, uint64_t *state)
{
	struct loom_lcc lcc = {.kind = kind, .a.n = n, .b = loom_splitmix64(state) & loom_gf2_mask(n)};
	do {
		uint64_t columns =
			kind == LOOM_LCC_PERMUTATION ? UINT64_MAX : loom_splitmix64(state) | loom_splitmix64(state);
		uint64_t idle = loom_splitmix64(state) & loom_splitmix64(state) & loom_splitmix64(state);
		for (unsigned i = 0; i < n; i++) {
			lcc.a.row[i] = loom_splitmix64(state) & columns & loom_gf2_mask(n);
			if (kind != LOOM_LCC_PERMUTATION && i > 0 && loom_splitmix64(state) % 4 == 0)
				lcc.a.row[i] = lcc.a.row[loom_splitmix64(state) % i];
			if (idle >> i & 1) {
				lcc.a.row[i] = (uint64_t)1 << i;
				lcc.b &= ~lcc.a.row[i];
			}
		}
	} while (kind == LOOM_LCC_PERMUTATION && loom_gf2_rank(&lcc.a) < n);
	return lcc;
}

unsigned random_set(struct loom_lcc *out, unsigned n, unsigned m_max, uint64_t *state)
{
	unsigned m = 1 + (unsigned)(loom_splitmix64(state) % m_max);
	for (unsigned r = 0; r < m; r++) {
		out[r] = random_lcc(n, state);
		if (r > 0 && loom_splitmix64(state) % 8 == 0)
			out[r] = out[r - 1]; // twins count twice
	}
	return m;
}

void named_three(struct loom_lcc out[3], unsigned n)
{
	memset(out, 0, 3 * sizeof *out);
	for (unsigned r = 0; r < 3; r++)
		out[r].a.n = n;
	for (unsigned i = 0; i < n; i++) {
		out[0].a.row[i] = (uint64_t)1 << (i + n / 2) % n;
		out[1].a.row[i] = out[2].a.row[i] = (uint64_t)1 << (n - 1 - i);
	}
	out[2].b = loom_gf2_mask(n);
}
