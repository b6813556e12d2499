// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/mser.h"

#define BATCHES_LEFT 5u // the fewest batches after the cut

size_t loom_mser_cut(const double *observations, size_t n)
{
	const size_t n_batches = n / LOOM_MSER_BATCH;
	size_t best = 0;
	double least = 0, mean = 0, squares = 0; // of the batches after the cut
	// Goes from the last batch to the first, so that each step adds one batch to mean and squares. Of equal cuts
	// the earliest one wins.
	for (size_t cut = n_batches; cut-- > 0;) {
		const size_t n_kept = n_batches - cut;
		double value = 0;
		for (size_t i = 0; i < LOOM_MSER_BATCH; i++)
			value += observations[cut * LOOM_MSER_BATCH + i] / LOOM_MSER_BATCH;
		const double before = mean;
		mean += (value - mean) / (double)n_kept;
		squares += (value - before) * (value - mean);
		const double error = squares / ((double)n_kept * (double)n_kept);
		if (n_kept == BATCHES_LEFT || (n_kept > BATCHES_LEFT && error <= least)) {
			least = error;
			best = cut;
		}
	}
	return n_batches > BATCHES_LEFT ? best * LOOM_MSER_BATCH : 0;
}
