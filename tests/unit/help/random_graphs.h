// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef RANDOM_GRAPHS_H
#define RANDOM_GRAPHS_H

#include <flitloom/routes/graph.h>

// Connected networks of n nodes for tests, up to `more` links beyond those that connect them. *out is to be freed.

// one_way: how many of a hundred of the further links lead one way only.
void random_graph(struct loom_graph_wires *out, uint64_t seed, uint32_t n, uint32_t more, unsigned one_way);
// One way all round, and so are the further links.
void random_circle(struct loom_graph_wires *out, uint64_t seed, uint32_t n, uint32_t more);

#endif
