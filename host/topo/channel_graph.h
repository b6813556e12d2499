// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CHANNEL_GRAPH_H
#define LOOM_CHANNEL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arrays.h"

// The channel dependency graph ([Dally87]): an edge leads from each channel that a message holds to the one that it
// wants next. Few edges leave a channel (as many as there are ways on from it), so they are a list of each channel's
// own.
//
// A graph is filled in one of two ways. To learn whether there is a circle, add all edges and call
// loom_channel_graph_circle. To find routes without one, put route by route, and take some out again.
struct loom_channel_edge {
	uint32_t from, to;
	uint32_t next;           // the index of the edge with the same `from` that was added before it
	uint32_t n_users : 31;   // routes that were put and not taken; 0: the edge is as good as none
	uint32_t is_refused : 1; // it would close a circle with edges that stay, as no route has been taken
	uint64_t who;            // whatever the first to add it has said
};

// The channels behind one channel are mostly those of one node, which have numbers side by side.
struct loom_channel_ways {
	uint32_t last;  // index of the edge added last, LOOM_CHANNEL_EDGE_NONE if there is none
	uint32_t first; // the lowest channel in `added`
	uint64_t added; // bit i: loom_channel_graph_add has been called for channel first + i; 0: for none yet
};

struct loom_channel_graph {
	uint32_t n_channels;
	struct loom_channel_ways *ways; // owned: of each channel
	struct loom_channel_edge *edge; // owned
	size_t n_edges, n_room;
	uint8_t *users; // owned: messages counted on each channel, 2 for more
	// An order of the channels in which all edges lead upward, if routes are put; it is kept up by [Marchetti96].
	uint32_t *place, *at;      // owned: place[channel] in the order, at[place]; NULL before the first route
	uint32_t *reached;         // owned: channels that a new edge leads to
	bool *is_reached;          // owned: of each channel, all false between two calls
	bool shrinks;              // some route has been taken
	uint64_t n_looked_at;      // edges that puts have looked at, for those who limit their work
	struct loom_arrays arrays; // owns the arrays but `edge`
};

#define LOOM_CHANNEL_EDGE_NONE UINT32_MAX

// All functions that return an int return 0, or -1 if memory ran out.
int loom_channel_graph_init(struct loom_channel_graph *out, uint32_t n_channels);
int loom_channel_graph_add(struct loom_channel_graph *g, uint32_t from, uint32_t to, uint64_t who); // once is enough
int loom_channel_graph_append(struct loom_channel_graph *g, uint32_t from,
                              uint32_t to); // an edge that is not there yet
// A circle, as indices of its edges in their order, beginning at its lowest channel: malloc'ed. *n is 0 and *out NULL
// if there is none.
int loom_channel_graph_circle(uint32_t **out, size_t *n, const struct loom_channel_graph *g);
// Computes for each channel the number of edges of the longest chain that ends there. 1: there is a circle.
int loom_channel_graph_chains(uint32_t *longest, const struct loom_channel_graph *g);

// Adds the edges of messages, except those that cannot be in a circle: no other message waits for a channel that only
// one message uses, so an edge skips it. Count all messages on all their channels before the first one follows its
// route. True if another message has been counted on the channel, too.
bool loom_channel_graph_count(struct loom_channel_graph *g, uint32_t channel);
// The message goes on to the channel. *held: the one that it holds, which this call changes; at first
// LOOM_CHANNEL_NONE.
int loom_channel_graph_follow(struct loom_channel_graph *g, uint32_t *held, uint32_t channel, uint64_t who);
#define LOOM_CHANNEL_NONE UINT32_MAX

// Puts a route that takes these channels one after the other, unless it closes a circle with those that were put:
// then it returns 1 and the graph holds what it held.
int loom_channel_graph_put(struct loom_channel_graph *g, const uint32_t *channel, size_t n);
// Takes out a route that was put.
void loom_channel_graph_take(struct loom_channel_graph *g, const uint32_t *channel, size_t n);

void loom_channel_graph_clear(struct loom_channel_graph *g); // takes out all edges and whoever was counted
void loom_channel_graph_free(struct loom_channel_graph *g);

// Lanes, each with a graph of its own, of the same channels.
struct loom_lane_graphs {
	uint32_t n_channels, n_lanes;
	struct loom_channel_graph *lane; // owned
};

// Makes that many lanes, which may be 0. -1: out of memory, and *out can be freed.
int loom_lane_graphs_init(struct loom_lane_graphs *out, uint32_t n_channels, uint32_t n_lanes);
// Puts a route on the first lane on which it closes no circle: *lane. Lanes are added as it needs them, up to `most`
// in all. 1: it would close one on each of these; -1: out of memory.
int loom_lane_graphs_put(uint32_t *lane, struct loom_lane_graphs *g, uint32_t most, const uint32_t *channel, size_t n);
void loom_lane_graphs_clear(struct loom_lane_graphs *g); // empties all lanes
void loom_lane_graphs_free(struct loom_lane_graphs *g);  // a zeroed one as well

#endif
