// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MADE_H
#define LOOM_MADE_H

#include "topo/graph.h"
#include "topo/topo_direct.h"

// Declarations that kinds share whose links follow from their size and are kept in tables, like those of a graph. Each
// file topo_<kind>.c writes `make` (flitloom/topo.h) with the functions below.

// The rest of such a row.
#define LOOM_MADE_DEFAULTS .parse = loom_made_parse, LOOM_GRAPH_DEFAULTS
int loom_made_parse(struct loom_topo *t, const char *text, struct loom_err *err);

// Reads numbers of up to nine digits, separated by `between`: *n of them. Returns the text behind the last one. NULL:
// there are none or more than `most`.
const char *loom_made_numbers(uint32_t *out, unsigned *n, unsigned most, const char *text, char between);
// Fails with LOOM_EINPUT because the size is not one of this kind. The text says what it is, with kind->size_is, and
// gives an example.
int loom_made_fail_size(const struct loom_topo_kind *kind, const char *example, struct loom_err *err);

// Makes room for n nodes, whose names are their numbers, and for up to n_links links. LOOM_EINPUT: there are too many.
int loom_made_begin(struct loom_graph_wires *out, uint64_t n_nodes, uint64_t n_links, struct loom_err *err);
// Adds a link with both directions, of a class (n_link_classes, or 0). The caller adds none from a node to itself, and
// no more than there is room for.
void loom_made_add(struct loom_graph_wires *out, uint32_t a, uint32_t b, unsigned link_class);
// Makes the last n nodes switches, with names of switches. LOOM_EINPUT: fewer than two nodes are left.
int loom_made_end_in_switches(struct loom_graph_wires *out, uint32_t n, struct loom_err *err);
// Adds a coordinate of patterns, which varies slower than those that were added before.
void loom_made_add_extent(struct loom_graph_wires *out, uint32_t extent);

#endif
