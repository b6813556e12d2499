// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_CHIPS_H
#define TEST_CHIPS_H

#include <flitloom/link/chip.h>

// A chip that holds this fabric, with 64 messages of up to 64 flits in a node, one bit for the rule, and nothing else that a chip
// may lack; the tests change what they need otherwise.
struct loom_chip chip_for(const struct loom_topo *t);

#endif
