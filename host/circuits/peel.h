// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_PEEL_H
#define LOOM_CIRCUITS_PEEL_H

#include "base/rng.h"
#include "circuits/circuits_internal.h"

// A part of what one node sends to another. A piece is sent whole, in one slot.
struct loom_piece {
	uint32_t row, column, flits;
};

// Puts n pieces into slots, in each at most one piece of a row and of a column. A slot lasts as long as its longest
// piece. Aims at the least sum of the lengths, and at no more slots than the fullest line has pieces. `mix` NULL:
// ties are broken by number, else at random. Adds the steps that it takes to *work.
int loom_circuit_peel(struct loom_circuit_list *out, const struct loom_piece *piece, size_t n, struct loom_rng *mix,
                      uint64_t *work, struct loom_err *err);

#endif
