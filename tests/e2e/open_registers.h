// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef OPEN_REGISTERS_H
#define OPEN_REGISTERS_H

#include <stdint.h>

// Checks an open fabric's register port as far as its words can be known without it: the network, with lanes and light;
// STATUS while a frame is under way; the way by which frames pass a benes; how long headers wait. Prints what fails.
void open_registers(uint32_t *n_passed, uint32_t *n_failed);

#endif
