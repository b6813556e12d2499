// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_STAGES_H
#define REF_STAGES_H

#include <stdint.h>

// A network of 2x2 switches as [Benes65] builds it, out of itself: a column of switches, each joined to two networks of half the
// size by its two outputs, and a column behind them in the mirror; of two lines it is one switch. Returns the line on which it
// leads a line out. crossed[s * half + q] as in flitloom/circuits.h, of 2^k lines.
uint32_t ref_stages_lead(const uint8_t *crossed, unsigned k, uint32_t line);

#endif
