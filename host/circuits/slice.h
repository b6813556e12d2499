// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_SLICE_H
#define LOOM_CIRCUITS_SLICE_H

#include "base/rng.h"
#include "circuits/peel.h"

// Puts what the pieces ask for into slots, and cuts pieces where that pays. Aims at the least sum of cycles and dark. `mix` NULL: as it
// comes, else some choices by lot. Gives up, with *done false, once the cost is `limit` or more. *work goes up by steps taken.
int loom_circuit_slice(struct loom_circuit_list *out, bool *done, const struct loom_piece *piece, size_t n,
                       uint32_t dark, uint64_t limit, struct loom_rng *mix, uint64_t *work, struct loom_err *err);

#endif
