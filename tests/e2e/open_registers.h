// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef OPEN_REGISTERS_H
#define OPEN_REGISTERS_H

#include <stdint.h>

// What an open fabric's register port says, where it can be known without it: what network it is, with lanes and light;
// STATUS while a frame is under way; the way by which frames pass a benes; how long headers wait. Prints what fails.
void open_registers(uint32_t *n_passed, uint32_t *n_failed);

#endif
