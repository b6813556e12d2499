// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_NAMED_NODE_H
#define LOOM_NAMED_NODE_H

#include <flitloom/topo.h>

// Finds the node with this name: the name that it has in a graph, else its number. false: there is none.
bool loom_named_node(uint32_t *out, const struct loom_topo *t, const char *name, size_t length);

#endif
