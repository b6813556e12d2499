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

#define LOOM_ROUTE_MAX 128 // channels on one route, injection and ejection included

// A fabric is made of tiles (on a direct network one per node: router, node and monitor). Every channel belongs to
// the tile whose monitor counts it: the outgoing channels of the tile's router by port, then the injection channel.
//
//   channel = tile * channels_per_tile + k      k < ports-1: towards a neighbour   k = ports-1: ejection
//                                               k = ports:   injection             channels_per_tile = ports + 1
struct loom_topo {
	const struct loom_topo_kind *kind;
	char name[32]; // "cube:8", canonical
	uint32_t n_nodes;
	uint32_t n_tiles;
	unsigned size;  // the number after the colon: dimensions of a cube, nodes of a multistage network
	unsigned ports; // channels of one tile without the injection channel: a router's ports, the local one included
	unsigned label_bits; // of a node number in a header
};

// What follows a header through the network (a header bit picks it).
enum loom_rule { LOOM_RULE_ASCENDING = 0, LOOM_RULE_DESCENDING = 1 }; // e-cube, e^-1-cube

struct loom_topo_kind {
	const char *name; // "cube"
	uint32_t code;    // KIND register
	unsigned min_size, max_size;
	bool size_is_power_of_two; // only powers of two are legal, min_size and max_size among them
	// The size, as after the colon, of its fabric with n_nodes, or as few more as there can be, else as many as
	// there can be: what loom_topo_near names. NULL: the size is the number of nodes.
	void (*size_near)(char out[24], uint32_t n_nodes);
	bool self_uses_network; // a message to oneself takes a route like any other; else it never leaves its node
	bool two_directions;    // can be passed both ways, but all messages of a pass one way; rule ascending: backward
	const char *size_is;    // "dimensions"
	const char *help;
	void (*shape)(struct loom_topo *t); // fills everything after `size`
	// Channels from source to destination in order, injection first, ejection last; returns their number.
	unsigned (*route)(const struct loom_topo *t, uint32_t source, uint32_t destination, enum loom_rule rule,
	                  uint32_t out[LOOM_ROUTE_MAX]);
	unsigned (*groups)(const struct loom_topo *t); // number of groups, inject and eject included
	unsigned (*group_of)(const struct loom_topo *t, uint32_t channel); // a set of channels that a person would name
	void (*group_name)(const struct loom_topo *t, unsigned group, char out[16]);     // "dim3", "inject", "eject"
	void (*channel_name)(const struct loom_topo *t, uint32_t channel, char out[48]); // "5->7 (dim 1)", "inject 5"
	// A bound that no routing can beat: at least this many of the messages share a channel.
	uint32_t (*bound)(const struct loom_topo *t, const uint32_t *source, const uint32_t *destination, size_t n);
};

// "cube:8". LOOM_EINPUT names the nearest kind and the legal sizes.
int loom_topo_parse(struct loom_topo *out, const char *text, struct loom_err *err);
// The fabric of the kind called `kind` that has about n_nodes. LOOM_EINPUT: there is no such kind.
int loom_topo_near(struct loom_topo *out, const char *kind, uint32_t n_nodes, struct loom_err *err);
const struct loom_topo_kind *loom_topo_kind_at(size_t i); // NULL after the last
const struct loom_topo_kind *loom_topo_kind_by_code(uint32_t code);

uint32_t loom_topo_channels(const struct loom_topo *t);
uint32_t loom_topo_channels_per_tile(const struct loom_topo *t);
int loom_topo_is_local(const struct loom_topo *t, uint32_t channel); // injection or ejection: no contention there

LOOM_API_END

#endif
