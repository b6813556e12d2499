// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_GF2_H
#define LOOM_GF2_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/api.h>

LOOM_API_BEGIN

#define LOOM_GF2_MAX 64 // the most rows and columns

// A square matrix over GF(2). Invariant: 1 <= n <= 64; bit j of row[i] is a_ij; bits n and up of every row, and
// rows n and up, are 0. A vector is a uint64_t whose bit k is element k.
//
//            column 0 = bit 0
//   row[0] = a_00 a_01 ... a_0,n-1      y = A x: bit i of y is the parity of row[i] & x
//   row[i] = a_i0 ...
struct loom_gf2 {
	unsigned n;
	uint64_t row[LOOM_GF2_MAX];
};

// Returns a mask of n bits.
uint64_t loom_gf2_mask(unsigned n); // the n low bits, 0 <= n <= 64

// Functions of matrices: the identity; a check of the invariant; A x; A B; and A transposed.
void loom_gf2_identity(struct loom_gf2 *out, unsigned n);
bool loom_gf2_is_valid(const struct loom_gf2 *a); // true if the invariant holds
uint64_t loom_gf2_apply(const struct loom_gf2 *a, uint64_t x);
void loom_gf2_product(struct loom_gf2 *out, const struct loom_gf2 *a, const struct loom_gf2 *b); // out may alias
void loom_gf2_transpose(struct loom_gf2 *out, const struct loom_gf2 *a);                         // out may alias

// Returns the rank of the submatrix of the rows in `rows` and the columns in `columns` (bit sets). O(n^2) word
// operations.
unsigned loom_gf2_rank_of(const struct loom_gf2 *a, uint64_t rows, uint64_t columns);
unsigned loom_gf2_rank(const struct loom_gf2 *a);

// Inverts a matrix. Returns false, and leaves *out untouched, if `a` is singular.
bool loom_gf2_inverse(struct loom_gf2 *out, const struct loom_gf2 *a);

// Writes a matrix in another order of the bits: out = Q A Q^-1 for the bit order R, so out[i][j] = a[R[i]][R[j]].
// `order` is a permutation of 0..n-1.
void loom_gf2_reorder(struct loom_gf2 *out, const struct loom_gf2 *a, const unsigned *order);

// Returns the physical number of virtual processor x under the order R: bit d of the result is bit order[d] of x.
uint64_t loom_gf2_reorder_vector(uint64_t x, unsigned n, const unsigned *order);

LOOM_API_END

#endif
