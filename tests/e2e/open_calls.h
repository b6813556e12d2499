// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef OPEN_CALLS_H
#define OPEN_CALLS_H

#include <stdint.h>

// Checks the calls of flitloom/link/open_fabric.h, apart from the arrival of frames: refusals, the register port
// during traffic, reset, waveforms. Prints the failures.
void open_calls(uint32_t *n_passed, uint32_t *n_failed);

#endif
