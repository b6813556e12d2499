// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MADE_H
#define LOOM_MADE_H

#include "topo/graph.h"
#include "topo/topo_direct.h"

// Kinds whose links follow from their size and are kept in tables, as those of a graph: what their files topo_<kind>.c
// share. Each writes `make` (flitloom/topo.h) with the functions below.

// The rest of such a row.
#define LOOM_MADE_DEFAULTS .parse = loom_made_parse, LOOM_GRAPH_DEFAULTS
int loom_made_parse(struct loom_topo *t, const char *text, struct loom_err *err);

// Reads numbers of up to nine digits with `between` between them: *n of them, and the text behind the last one. NULL: there are
// none or more than `most`.
const char *loom_made_numbers(uint32_t *out, unsigned *n, unsigned most, const char *text, char between);
// LOOM_EINPUT: the size of this kind is not one; says what it is, with kind->size_is, and an example.
int loom_made_fail_size(const struct loom_topo_kind *kind, const char *example, struct loom_err *err);

// Makes room for n nodes, which are called by their numbers, and for up to n_links links. LOOM_EINPUT: so many cannot be.
int loom_made_begin(struct loom_graph_wires *out, uint64_t n_nodes, uint64_t n_links, struct loom_err *err);
// Another link with both directions, of a class (n_link_classes, or 0); none to the same node, and none beyond the room that there is.
void loom_made_add(struct loom_graph_wires *out, uint32_t a, uint32_t b, unsigned link_class);
// The last n nodes are switches, and are called so. LOOM_EINPUT: hardly any node is left.
int loom_made_end_in_switches(struct loom_graph_wires *out, uint32_t n, struct loom_err *err);
// Another coordinate of patterns, which varies slower than those that were added before.
void loom_made_add_extent(struct loom_graph_wires *out, uint32_t extent);

#endif
