// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_HEX_H
#define TEST_HEX_H

#include <flitloom/topo.h>

// A kind as docs/adding-a-topology.md has a stranger write it, in no table of the program: rows of nodes of which each has
// six neighbours, two of them on a diagonal. hex:3x5 has 3 rows.
extern const struct loom_topo_kind hex_kind;

enum { HEX_LINKS = 6 };

#endif
