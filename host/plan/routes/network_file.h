// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_NETWORK_FILE_H
#define LOOM_NETWORK_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <flitloom/topo.h>

// Functions for nodes and links of a direct network, as certificates have them.

// Finds the ends of a channel that is a link; false: it is none.
bool loom_network_link(const struct loom_topo *t, uint32_t channel, uint32_t *tail, uint32_t *head);
// Writes "hosts", "nodes" and "links", each with a comma behind it. Links are in the order of their channels. node_of:
// the number in the file of each node that takes part.
void loom_network_put(FILE *stream, const struct loom_topo *t, const uint32_t *node_of);

#endif
