// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef OTIS_MOVES_CHECKS_H
#define OTIS_MOVES_CHECKS_H

#include <jansson.h>

#include <flitloom/math/otis.h>

// Plays the hops one by one from `source` (NULL: item i on node i), by links that are worked out here, and fails the test if
// two leave one node in a step, an item is not where its hop begins, a step has no hop, counts are wrong, or item i does not
// end on destination[i] (NULL: not looked at).
void otis_check_moves(const struct loom_otis_moves *moves, const uint32_t *source, const uint32_t *destination);

// The vector [A_{n-1}, ..., A_0] of strings or numbers, as the golden files have it.
void otis_bpc_of_json(struct loom_lcc *out, const json_t *vector);
// Returns the place to which the vector sends x.
uint32_t otis_bpc_image(const json_t *vector, uint32_t x);

#endif
