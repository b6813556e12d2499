// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_SIZE_H
#define LOOM_TOPO_SIZE_H

#include <flitloom/topo.h>

// These functions read sizes, the text after the colon, for the kinds. If a size is wrong, err says what would be
// right.

// Reads one number in least..most. LOOM_EINPUT names kind->size_is.
int loom_size_number(uint32_t *out, const struct loom_topo *t, const char *size, uint32_t least, uint32_t most,
                     struct loom_err *err);

// "3x5x2", the highest dimension first: n_dims, in least..most, and extent. 2 to LOOM_NODES_MAX nodes: *n_nodes.
#define LOOM_SIZE_EXTENTS 16 // the most extents, as many as there are registers for them
int loom_size_extents(struct loom_topo *t, uint32_t *n_nodes, const char *size, unsigned least, unsigned most,
                      struct loom_err *err);

#endif
