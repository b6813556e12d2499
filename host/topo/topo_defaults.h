// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_DEFAULTS_H
#define LOOM_TOPO_DEFAULTS_H

#include <flitloom/topo.h>

// Functions that most kinds share, for the rows of struct loom_topo_kind. topo_direct.h has more, for direct networks.

// Writes the extents, the highest dimension first, with an x between them.
void loom_default_write_size(const struct loom_topo *t, char out[40]);
// Finds nothing: every link has one that leads back.
bool loom_default_one_way(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q);
// Returns the rule that was asked for: any will do.
unsigned loom_default_rule_of(const struct loom_topo *t, uint32_t source, uint32_t destination, unsigned rule);

#endif
