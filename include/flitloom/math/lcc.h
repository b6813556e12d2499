// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LCC_H
#define LOOM_LCC_H

#include <flitloom/api.h>
#include <flitloom/pattern.h>

LOOM_API_BEGIN

// Mathematics of one linear-complement communication on the binary n-cube under e-cube routing ([Hou01], section 3
// and 4, with the corrections of docs/references.md). Orders: R[d] is the address bit placed at dimension d.

// The contention of each dimension: out[i] = messages on every used channel of dimension i (Theorem 1; scatter has a
// formula of its own), 0 if none. 2^63 at most. O(n^3) bit operations.
void loom_lcc_contention(uint64_t out[LOOM_GF2_MAX], const struct loom_lcc *lcc);

// The largest contention of a dimension under the order R.
uint64_t loom_lcc_contention_under(const struct loom_lcc *lcc, const unsigned *order);

// An order for a permutation, by LCP_Optimizer of [Hou01] (Fig. 3, lowest row index): an order free of contention.
// LOOM_EINPUT if A is singular. n = 64 in under 100 us.
int loom_lcc_optimize_permutation(unsigned order[LOOM_GF2_MAX], const struct loom_gf2 *a, struct loom_err *err);

// An order of least contention for any kind and rank: 2^max(0, n-1-rank A), or 0 without traffic (Theorem 4).
// O(n^3) bit operations: n = 64 in under 100 us.
void loom_lcc_optimize(unsigned order[LOOM_GF2_MAX], const struct loom_lcc *lcc);

// The optimum itself: 2^max(0, n-1-rank A), 0 for the identity.
uint64_t loom_lcc_optimum(const struct loom_lcc *lcc);

// Computes the load of each group of channels of a cube from the formulas. There are n+2 groups (dimensions 0..n-1,
// inject, eject), under the order R: the load of every used channel of the group, 0 if none is used, UINT32_MAX if
// there is no statement. n <= 31.
void loom_lcc_theory(uint32_t *out, const struct loom_lcc *lcc, const unsigned *order);

LOOM_API_END

#endif
