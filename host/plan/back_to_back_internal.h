// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_BACK_TO_BACK_INTERNAL_H
#define LOOM_BACK_TO_BACK_INTERNAL_H

#include <stdint.h>

#include <flitloom/back_to_back.h>

// Returns the cycle, counted from START, in which the last tail arrives. cycles[p] is the cycle of pass p, counted from
// its own beginning, in which its last tail arrives. LOOM_CYCLES_UNKNOWN if one of them is unknown; 0 for no pass.
uint64_t loom_back_to_back_cycles(const uint64_t *cycles, uint32_t n_passes);
// Returns the cycles from the beginning of a pass that takes `cycles` to that of the next. The first pass begins
// LOOM_READY_CYCLES after START.
uint64_t loom_back_to_back_step(uint64_t cycles);

#endif
