// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <errno.h>
#include <stdlib.h>

int ref_rank(const bool *matrix, unsigned n_rows, unsigned n_cols)
{
	size_t n_bits = (size_t)n_rows * n_cols;
	bool *work = malloc((n_bits + 1) * sizeof(*work)); // never zero bytes
	int rank = 0;

	if (!work)
		return -ENOMEM;
	for (size_t i = 0; i < n_bits; i++)
		work[i] = matrix[i];

	// Each row in turn: if it is not zero, its first one is a new pivot, cleared from every later row.
	for (unsigned r = 0; r < n_rows; r++) {
		unsigned pivot = 0;

		while (pivot < n_cols && !work[(size_t)r * n_cols + pivot])
			pivot++;
		if (pivot == n_cols)
			continue;
		rank++;
		for (unsigned s = r + 1; s < n_rows; s++) {
			if (!work[(size_t)s * n_cols + pivot])
				continue;
			for (unsigned c = 0; c < n_cols; c++)
				work[(size_t)s * n_cols + c] ^= work[(size_t)r * n_cols + c];
		}
	}
	free(work);
	return rank;
}
