// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_MATRIX_IMAGE_H
#define TEST_MATRIX_IMAGE_H

// out[x] = A x + b for all x of n bits, one entry at a time; row i of A is a number whose bit j is a_ij.
static inline void matrix_image(unsigned *out, unsigned n, const unsigned *row, unsigned b)
{
	for (unsigned x = 0; x < (1u << n); x++) {
		out[x] = b;
		for (unsigned i = 0; i < n; i++)
			for (unsigned j = 0; j < n; j++)
				out[x] ^= (row[i] >> j & x >> j & 1u) << i;
	}
}

#endif
