// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_LCC_SETS_H
#define TEST_LCC_SETS_H

#include <stdint.h>

#include <flitloom/math/lcc.h>

// Linear-complement communications, and sets of them. state: of loom_splitmix64.

struct loom_lcc random_lcc(unsigned n, uint64_t *state); // of n bits, any kind and rank
// Any kind, any rank, with some dimensions that carry nothing; a permutation when `kind` says so.
struct loom_lcc random_lcc_of(enum loom_lcc_kind kind, unsigned n, uint64_t *state);
// Draws 1 to m_max of these, some of them twice. Returns how many.
unsigned random_set(struct loom_lcc *out, unsigned n, unsigned m_max, uint64_t *state);

// Transpose, bit reversal, and the latter complemented.
void named_three(struct loom_lcc out[3], unsigned n);

#endif
