// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TABLE_WAYS_H
#define LOOM_TABLE_WAYS_H

#include <flitloom/routes/table_file.h>

// Ways of tables for n messages: the route of each, and its network and label.
struct loom_chosen_ways {
	struct loom_routes routes; // owned, n of them
	uint32_t *network, *label; // owned, n elements; 0 for a message to its own node
};

// Gives each message (source and destination are nodes) a way of the tables: the lowest network, and in it the lowest
// label, by which a way leads from its source to its destination. LOOM_EINPUT names the first message for which there
// is none, and what is missing. A message to its own node needs none, and has a route without links.
int loom_table_ways_choose(struct loom_chosen_ways *out, const struct loom_route_tables *tables,
                           const struct loom_topo *topo, const struct loom_message *messages, size_t n,
                           struct loom_err *err);
void loom_chosen_ways_free(struct loom_chosen_ways *ways); // NULL allowed; leaves *ways zeroed

#endif
