// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MESH_PASSES_H
#define LOOM_MESH_PASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/topo.h>

// Finds passes without conflict for messages source[i] -> destination[i] (nodes) on a mesh or torus of two dimensions
// or more, lowest dimension first ([Youssef93], section 7). pass[i] counts from 0, and none is empty. *n_passes is the
// largest number of messages that one row sends or one column receives: the larger side, for a permutation of a p x q
// network. In more dimensions the dimensions are split at the best k: nodes of a row agree in the dimensions from k
// on, nodes of a column below k. A message to oneself counts like any other. n >= 1. false: out of memory.
bool loom_mesh_passes(uint32_t *pass, uint32_t *n_passes, const struct loom_topo *topo, const uint32_t *source,
                      const uint32_t *destination, size_t n);

#endif
