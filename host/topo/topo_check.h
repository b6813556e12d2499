// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_CHECK_H
#define LOOM_TOPO_CHECK_H

#include <flitloom/topo.h>

// Checks that a kind keeps the contract of include/flitloom/topo.h. A mistake in a new kind then ends in a line that
// names it, and not in overwritten memory or in messages of Verilator about wires. LOOM_EINTERNAL.

// Checks its row: no other kind has its name or its code, and all functions that it needs are there.
int loom_topo_check_kind(const struct loom_topo_kind *kind, struct loom_err *err);
// Checks the fields that read_size has set; the check below relies on them.
int loom_topo_check_shape(const struct loom_topo *t, struct loom_err *err);
// Checks that its name is read back the same. For a direct network it also checks that every link leads to a node and
// back, that no two links of a node have one name, and that `next` leads to every destination over links that exist, in
// dimension order if the routers use it. For more than 65536 nodes it checks only some links, for more than 64 nodes
// only some ways.
int loom_topo_check_network(const struct loom_topo *t, struct loom_err *err);

#endif
