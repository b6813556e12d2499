// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_CHECK_H
#define LOOM_TOPO_CHECK_H

#include <flitloom/topo.h>

// Checks that a kind keeps the contract of include/flitloom/topo.h, so that a slip in a new kind ends in a line that
// names it, and not in overwritten memory or in messages of Verilator about wires. LOOM_EINTERNAL.

// Checks its row: a name and a code that no other kind has, and the functions that there must be.
int loom_topo_check_kind(const struct loom_topo_kind *kind, struct loom_err *err);
// Checks what read_size filled in; the check below relies on it.
int loom_topo_check_shape(const struct loom_topo *t, struct loom_err *err);
// Checks that its name is read as it is, and for a direct network: every link leads to a node and back, no two of a
// node have one name, and `next` leads to every destination over links that exist, by dimension order if the routers go
// by that. Of more than 65536 nodes some links only are looked at, of more than 64 nodes some ways.
int loom_topo_check_network(const struct loom_topo *t, struct loom_err *err);

#endif
