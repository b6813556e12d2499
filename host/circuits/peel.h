// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_PEEL_H
#define LOOM_CIRCUITS_PEEL_H

#include "base/rng.h"
#include "circuits/circuits_internal.h"

// A part of what a node sends to another one, which goes in one slot as a whole.
struct loom_piece {
	uint32_t row, column, flits;
};

// Puts n pieces into slots, no two of a row or column into one; a slot lasts as long as its longest piece. Aims at the least sum
// of slots, and at as few as there are pieces in the fullest line. `mix` NULL: ties go by number, else by lot. *work goes up by
// steps taken.
int loom_circuit_peel(struct loom_circuit_list *out, const struct loom_piece *piece, size_t n, struct loom_rng *mix,
                      uint64_t *work, struct loom_err *err);

#endif
