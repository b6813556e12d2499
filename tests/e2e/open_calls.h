// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef OPEN_CALLS_H
#define OPEN_CALLS_H

#include <stdint.h>

// Checks what flitloom/link/open_fabric.h says of its calls beside that frames arrive: what is refused, what the register
// port does meanwhile, reset, waveforms. Prints what fails.
void open_calls(uint32_t *n_passed, uint32_t *n_failed);

#endif
