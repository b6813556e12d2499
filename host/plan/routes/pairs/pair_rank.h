// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIR_RANK_H
#define LOOM_PAIR_RANK_H

#include <stddef.h>
#include <stdint.h>

// An entry with a place on the line.
struct loom_pair_ranked {
	double place;
	uint32_t at; // the index of this place
};

// Lists `n` places in ascending order, the lowest index first among equal ones.
void loom_pair_rank(struct loom_pair_ranked *out, const double *place, size_t n);

#endif
