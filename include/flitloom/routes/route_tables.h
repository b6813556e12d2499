// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ROUTE_TABLES_H
#define LOOM_ROUTE_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/pattern.h>
#include <flitloom/routes/routes.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

#define LOOM_PORT_NONE UINT8_MAX // no message with this label reaches this router

// Chosen routes, in the form that routers hold. A message carries a label. Each router has a table for each virtual
// network, which gives the port by which a message with that label goes on. Messages can share a label if their
// routes agree wherever they meet: both leave a common node by the same link, and neither passes the node where the
// other ends. So routes to one destination that join and stay together can have one label, and so can routes that
// never meet.
struct loom_route_tables {
	uint32_t n_networks, n_nodes;
	uint32_t n_labels; // labels of the network that needs most: the words that each table must have
	// owned: port[(network * n_labels + label) * n_nodes + node]: 0, the local port; p + 1, link p; or
	// LOOM_PORT_NONE
	uint8_t *port;
	size_t n_messages;
	uint32_t *label;   // owned, by message
	uint32_t *network; // owned, by message
	size_t n_entries;  // entries other than LOOM_PORT_NONE
};

// The source of tables: the routes of messages on a fabric.
struct loom_tables_task {
	const struct loom_routes *routes;
	const struct loom_topo *topo;
	const struct loom_message *messages;
	// the network of each route, below n_networks (loom_virtual_networks_of); NULL: there is only one
	const uint32_t *network;
	uint32_t n_networks;
	uint32_t labels_most; // words of a table
};

// Makes tables for routes. Each message takes the first label that it can, the messages to one destination together,
// the longest routes first. LOOM_EINPUT: what loom_routes_check refuses. LOOM_EFIT: more labels are needed; the line
// says how many, and how many messages fit.
int loom_route_tables_make(struct loom_route_tables *out, const struct loom_tables_task *task, struct loom_err *err);
// As loom_route_tables_make, for messages that already have labels, as in the user's own tables. LOOM_EINPUT: as
// above, and two messages with one label that go different ways. LOOM_EFIT: a label of labels_most or more.
int loom_route_tables_of_labels(struct loom_route_tables *out, const struct loom_tables_task *task,
                                const uint32_t *label, struct loom_err *err);
struct loom_plan;
// Checks that the routers of a fabric have tables. LOOM_EINPUT: they have none.
int loom_route_tables_check_fabric(const struct loom_topo *topo, struct loom_err *err);
// Makes the tables of a plan. They hold its routes, chosen ones or those by rule, whatever its passes, with labels as
// loom_route_tables_make gives them. LOOM_EINPUT: its routers have none; LOOM_EFIT: too many labels.
int loom_route_tables_of_plan(struct loom_route_tables *out, const struct loom_plan *plan, struct loom_err *err);
void loom_route_tables_free(struct loom_route_tables *tables); // NULL allowed; leaves *tables zeroed

// Follows the tables as each message would, and compares the path with its route. LOOM_EINPUT names the message and
// the node.
int loom_route_tables_check(const struct loom_route_tables *tables, const struct loom_routes *routes,
                            const struct loom_topo *topo, const struct loom_message *messages, struct loom_err *err);

LOOM_API_END

#endif
