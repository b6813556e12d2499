// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LATIN_H
#define LOOM_LATIN_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/math/min.h>

LOOM_API_BEGIN

// The Latin square of a multistage network ([Yang00], sections 4 and 5). In pass i node j sends to the entry in row i,
// column j. Each row passes the network without conflict, and all switches of a stage have the same setting. All n rows
// are an all-to-all personalized exchange. A square has n x n entries, row after row; n = 2^m, 1 <= m <= 16.

#define LOOM_LATIN_M_MAX 16

// Returns a word of the Gray code.
uint32_t loom_latin_gray(uint32_t i); // i ^ i/2: its successor differs from it in one bit

// Fills in row 0: out[j] is the node to which node j sends when every switch is straight.
void loom_latin_row0(uint16_t *out, const struct loom_min *net);

// Fills in rows first .. first+n_rows-1 by the closed form row0[j] ^ gray(i), at the speed of the memory. `out` does
// not overlap row0.
void loom_latin_rows(uint16_t *out, const uint16_t *row0, unsigned m, uint32_t first, size_t n_rows);

// True if the switches of stage s are crossed in row i.
bool loom_latin_crosses(const struct loom_min *net, uint32_t i, unsigned s);

LOOM_API_END

#endif
