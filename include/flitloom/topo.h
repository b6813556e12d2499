// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_H
#define LOOM_TOPO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>

LOOM_API_BEGIN

#define LOOM_NODES_MAX 1048576 // of a fabric that plans are made for; simulated and built fabrics have far fewer
#define LOOM_DIMS_MAX 20
#define LOOM_TOPO_NAME 160
#define LOOM_LANES_MAX 8 // lanes of each link between routers
// bytes of the text after the colon, without lanes and what follows them; a file's name may be longer
#define LOOM_TOPO_SIZE 64
#define LOOM_LIGHT_CYCLES_MAX 63
#define LOOM_LIGHT_RATIO_MAX 16
#define LOOM_BUFFERS_USUAL 2
#define LOOM_BUFFERS_MAX 64
#define LOOM_LINK_DELAY_MAX 63
#define LOOM_LINK_CLASSES_MAX (LOOM_DIMS_MAX + 1)
#define LOOM_ROUTER_DELAY_MAX 15
#define LOOM_FLIT_BITS_USUAL 32
#define LOOM_FLIT_BITS_MAX 512

struct loom_graph;
struct loom_graph_wires;
struct loom_topo_kind;

// Delays of links by class (loom_topo_link_class_name). If there is one delay fewer than the fabric has classes,
// links that close rings have the delay of their dimension.
struct loom_link_delays {
	unsigned n; // 0: all links are equal
	uint8_t of[LOOM_LINK_CLASSES_MAX];
};

// A fabric is of a kind and has a shape: `n_dims` extents, dimension 0 being the one that varies fastest in the node
// number and is named last. mesh:3x5 has extents 5 and 3, and node y*5 + x; a cube has n extents of 2, a multistage
// network one, its number of nodes.
//
// It is made of tiles (on a direct network one per node: router, node and monitor). Every channel belongs to the tile
// whose monitor counts it: the outgoing channels of the tile's router by port, then the injection channel.
//
//   channel = tile * channels_per_tile + k      k < ports-1: towards a neighbour   k = ports-1: ejection
//                                               k = ports:   injection             channels_per_tile = ports + 1
//
// A copy by assignment shares the memory of the fabric that it was copied from, and is valid for as long as that one.
// For a copy that lives longer, use loom_topo_copy. The caller frees such copies and the fabrics that the functions
// below fill in, by loom_topo_free; that matters only for networks with a graph, and after turns were set.
struct loom_topo {
	const struct loom_topo_kind *kind;
	// "mesh:3x5", in its usual form. These follow, in this order: v and n_vcs if that is not 1; b and buffers if
	// not 2; d and link_delay if not 0, or the delays of all classes ("d1.2"); r and router_delay if not 0; f and
	// flit_bits if specified: "ring:8v2b8d3r1f64"
	char name[LOOM_TOPO_NAME];
	uint32_t n_nodes;
	uint32_t n_tiles;
	unsigned n_dims;
	uint32_t extent[LOOM_DIMS_MAX]; // 0 beyond n_dims
	// the ports of a router, the local one included: the channels of a tile without the injection channel
	unsigned ports;
	unsigned label_bits; // bits of a node's label in a header (loom_topo_label)
	uint64_t no_link;    // bit p: no node has a link p
	// Virtual channels (lanes) of each link between routers: usually 1; up to LOOM_LANES_MAX if routers go
	// dimension by dimension or have tables; 1 or 2 on an OTIS-Mesh. docs/deadlock.md says which messages use
	// which.
	unsigned n_vcs;
	// For the optical links of an OTIS-Mesh: the cycles by which a header comes later than over an electronic
	// link with the same ratio; and the cycles for which a flit occupies the link, 1 or more. Elsewhere 0.
	uint32_t light_cycles, light_ratio;
	// Flits that the buffer at the end of a channel holds, for each virtual channel.
	unsigned buffers;
	// Cycles by which a flit takes longer than usual between two routers; optical links have light_cycles
	// instead. The near end of such a link sends while it knows of room in the buffer at the far end. It learns
	// of new room as many cycles later than usual.
	unsigned link_delay;
	// If links differ, link_delay is the largest delay, and these are the delays of each class. If a graph's file
	// gives delays, the graph has them; see loom_topo_link_delay.
	struct loom_link_delays delays;
	// Cycles by which a flit takes longer in each router that it leaves by a link. The flit has left its buffer
	// by then, and the credit goes back at once. So such a router at the near end makes a link behave as one with
	// a delay whose credits come back sooner.
	unsigned router_delay;
	// Bits of a flit; nodes make and check payload of this width. No cycle depends on them. 0: not specified;
	// simulations then take LOOM_FLIT_BITS_USUAL, and a chip its own width.
	unsigned flit_bits;
	// Owned: links, routes and names of a user's network (flitloom/routes/graph.h); else NULL.
	struct loom_graph *graph;
	// Owned: the turns that rule `turns` forbids here (loom_topo_set_turns of flitloom/routes/forbidden_turns.h);
	// else NULL.
	struct loom_turn_sets *turns;
};

// The rule in a message's header, which decides its route. Bit 0, on a direct network: the highest dimension is
// corrected first, instead of the lowest: e^-1-cube instead of e-cube, YX instead of XY. Bit 1, if the dimensions are
// rings: messages always go by + (clockwise, [Youssef93] section 5), instead of the shorter way round.
//
// If routers have tables, and links more than one virtual channel, a rule is the number of a virtual network: it
// selects the tables by which the message goes, and the virtual channel on each link of its route. For messages that
// go by a rule, without a chosen route, the tables of network r hold the link that `next` gives for rule r.
enum loom_rule {
	LOOM_RULE_ASCENDING = 0,
	LOOM_RULE_DESCENDING = 1,
	LOOM_RULE_ONE_WAY = 2, // ascending
	LOOM_RULE_ONE_WAY_DESCENDING = 3,
	// Rules that let a router choose, or the source (flitloom/routes/choice.h).
	LOOM_RULE_NEGATIVE_FIRST = 4,
	LOOM_RULE_WEST_FIRST = 5,
	LOOM_RULE_NORTH_LAST = 6,
	LOOM_RULE_ODD_EVEN = 7,
	LOOM_RULE_DUATO = 8,
	LOOM_RULE_O1TURN = 9,
	LOOM_RULE_ROMM = 10,
	LOOM_RULE_VALIANT = 11,
	LOOM_RULE_TURNS = 12,
};
// rules by which the route of a message follows from its ends; also the most virtual networks
#define LOOM_RULES_MAX 4
#define LOOM_RULES_NAMED 13 // all rules of the enum

// The method by which a router finds the next channel.
enum loom_router {
	LOOM_ROUTER_STAGES, // a multistage network: there is only one route
	// dimension by dimension, from the coordinates in the header; with `wraps`, each dimension is a ring
	LOOM_ROUTER_ORDER,
	LOOM_ROUTER_TABLE, // from a table that the host loads, indexed by label
	// optical circuit switches: there is only one route, and it has light at times (flitloom/circuits.h)
	LOOM_ROUTER_CIRCUITS,
	LOOM_ROUTER_OTIS, // from group and processor in the header, by a shortest route of an OTIS-Mesh
};

struct loom_route;

// A kind of fabric. A direct network provides three functions: `link`, `next` and `link_name`;
// host/topo/topo_direct.h derives the rest from these. A multistage network leaves them out. Every kind has all the
// other functions; a kind without special needs uses those of host/topo/topo_defaults.h.
struct loom_topo_kind {
	const char *name;    // "mesh"
	uint32_t code;       // KIND register
	const char *sizes;   // the legal texts after the colon: "1..20", "AxB[xC..]"
	const char *size_is; // the name of that text: "dimensions"
	const char *help;
	// Fills in n_nodes, n_tiles, n_dims, extent and ports from the text after the colon. On failure err says what
	// would be right.
	int (*read_size)(struct loom_topo *t, const char *size, struct loom_err *err);
	// Writes the text after the colon, from n_dims and extent.
	void (*write_size)(const struct loom_topo *t, char out[40]);
	// Writes the size, as after the colon, of its fabric with n_nodes or, if there is none, the next larger one,
	// else the largest: the fabric that loom_topo_near names.
	void (*size_near)(char out[40], uint32_t n_nodes);
	// Reads the size of a kind whose links are kept in tables (`graph` of struct loom_topo): fills in what
	// read_size does, and name, n_vcs and graph. Such a kind has none of the three functions above; other kinds
	// have no `parse`.
	int (*parse)(struct loom_topo *t, const char *text, struct loom_err *err);
	// The text after the colon names a file, which `parse` reads.
	bool is_in_file;
	// Makes the nodes and links of a kind whose links follow from its size and are kept as those of a graph. The
	// size may be written in any legal way; `usual` gets its usual form. *out is empty before.
	int (*make)(struct loom_graph_wires *out, char usual[LOOM_TOPO_SIZE], const struct loom_topo_kind *kind,
	            const char *size, struct loom_err *err);
	// names of the n_link_classes classes of the wires that `make` makes; NULL: they are numbers from 0
	const char *const *link_classes;
	enum loom_router router;
	// For LOOM_ROUTER_TABLE and nodes with coordinates: bits of a label beyond those that number the nodes, up to
	// 11 in all (10 with four virtual channels), so that a table has room for routes that are chosen message by
	// message (flitloom/routes/route_tables.h); 0: it has no such room.
	unsigned spare_label_bits;
	bool wraps; // each dimension is a ring; with LOOM_ROUTER_ORDER, the rules of one way exist too
	// The number of consecutive dimensions, 1 or more, that form one coordinate of patterns (loom_topo_shape).
	unsigned dims_of_coordinate;
	bool complements_bits;  // link p of a node complements bit p of its number: a cube
	bool self_uses_network; // a message to oneself takes a route like any other; else it never leaves its node
	// messages can cross it in both directions, but all messages of a pass in one; rule ascending: backward
	bool two_directions;

	// Finds the end of link p of node u, p < ports - 1: it ends at node *v, at the input beside v's link *q,
	// which is the link that leads back. False: u has no such link.
	bool (*link)(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q);
	// For networks whose links may lead one way only, so that v has no link q. Finds the link that ends at input
	// p of node u: link *q of node *v. false: there is none.
	bool (*one_way)(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q);
	// Returns the link by which a message leaves `here`. Never called with here == destination.
	unsigned (*next)(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule);
	void (*link_name)(const struct loom_topo *t, unsigned p, char out[16]); // "+x"
	// Returns the rule by which a message goes if `rule` is asked for: that one, or one that follows from its
	// ends.
	unsigned (*rule_of)(const struct loom_topo *t, uint32_t source, uint32_t destination, unsigned rule);
	// Computes a bound for any routes: at least this many of the messages share a channel.
	int (*bound)(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
	             size_t n, struct loom_err *err);

	// As loom_route_next, for a route that has not arrived and was not chosen. The other functions are described
	// at loom_topo_groups and the functions behind it.
	bool (*route_next)(struct loom_route *route, uint32_t *channel);
	unsigned (*groups)(const struct loom_topo *t);
	unsigned (*group_of)(const struct loom_topo *t, uint32_t channel);
	void (*group_name)(const struct loom_topo *t, unsigned group, char out[16]);
	void (*channel_name)(const struct loom_topo *t, uint32_t channel, char out[48]);
};

// Makes a fabric from its name: "cube:8", "mesh:3x5", "torus:4x4v2", "cube:8b4", "graph:FILE", "graph:FILE:v2:b4".
// LOOM_EINPUT names the nearest kind and the legal sizes; LOOM_EFILE: a file cannot be read.
int loom_topo_parse(struct loom_topo *out, const char *text, struct loom_err *err);
void loom_topo_copy(struct loom_topo *out, const struct loom_topo *t);
void loom_topo_free(struct loom_topo *t); // NULL and a zeroed one allowed; leaves *t zeroed
// Makes the fabric of the kind called `kind` that has about n_nodes. LOOM_EINPUT: there is no such kind, or it has no
// sizes.
int loom_topo_near(struct loom_topo *out, const char *kind, uint32_t n_nodes, struct loom_err *err);
// Makes the fabric of a kind with these extents, as struct loom_topo has them.
int loom_topo_of_extents(struct loom_topo *out, const struct loom_topo_kind *kind, unsigned n_dims,
                         const uint32_t *extent, struct loom_err *err);
// Changes the number of virtual channels of each link. LOOM_EINPUT: its links cannot have n_vcs.
int loom_topo_set_vcs(struct loom_topo *t, unsigned n_vcs, struct loom_err *err);
// Changes the flits that a buffer holds. LOOM_EINPUT: not 2 to 64.
int loom_topo_set_buffers(struct loom_topo *t, unsigned buffers, struct loom_err *err);
// Makes the links of a direct network slower by `cycles` cycles. LOOM_EINPUT: more than 63; or a multistage network,
// or an OTIS-Mesh whose light is no wire: these have no slower links.
int loom_topo_set_link_delay(struct loom_topo *t, unsigned cycles, struct loom_err *err);
// Returns the delay of one link between routers; 0 for local channels.
unsigned loom_topo_link_delay(const struct loom_topo *t, uint32_t channel);
bool loom_topo_link_delays_differ(const struct loom_topo *t); // true also if they only may differ
// Returns a number that follows from the delays of all links, if they differ; 0: they are all the same. Chips have it
// in a register.
uint32_t loom_topo_link_delays_mark(const struct loom_topo *t);
// Returns the number of classes of links by which delays can differ. On cubes, lines and meshes these are the
// dimensions, "0" being the one that varies fastest; on rings and tori also "wrap", the links that close rings; on
// kinds such as dragonfly:4,2 those that docs/networks.md names. 0: the links of this fabric have no classes.
unsigned loom_topo_link_classes(const struct loom_topo *t);
// Writes the name of a class.
void loom_topo_link_class_name(const struct loom_topo *t, unsigned link_class, char out[16]);
#define LOOM_SLOW_GROUPS 64
// Returns the group of a slow link, that is, of a link with a delay. Slow links are grouped by class if the delays
// were given by class, else by delay. LOOM_SLOW_GROUPS: the channel is no slow link.
unsigned loom_topo_slow_group(const struct loom_topo *t, uint32_t channel);
// A group of slow links.
struct loom_slow_links {
	char link_class[16]; // empty: delays were not given by class
	unsigned delay;
	uint32_t n_channels; // 0: there is no such group
};
// Describes each group of slow links. Returns how many there are.
unsigned loom_topo_slow_links(struct loom_slow_links out[LOOM_SLOW_GROUPS], const struct loom_topo *t);
#define LOOM_SLOW_TEXT 160
// Writes the delays of slow links. "3 cycles", "1, 4 cycles", or by class "0:2, wrap:5 cycles". False: no link is
// slow; `out` is empty.
bool loom_topo_slow_text(char out[LOOM_SLOW_TEXT], const struct loom_topo *t);
// Makes a flit stay in each router of a direct network for `cycles` cycles more. LOOM_EINPUT: more than 15; or a
// network that cannot have slower links.
int loom_topo_set_router_delay(struct loom_topo *t, unsigned cycles, struct loom_err *err);
// Changes the bits of a flit. LOOM_EINPUT: fewer than loom_topo_flit_least, or more than 512.
int loom_topo_set_flit_bits(struct loom_topo *t, unsigned bits, struct loom_err *err);
unsigned loom_topo_flit_bits(const struct loom_topo *t);  // bits of a flit in simulations
unsigned loom_topo_flit_least(const struct loom_topo *t); // the fewest bits in which a header fits
// Gives the optical links of an OTIS-Mesh this latency and ratio. LOOM_EINPUT: it is no OTIS-Mesh, or they are out of
// range.
int loom_topo_set_light(struct loom_topo *t, uint32_t cycles, uint32_t ratio, struct loom_err *err);
// Returns the shape by which patterns take coordinates: its extents, and their number (flitloom/pattern.h). It is
// that of the fabric; for an OTIS-Mesh group and processor, N x N; for a graph that of its wires. The product of the
// extents is loom_topo_hosts.
unsigned loom_topo_shape(uint32_t extent[LOOM_DIMS_MAX], const struct loom_topo *t);
// Returns the number of nodes that send and receive, which are the first ones. The nodes behind them are switches,
// which a graph may have, or ports of the same nodes on further circuit switches, as in ocs:8x2. Patterns and traffic
// are made for this number of processors.
uint32_t loom_topo_hosts(const struct loom_topo *t);
// Writes the size of a network as people say it.
void loom_topo_size_text(char out[48], const struct loom_topo *t); // "64 nodes", "8 nodes, 12 switches"
// Returns a kind of fabric: the i-th one; or the one with this code in register KIND.
const struct loom_topo_kind *loom_topo_kind_at(size_t i); // NULL after the last
const struct loom_topo_kind *loom_topo_kind_by_code(uint32_t code);

// Returns the number of rules that messages on the fabric can go by: these are the rules below it. Rules of
// flitloom/routes/choice.h are not counted.
unsigned loom_topo_rules_count(const struct loom_topo *t);
// Returns the rule by which a message goes if `rule` is asked for.
unsigned loom_topo_rule(const struct loom_topo *t, uint32_t source, uint32_t destination, unsigned rule);
// True if the rule of a message follows from its ends alone, whatever rule is asked for.
bool loom_topo_rules_by_ends(const struct loom_topo *t);
// Returns the virtual channel that a message with this rule takes on each link, if routers have tables; else 0.
unsigned loom_topo_network(const struct loom_topo *t, unsigned rule);
// The name of a rule.
const char *loom_rule_name(unsigned rule); // "ascending", "west-first"; NULL from LOOM_RULES_NAMED on

// Channels of a fabric and of each of its tiles, and whether one is a node's own.
uint32_t loom_topo_channels(const struct loom_topo *t);
uint32_t loom_topo_channels_per_tile(const struct loom_topo *t);
// Injection or ejection, where messages have no contention.
bool loom_topo_is_local(const struct loom_topo *t, uint32_t channel);
// A channel's existence and its name. A router at an edge has ports without a link: their channels have numbers, and
// nothing else.
bool loom_topo_channel_exists(const struct loom_topo *t, uint32_t channel);
void loom_topo_channel_name(const struct loom_topo *t, uint32_t channel, char out[48]); // "5->7 (dim 1)", "inject 5"

// Groups of channels, as a person would name them: on a direct network one for each link number, then "inject" and
// "eject". Every channel that exists is in one group, and no group is empty; the last two are those of local
// channels.
unsigned loom_topo_groups(const struct loom_topo *t); // inject and eject included
unsigned loom_topo_group_of(const struct loom_topo *t, uint32_t channel);
void loom_topo_group_name(const struct loom_topo *t, unsigned group, char out[16]); // "dim3", "+x", "inject"

// Computes a bound for any routes: at least *out of these messages share a channel.
int loom_topo_bound(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
                    size_t n, struct loom_err *err);

// Returns the label by which a header names a node. If routers work by dimension order, it is the node's coordinates
// side by side, dimension 0 lowest, each in as few bits as hold it and at least one; else the node's number.
uint32_t loom_topo_label(const struct loom_topo *t, uint32_t node);
// Finds the node with this label. False: no node has it.
bool loom_topo_node_of_label(uint32_t *out, const struct loom_topo *t, uint32_t label);

// The channels from source to destination in order, injection first, ejection last:
//
//   for (loom_route_begin(&route, ...); loom_route_next(&route, &channel);)
struct loom_route {
	const struct loom_topo *topo;
	uint32_t source, destination;
	enum loom_rule rule;
	uint32_t at;   // the node, or on a multistage network the line, where the header is
	uint32_t step; // channels passed so far
	bool arrived;
	uint32_t channel;                    // the channel that loom_route_next gave last
	unsigned vc;                         // the virtual channel of it by which the message goes, below n_vcs
	uint32_t via;                        // with rules of flitloom/routes/via.h: the node through which it goes
	bool is_second;                      // with these rules: from here on it takes the second half of the lanes
	const uint32_t *chosen, *chosen_end; // NULL: the rule decides; else the links to come (loom_plan_route_begin)
};
void loom_route_begin(struct loom_route *out, const struct loom_topo *t, uint32_t source, uint32_t destination,
                      enum loom_rule rule);
bool loom_route_next(struct loom_route *route, uint32_t *channel);
uint32_t loom_route_length(const struct loom_topo *t, uint32_t source, uint32_t destination, enum loom_rule rule);

// Returns the number of links of a node, with those that may be missing; 0: no direct network. Hardware is built and
// loaded from this number and the facts below, for direct networks only.
unsigned loom_topo_links(const struct loom_topo *t); // 0: not direct
// Describes the end of link p of node u for the RTL: bits 11:0, the node; bits 20:12, the link there that leads back;
// bit 21, nothing comes back by it; bit 22, nothing leaves by it; bit 23, the link exists. Up to 4096 nodes.
uint32_t loom_topo_wire(const struct loom_topo *t, uint32_t u, unsigned p);
// Returns the port by which a message leaves `here`: 0, to the node itself; p + 1, by link p.
unsigned loom_topo_port(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule);

// The end of a fabric's name, which describes its routers and not its network: "b8d3r1f64" of mesh:8x8v2b8d3r1f64,
// ":b8:d3" of graph:FILE:v2:b8:d3.

// The values in that end.
struct loom_topo_suffix {
	unsigned buffers, flit_bits; // 0: not given
	unsigned link_delay, router_delay;
	bool has_link_delay, has_router_delay;
	struct loom_link_delays delays; // with has_link_delay, if links differ; link_delay is then the largest
};

// Reads such an end of a text. Returns the length of the text before it.
size_t loom_topo_suffix_split(struct loom_topo_suffix *out, const char *text);
// Reads the delays of links, as a user gives them, into link_delay and delays: "3", or by class "0:2,1:5", "wrap:4".
// Classes that are not given have 0; links that close rings then have the delay of their dimension. LOOM_EINPUT names
// the classes of this fabric.
int loom_link_delays_parse(struct loom_topo_suffix *out, const struct loom_topo *t, const char *text,
                           struct loom_err *err);
// Gives the fabric these values, and writes them at the end of its name, in place of those that stood there.
int loom_topo_suffix_set(struct loom_topo *t, const struct loom_topo_suffix *suffix, struct loom_err *err);

LOOM_API_END

#endif
