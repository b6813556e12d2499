// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_GRAPH_H
#define LOOM_TOPO_GRAPH_H

#include <stdatomic.h>

#include <flitloom/routes/failures.h>
#include <flitloom/routes/graph.h>

#include "base/arrays.h"

#define LOOM_GRAPH_NONE UINT32_MAX // no node
#define LOOM_GRAPH_FAR UINT32_MAX  // no distance
#define LOOM_GRAPH_CODE 16 // the code in KIND of all fabrics whose links are in tables: a chip knows no more about them

// The other end of a link; its node is LOOM_GRAPH_NONE if there is no link that way.
struct loom_graph_end {
	uint32_t node;
	unsigned port;
};

// The damaged network that a graph is a part of.
struct loom_damage {
	struct loom_topo whole;        // owned
	struct loom_failures failures; // owned
	bool *is_out;                  // owned: of each node, that it takes no part
	// Functions of without.c, which make the remaining network again: with other lanes, or with other values of a
	// suffix.
	int (*set_vcs)(struct loom_topo *t, unsigned n_vcs, struct loom_err *err);
	int (*set_suffix)(struct loom_topo *t, const struct loom_topo_suffix *suffix, struct loom_err *err);
};

// The part of a struct loom_topo that it owns for a network of the user's own. It is made once, never changed, and
// shared by copies.
struct loom_graph {
	atomic_uint n_users;
	struct loom_graph_wires wires;
	unsigned n_ports;           // most links of a node
	struct loom_graph_end *out; // [node * n_ports + port]: the node and input to which this port leads
	struct loom_graph_end *in;  // by input: the link that leads to it
	// Delay of the link at each port, indexed like `out`; NULL: no link has its own delay
	uint8_t *delay;
	uint8_t *link_class; // the class of these links; NULL: they have no classes
	uint8_t *next;       // [destination * n_nodes + here]: the port
	uint8_t *lane;       // [source * n_nodes + destination]
	enum loom_graph_routing routing;
	unsigned lanes_needed;
	uint32_t root;
	uint64_t hash;
	struct loom_damage *damage; // owned; NULL: it is whole
	struct loom_arrays arrays;  // owns the arrays
};

// The functions of topo_graph.c and the part of a row that all kinds whose links are in tables share.
bool loom_graph_link_of(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q);
bool loom_graph_one_way(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q);
unsigned loom_graph_next_of(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule);
unsigned loom_graph_rule_of(const struct loom_topo *t, uint32_t source, uint32_t destination, unsigned rule);
void loom_graph_link_name(const struct loom_topo *t, unsigned p, char out[16]);
unsigned loom_graph_groups(const struct loom_topo *t);
unsigned loom_graph_group_of(const struct loom_topo *t, uint32_t channel);
void loom_graph_group_name(const struct loom_topo *t, unsigned group, char out[16]);
void loom_graph_channel_name(const struct loom_topo *t, uint32_t channel, char out[48]);
#define LOOM_GRAPH_DEFAULTS                                                                                            \
	.code = LOOM_GRAPH_CODE, .router = LOOM_ROUTER_TABLE, .spare_label_bits = 2, .dims_of_coordinate = 1,          \
	.link = loom_graph_link_of, .one_way = loom_graph_one_way, .next = loom_graph_next_of,                         \
	.rule_of = loom_graph_rule_of, .link_name = loom_graph_link_name, .bound = loom_direct_bound,                  \
	.route_next = loom_direct_route_next, .groups = loom_graph_groups, .group_of = loom_graph_group_of,            \
	.group_name = loom_graph_group_name, .channel_name = loom_graph_channel_name

// graph.c: fills in all fields that are particular to a graph's fabric; loom_topo_finish does the rest. On failure *t
// is unchanged.
int loom_graph_fill(struct loom_topo *t, const char *name, const struct loom_graph_wires *wires, unsigned n_vcs,
                    struct loom_err *err);

// graph_wires.c: adds a link. `where`, which begins the text of an error, is the line that has the link. Two links that
// lead one way each between the same nodes become one.
int loom_graph_add(struct loom_graph_wires *wires, const struct loom_graph_link *link, const char *where,
                   struct loom_err *err);
// Checks that no link leads from one of its nodes to the other already. LOOM_EINPUT.
int loom_graph_check_new(const struct loom_graph_wires *wires, const struct loom_graph_link *link, const char *where,
                         struct loom_err *err);
// Finds the number of the node with that name; adds the node if it is new.
int loom_graph_node(uint32_t *out, struct loom_graph_wires *wires, const char *name, size_t length, const char *where,
                    struct loom_err *err);
// Gives each node its own number if all names are numbers below n_nodes. Switches come after all other nodes; within
// both the order stays.
int loom_graph_renumber(struct loom_graph_wires *wires, const bool is_switch[LOOM_GRAPH_NODES_MAX],
                        struct loom_err *err);

// A file that is being read.
struct loom_graph_file {
	struct loom_graph_wires wires;
	bool is_switch[LOOM_GRAPH_NODES_MAX]; // by node, in the present numbers
};

// topo_graph.c: "net.txt:v2": finds the end of the file's name, and the number of lanes.
size_t loom_graph_file(unsigned *n_vcs, const char *text);

// graph_dot.c: a GraphViz file.
int loom_graph_read_dot(struct loom_graph_file *out, const char *text, size_t length, const char *where,
                        struct loom_err *err);
// graph_ml.c: a GraphML file.
int loom_graph_read_graphml(struct loom_graph_file *out, const char *text, size_t length, const char *where,
                            struct loom_err *err);
// Reads the cycles by which a link is slower. `of` is the name of the link in errors, "" if `where` has its line.
int loom_graph_read_delay(uint8_t *out, const char *text, size_t length, const char *where, const char *of,
                          struct loom_err *err);
// True if a node's mark says so: "true", "yes" or a number other than 0.
bool loom_graph_is_marked(const char *text);

// graph_routes.c: computes next, lane and what is known about them, for n_vcs lanes.
int loom_graph_route(struct loom_graph *g, unsigned n_vcs, struct loom_err *err);

// graph_up_down.c: computes how many links lie between root and each node, in whatever direction they lead. Returns the
// largest number.
uint32_t loom_graph_distances(uint32_t *distance, const struct loom_graph *g, uint32_t root, uint32_t *queue);
// Searches from the destination against the links. Sets next and length (in links, LOOM_GRAPH_FAR: no way) of each node
// that has a way there, for a shortest one; if distance is given, for the ways that lead down all the time. Leaves
// these nodes in queue, in ascending order of length, and returns their number.
uint32_t loom_graph_search_back(uint8_t *next, uint32_t *length, const struct loom_graph *g, uint32_t destination,
                                const uint32_t *distance, uint32_t *queue);
// Computes next for routes that go up and then down, by the nodes' distances from the root (and by number). scratch has
// room for 3 * n_nodes. false: some message has no such route.
bool loom_graph_up_down(struct loom_graph *g, const uint32_t *distance, uint32_t *scratch);

// graph_layers.c: computes lane for the routes in next, so that no lane has a circle. *n is the number of lanes needed,
// or LOOM_GRAPH_LANES_COUNTED + 1; then lane is not complete. LOOM_ENOMEM.
int loom_graph_layers(struct loom_graph *g, unsigned *n, struct loom_err *err);

// graph.c: adds a number to a hash.
void loom_graph_mix(uint64_t *hash, uint64_t number);

// graph.c: frees a damage and all that it owns; NULL allowed.
void loom_damage_free(struct loom_damage *damage);

void loom_graph_free(struct loom_graph *g); // frees it when its last user has released it

#endif
