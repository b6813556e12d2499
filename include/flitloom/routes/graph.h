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

// Networks of the user's own, fabric graph:FILE: nodes with names, links between them, and the routes that are made for
// them. docs/graphs.md is for users.

#define LOOM_GRAPH_NODES_MAX 1024
#define LOOM_GRAPH_LINKS_MAX 63 // of a node, whichever way they lead
#define LOOM_GRAPH_LANES_COUNTED 64
#define LOOM_GRAPH_NAME 21 // of a node: up to 20 bytes and a NUL

// A link by which flits go from `from` to `to`, and if `both` the other way as well. It takes one port of each node: of the
// ports of a node the lowest is that of the link which comes first. Two nodes may have several links.
struct loom_graph_link {
	uint32_t from, to;
	bool both;
	uint8_t delay;      // cycles by which a flit to `to` is longer under way than usual: up to LOOM_LINK_DELAY_MAX
	uint8_t delay_back; // the same of a flit to `from`, if `both`
	uint8_t link_class; // 0, or below n_link_classes of its network
};

// A network as its nodes and links.
struct loom_graph_wires {
	uint32_t n_nodes, n_links;
	char (*name)[LOOM_GRAPH_NAME]; // owned, of each node; no two are the same
	struct loom_graph_link *link;  // owned
	uint32_t n_switches;           // the last of the nodes: they pass messages on, and send and receive none
	// The coordinates that patterns take, as loom_topo_shape has them; n_dims 0: none, which is one extent.
	unsigned n_dims;
	uint32_t extent[LOOM_DIMS_MAX];
	// The classes by which links can have delays (loom_topo_link_classes), of kinds that follow from a size; 0: there are none.
	unsigned n_link_classes;
	bool in_order; // of shortest ways the one whose first link comes first; false: by load
};

// Reads a network: an edge list, a GraphML file or a GraphViz file, for which it runs Graphviz. Nodes are numbered in
// the order in which they occur, or by their names if these are 0 to n_nodes - 1. LOOM_EFILE: it cannot be read;
// LOOM_EINPUT says in which line what is wrong.
int loom_graph_read(struct loom_graph_wires *out, const char *file, struct loom_err *err);
void loom_graph_wires_free(struct loom_graph_wires *wires); // NULL allowed; leaves *wires zeroed

// A fabric of wires of the user's own. The fabric of that name, "graph:FILE" or with ":v2" to ":v8" behind it, with n_vcs
// lanes of each link: 1 to 8. wires are copied. LOOM_EINPUT: they contradict what is said above, some node cannot be
// reached from some other one, or no routes are free of deadlocks on so few lanes.
int loom_topo_of_graph(struct loom_topo *out, const char *name, const struct loom_graph_wires *wires, unsigned n_vcs,
                       struct loom_err *err);

// The method by which the routes of a graph were made.
enum loom_graph_routing {
	LOOM_GRAPH_SHORTEST, // each pair of nodes has a lane, and no lane has a circle of channels that wait for one another
	// The nodes have an order, the root first. A message goes up, towards earlier ones, until it can go down all the way.
	LOOM_GRAPH_UP_DOWN,
};

// Facts about a graph.
struct loom_graph_facts {
	const struct loom_graph_wires *wires; // not to be freed; as long as the fabric
	enum loom_graph_routing routing;
	unsigned lanes_needed; // for shortest routes; LOOM_GRAPH_LANES_COUNTED + 1: more than that
	uint32_t root;         // of LOOM_GRAPH_UP_DOWN
	uint64_t hash;         // of the links
};

// Finds the facts about a fabric that is a graph; false: it is none.
bool loom_topo_graph_facts(struct loom_graph_facts *out, const struct loom_topo *t);

LOOM_API_END

#endif
