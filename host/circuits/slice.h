// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_SLICE_H
#define LOOM_CIRCUITS_SLICE_H

#include "base/rng.h"
#include "circuits/peel.h"

// Puts the pieces into slots, and cuts pieces where that helps. Aims at the least sum of cycles and dark. `mix`: some
// choices are made at random; NULL: none are. Gives up, with *done false, as soon as the cost cannot stay below
// `limit`. Adds the steps that it takes to *work.
int loom_circuit_slice(struct loom_circuit_list *out, bool *done, const struct loom_piece *piece, size_t n,
                       uint32_t dark, uint64_t limit, struct loom_rng *mix, uint64_t *work, struct loom_err *err);

#endif
