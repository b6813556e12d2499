// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_MSER_H
#define LOOM_TRAFFIC_MSER_H

#include <stddef.h>

#define LOOM_MSER_BATCH 5u // observations in a batch

// Finds how many of the first of n observations to leave out, so that the mean of the others is known best: the marginal
// standard error rule on means of batches of LOOM_MSER_BATCH (MSER-5, [White97]). Cuts that leave fewer than five batches are not looked at. A cut
// beyond the half of all says that there are too few observations to tell. Returns a multiple of the batch; 0 for fewer than six
// batches.
size_t loom_mser_cut(const double *observations, size_t n);

#endif
