// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TABLE_WAYS_H
#define LOOM_TABLE_WAYS_H

#include <flitloom/routes/table_file.h>

// Gives each message a way of the tables. For each message (source and destination are nodes) the lowest network, and in
// it the lowest label, by which a way leads from its source to its destination: network[i] and label[i], and its route.
// LOOM_EINPUT names the first message for which there is none, and what is missing. A message to its own node needs none,
// and has a route without links.
int loom_table_ways_choose(struct loom_routes *out, uint32_t *network, uint32_t *label,
                           const struct loom_route_tables *tables, const struct loom_topo *topo,
                           const struct loom_message *messages, size_t n, struct loom_err *err);

#endif
