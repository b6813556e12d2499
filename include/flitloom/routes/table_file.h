// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TABLE_FILE_H
#define LOOM_TABLE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/plan.h>
#include <flitloom/routes/route_tables.h>
#include <flitloom/topo.h>
#include <flitloom/routes/virtual_networks.h>

LOOM_API_BEGIN

// Tables of the user's own, for a network whose routers have tables (fabric table-mesh): their file, their faults,
// and the ways that they make. docs/routes.md describes the file.

// The entry of one label in the table of a node.
struct loom_table_entry {
	uint32_t node, network, label;
	uint32_t port; // 0: the local one; p + 1: link p
};

// Tables, as a file has them. Nodes exist; networks, labels and ports are as they were written: loom_table_file_check
// checks them.
struct loom_table_file {
	size_t n;
	struct loom_table_entry *entry; // owned; by network, label and node, none of these twice
};

// Reads tables of the user's own, from n_bytes of text or from a file. `where` is the source's name in errors.
// LOOM_EINPUT: a line that cannot be read, or a network whose routers have no tables.
int loom_table_file_parse(struct loom_table_file *out, const struct loom_topo *topo, const char *text, size_t n_bytes,
                          const char *where, struct loom_err *err);
int loom_table_file_read(struct loom_table_file *out, const struct loom_topo *topo, const char *path,
                         struct loom_err *err);
void loom_table_file_free(struct loom_table_file *file); // NULL allowed; leaves *file zeroed
// Writes tables such as loom_route_tables_make makes, so that loom_table_file_read reads them.
int loom_table_file_write(const struct loom_route_tables *tables, const struct loom_topo *topo, const char *path,
                          struct loom_err *err);

#define LOOM_TABLE_NODE 24 // bytes of a node's name, NUL included
// Writes a node as lines of tables and their faults name it: by its number, or by its name in a graph.
void loom_table_node(char out[LOOM_TABLE_NODE], const struct loom_topo *topo, uint32_t node);

// A fault of a label at a node.
struct loom_table_fault {
	uint32_t node, network, label;
	char what[168]; // for a person: "port 7; a router there has ports 0..4"
};

// The faults of tables.
struct loom_table_faults {
	size_t n_all, n;                // number of all faults found, and of those listed
	struct loom_table_fault *fault; // owned, n of them, by network and label
};
#define LOOM_TABLE_FAULTS_MAX 1000 // faults that are listed

// Follows every label from every node that has an entry for it. Lists each fault once, at its place, however many
// messages would come there: networks and labels that no chip has, ports that no router has, a link that does not
// exist, a node without an entry, ways that never end.
int loom_table_file_check(struct loom_table_faults *out, const struct loom_table_file *file,
                          const struct loom_topo *topo, struct loom_err *err);
void loom_table_faults_free(struct loom_table_faults *faults); // NULL allowed; leaves *faults zeroed

// Makes the tables as routers hold them, for no messages yet. LOOM_EINPUT: the first fault, and how many more there
// are.
int loom_route_tables_of_file(struct loom_route_tables *out, const struct loom_table_file *file,
                              const struct loom_topo *topo, struct loom_err *err);

// A way leads from any node that has an entry for a label to the node where the label is delivered. All functions
// below take tables without faults.
struct loom_table_ways {
	uint32_t n_labels; // labels with entries, of all networks together
	size_t n_entries;
	uint64_t n_pairs;      // pairs of different nodes with a way from one to the other
	uint32_t longest;      // links of the longest way
	uint64_t most;         // the most ways over one channel
	uint32_t most_channel; // the lowest such channel; 0 if there is none
};
// Counts the ways of tables.
int loom_table_ways_count(struct loom_table_ways *out, const struct loom_route_tables *tables,
                          const struct loom_topo *topo, struct loom_err *err);

// Finds messages, on any of the ways, that could wait for one another in a circle; those of network n are in lane n.
// `message` of the circle is the label by which a channel is held, and the next one asked for.
int loom_table_ways_circle(struct loom_lane_circle *out, const struct loom_route_tables *tables,
                           const struct loom_topo *topo, struct loom_err *err);

LOOM_API_END

#endif
