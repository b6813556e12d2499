// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LCC_H
#define LOOM_LCC_H

#include <flitloom/api.h>
#include <flitloom/pattern.h>

LOOM_API_BEGIN

// Mathematics of one linear-complement communication on the binary n-cube under e-cube routing ([Hou01], section 3
// and 4, with the corrections of docs/references.md). Orders: R[d] is the address bit placed at dimension d.

// Computes the contention of each dimension. out[i] is the number of messages on every used channel of dimension i
// (Theorem 1; scatter has its own formula), 0 if none is used. It is at most 2^63. O(n^3) bit operations.
void loom_lcc_contention(uint64_t out[LOOM_GF2_MAX], const struct loom_lcc *lcc);

// Computes the largest contention of a dimension under the order R.
uint64_t loom_lcc_contention_under(const struct loom_lcc *lcc, const unsigned *order);

// Finds an order for a permutation by LCP_Optimizer of [Hou01] (Fig. 3, lowest row index). The order is free of
// contention. LOOM_EINPUT if A is singular. n = 64 takes less than 100 us.
int loom_lcc_optimize_permutation(unsigned order[LOOM_GF2_MAX], const struct loom_gf2 *a, struct loom_err *err);

// Finds an order of least contention for any kind and rank. That contention is 2^max(0, n-1-rank A), or 0 without
// traffic (Theorem 4). O(n^3) bit operations: n = 64 takes less than 100 us.
void loom_lcc_optimize(unsigned order[LOOM_GF2_MAX], const struct loom_lcc *lcc);

// Returns the least contention itself: 2^max(0, n-1-rank A), or 0 for the identity.
uint64_t loom_lcc_optimum(const struct loom_lcc *lcc);

// Computes the load of each group of channels of a cube from the formulas. There are n+2 groups (dimensions 0..n-1,
// inject, eject), under the order R. A load is that of every used channel of the group, 0 if none is used, and
// UINT32_MAX if the formulas say nothing. n <= 31.
void loom_lcc_theory(uint32_t *out, const struct loom_lcc *lcc, const unsigned *order);

LOOM_API_END

#endif
