// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_NET_H
#define REF_NET_H

#include <stdbool.h>
#include <stddef.h>

// Computes direct networks from the coordinates of their nodes, and the channels that messages on them cross, by
// following each message. No code is shared with the library.

#define REF_NODES_MAX 4096u // nodes of a network that is walked or simulated
#define REF_EXTENTS_MAX 16u
#define REF_VCS_MAX 4u

// In which order a message corrects the coordinates which differ, and which way it goes around a ring. Where routers have tables and
// links several lanes it is the number of a lane, too, 0 to 7; on those from 4 on messages go as on the one four below.
enum ref_order {
	REF_ASCENDING,    // dimension 0 first: e-cube, x before y; the shorter way
	REF_DESCENDING,   // the last dimension first; the shorter way
	REF_UP_ASCENDING, // as these two, and always up; on rings and tori only
	REF_UP_DESCENDING,
};

enum ref_kind { REF_CUBE, REF_LINE, REF_RING, REF_MESH, REF_TORUS, REF_GRAPH, REF_OTIS };

#define REF_NOWHERE (~0u)

// A network as a list of links, and the ways that messages take on it.
struct ref_graph {
	unsigned n_links; // links of a node, those included that do not exist
	struct ref_end {
		unsigned node, link; // node REF_NOWHERE: none
	} * out, *in;                // node * n_links + link: where the link ends, and what ends beside it
	unsigned *next;              // node * nodes + destination: the link
	unsigned *vc;                // source * nodes + destination
	unsigned char *delay;        // node * n_links + link: cycles by which it is slow; for ref_net.delays
};

// extent[0] belongs to the coordinate that changes fastest with the node number: node = x + y * extent[0] + ...
struct ref_net {
	enum ref_kind kind;
	unsigned n_extents;
	unsigned extent[REF_EXTENTS_MAX]; // >= 1; of a cube 2
	unsigned n_vcs;                   // virtual channels of a link, 1 to 8; 0 means 1
	unsigned n_slots;                 // slots of each buffer; 0 means 2
	unsigned link_delay;              // cycles by which links are slower than usual
	unsigned n_delays;                // if links differ: the number of class_delay; link_delay is the largest then
	unsigned class_delay[REF_EXTENTS_MAX +
	                     1];     // by dimension; then, if there is one more, for links that close rings
	const unsigned char *delays; // node * links + link: that of each link, instead of these; NULL: none; not owned
	unsigned router_delay;       // more cycles that routers take towards links
	bool has_tables; // routers have tables; n_vcs is 1 to 8 then, and each lane is for messages of one order
	unsigned light_cycles, light_ratio; // of the optical links of REF_OTIS, whose extents are four equal ones
	// Turns that no message may take, for rule REF_TURNS: [(node * links + link in) * links + link out]; turns back
	// to the link in are among them. NULL: none; not owned
	const unsigned char *forbidden;
	const struct ref_graph *graph; // of REF_GRAPH, whose one extent is the number of its nodes; not owned
};

struct ref_net ref_net_cube(unsigned n_dims); // n_dims <= REF_EXTENTS_MAX

// Reads also a b and the slots of each buffer, then a d and the delay of links, then an r and that of routers, at the end of any of
// these names, as cube:3b4d1r2; of links that differ with dots between, as mesh:2x3d1.5.
// Reads also otis-mesh:16l4w2v2, with l, w and v only where they are not 0, 1 and 1.
// Reads cube:3, line:4, ring:4, mesh:3x5 or torus:2x3x4; the extent named last is extent[0]. A v2 to v8 behind a
// name gives each link two to eight virtual channels, as table-mesh:3x5v2. -EINVAL: none of these, or fewer than 2 or more than REF_NODES_MAX nodes.
int ref_net_parse(struct ref_net *out, const char *name);

unsigned ref_net_nodes(const struct ref_net *net);
unsigned ref_net_delay(const struct ref_net *net, unsigned node, unsigned link); // of a link that may be missing
unsigned ref_net_slots(const struct ref_net *net);                               // of NULL: 2

// Numbers of links per node, those at an edge included: cube: one per dimension; others: 2d leads to coordinate d plus 1,
// 2d + 1 to minus 1; OTIS-Mesh: those of a mesh, and the optical one.
unsigned ref_net_links(const struct ref_net *net);

// Finds the node at the link's end, and the link of that node that leads back. False: there is no such link, and the
// outputs do not change.
bool ref_net_link(unsigned *out_node, unsigned *out_back, const struct ref_net *net, unsigned node, unsigned link);

// Finds the link that ends beside this link of `node`: link *out_link of *out_node. False: there is none.
bool ref_net_input(unsigned *out_node, unsigned *out_link, const struct ref_net *net, unsigned node, unsigned link);

// The link on which a message at `node` leaves for `destination`; ref_net_links() when it has arrived. Around a ring it
// goes the shorter way, up if both are equally long, or always up.
unsigned ref_net_next(const struct ref_net *net, unsigned node, unsigned destination, enum ref_order order);

// Channels are numbered by the node they leave: its links, its ejection channel, its injection channel.
size_t ref_net_channels(const struct ref_net *net);
size_t ref_net_channel(const struct ref_net *net, unsigned node, unsigned link);
size_t ref_net_ejection(const struct ref_net *net, unsigned node);
size_t ref_net_injection(const struct ref_net *net, unsigned node);

// The part of a message that sets its way.
struct ref_way {
	unsigned source;
	unsigned destination;
	enum ref_order order;
};

unsigned ref_net_vcs(const struct ref_net *net); // 1 to 8; of a graph any number

// Returns the virtual channel that the message takes on a link of `node` on its way. On a row or ring it is the
// destination's coordinate modulo the number of virtual channels. If the way crosses the link that joins a ring's ends,
// channels 0 and 1, 2 and 3, ... are pairs, and the destination's coordinate modulo the number of pairs selects the
// pair: the message takes the first channel of the pair before that link, and the second one on the link and behind it.
// On a cube it is the sum of the destination's digits modulo the number of virtual channels; the base of the digits is
// 2, 4 or 8, no less than that number. In a graph a message keeps one virtual channel. On other networks with tables it
// keeps the one with the number of its order. On an OTIS-Mesh see ref_otis_vc.
unsigned ref_net_vc(const struct ref_net *net, const struct ref_way *way, unsigned node, unsigned link);

// Lists the channels that a message crosses, in order, from injection to ejection; none if it is for its own node.
// Returns how many. The caller owns room for ref_net_nodes() + 2.
size_t ref_net_walk(size_t *out, const struct ref_net *net, const struct ref_way *way);

// Counts the messages that cross each channel. out_load has ref_net_channels() elements.
// -EINVAL: network too large, or a node number not in it; -ENOMEM.
int ref_net_load(unsigned *out_load, const struct ref_net *net, const struct ref_way *way, size_t n_ways);

// True if the network is not too large and has every node number.
bool ref_net_is_legal(const struct ref_net *net, const struct ref_way *way, size_t n_ways);

#endif
