// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_GRAPH_H
#define LOOM_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Networks of the user's own, fabric graph:FILE: nodes with names, the links between them, and routes that flitloom
// finds. docs/graphs.md is for users.

#define LOOM_GRAPH_NODES_MAX 1024
#define LOOM_GRAPH_LINKS_MAX 63 // links of a node, in either direction
#define LOOM_GRAPH_LANES_COUNTED 64
#define LOOM_GRAPH_NAME 21 // bytes of a node's name, NUL included

// A link by which flits go from `from` to `to` and, if `both`, also back. It takes one port of each node: a node's
// ports are in the order of its links. Two nodes may have several links.
struct loom_graph_link {
	uint32_t from, to;
	bool both;
	uint8_t delay;      // cycles by which a flit to `to` takes longer than usual: up to LOOM_LINK_DELAY_MAX
	uint8_t delay_back; // the same for a flit to `from`, if `both`
	uint8_t link_class; // 0, or below n_link_classes of its network
};

// A network as its nodes and links.
struct loom_graph_wires {
	uint32_t n_nodes, n_links;
	char (*name)[LOOM_GRAPH_NAME]; // owned, by node; no two are the same
	struct loom_graph_link *link;  // owned
	uint32_t n_switches;           // the last nodes: they pass messages on, and send and receive none
	// The coordinates that patterns take (loom_topo_shape); n_dims 0: there are none, and patterns take one
	// extent.
	unsigned n_dims;
	uint32_t extent[LOOM_DIMS_MAX];
	// The number of classes by which links can have delays (loom_topo_link_classes), for kinds that follow from a
	// size; 0: none.
	unsigned n_link_classes;
	bool in_order; // among shortest ways, take the one whose first link comes first; false: choose by load
};

// Reads a network: an edge list, a GraphML file or a GraphViz file, for which it runs Graphviz. Nodes are numbered in
// the order in which they occur, or by their names if these are 0 to n_nodes - 1. LOOM_EFILE: it cannot be read;
// LOOM_EINPUT says in which line what is wrong.
int loom_graph_read(struct loom_graph_wires *out, const char *file, struct loom_err *err);
void loom_graph_wires_free(struct loom_graph_wires *wires); // NULL allowed; leaves *wires zeroed

// Makes a fabric of a user's wires: the fabric of that name, "graph:FILE" or with ":v2" to ":v8" behind it, with
// n_vcs lanes of each link: 1 to 8. It copies the wires. LOOM_EINPUT: they break a rule above, some node cannot be
// reached from some other one, or no routes are free of deadlocks on so few lanes.
int loom_topo_of_graph(struct loom_topo *out, const char *name, const struct loom_graph_wires *wires, unsigned n_vcs,
                       struct loom_err *err);

// The method by which the routes of a graph were made.
enum loom_graph_routing {
	// shortest ways: each pair of nodes has a lane, and no lane has a circle of channels that wait for one
	// another
	LOOM_GRAPH_SHORTEST,
	// The nodes have an order, the root first. A message goes up, towards earlier nodes, until it can go down all
	// the way.
	LOOM_GRAPH_UP_DOWN,
};

// Facts about a graph.
struct loom_graph_facts {
	const struct loom_graph_wires *wires; // not to be freed; valid as long as the fabric
	enum loom_graph_routing routing;
	unsigned lanes_needed; // for shortest routes; LOOM_GRAPH_LANES_COUNTED + 1: more than that
	uint32_t root;         // for LOOM_GRAPH_UP_DOWN
	uint64_t hash;         // a hash of the links
};

// Finds the facts about a fabric that is a graph. False: it is none.
bool loom_topo_graph_facts(struct loom_graph_facts *out, const struct loom_topo *t);

LOOM_API_END

#endif
