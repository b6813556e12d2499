// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CHANNEL_GRAPH_H
#define LOOM_CHANNEL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arrays.h"

// The channel dependency graph ([Dally87]): an edge leads from each channel that a message holds to the one that it
// waits for next. Few edges leave a channel (one for each way on from it), so each channel has a list of its edges.
//
// A graph is filled in one of two ways. To learn whether there is a circle, add all edges and call
// loom_channel_graph_circle. To find routes without a circle, put one route after the other, and take some out again.
struct loom_channel_edge {
	uint32_t from, to;
	uint32_t next;           // the index of the edge with the same `from` that was added before it
	uint32_t n_users : 31;   // routes that were put and not taken; an edge with 0 does not count
	uint32_t is_refused : 1; // it would close a circle with edges that stay, because no route has been taken yet
	uint64_t who;            // the value given by the first call that added it
};

// The channels behind one channel are mostly those of one node, whose numbers are consecutive.
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
	bool shrinks;              // a route has been taken out
	uint64_t n_looked_at;      // edges that puts have examined, for callers that limit their work
	struct loom_arrays arrays; // owns the arrays but `edge`
};

#define LOOM_CHANNEL_EDGE_NONE UINT32_MAX

// All functions that return an int return 0, or -1 if memory ran out.
int loom_channel_graph_init(struct loom_channel_graph *out, uint32_t n_channels);
int loom_channel_graph_add(struct loom_channel_graph *g, uint32_t from, uint32_t to, uint64_t who); // once is enough
int loom_channel_graph_append(struct loom_channel_graph *g, uint32_t from,
                              uint32_t to); // a new edge
// Finds a circle. *out, malloc'ed: the indices of its edges in their order, beginning at its lowest channel. *n is 0
// and *out NULL if there is none.
int loom_channel_graph_circle(uint32_t **out, size_t *n, const struct loom_channel_graph *g);
// Computes for each channel the number of edges of the longest chain that ends there. 1: there is a circle.
int loom_channel_graph_chains(uint32_t *longest, const struct loom_channel_graph *g);

// These functions add the edges of messages, except those that cannot be in a circle: no other message waits for a
// channel that only one message uses, so an edge skips it. Count all messages on all their channels before the first
// one follows its route. loom_channel_graph_count returns true if another message has been counted on the channel, too.
bool loom_channel_graph_count(struct loom_channel_graph *g, uint32_t channel);
// Moves a message on to the channel. *held is the channel that it holds, which this call changes; at first
// LOOM_CHANNEL_NONE.
int loom_channel_graph_follow(struct loom_channel_graph *g, uint32_t *held, uint32_t channel, uint64_t who);
#define LOOM_CHANNEL_NONE UINT32_MAX

// Puts a route that takes these channels one after the other. If it would close a circle with those that were put, the
// result is 1 and the graph is unchanged.
int loom_channel_graph_put(struct loom_channel_graph *g, const uint32_t *channel, size_t n);
// Takes out a route that was put.
void loom_channel_graph_take(struct loom_channel_graph *g, const uint32_t *channel, size_t n);

void loom_channel_graph_clear(struct loom_channel_graph *g); // takes out all edges and all counted messages
void loom_channel_graph_free(struct loom_channel_graph *g);

// Lanes of the same channels; each lane has its own graph.
struct loom_lane_graphs {
	uint32_t n_channels, n_lanes;
	struct loom_channel_graph *lane; // owned
};

// Makes n_lanes lanes, which may be 0. -1: out of memory, and *out can be freed.
int loom_lane_graphs_init(struct loom_lane_graphs *out, uint32_t n_channels, uint32_t n_lanes);
// Puts a route on the first lane on which it closes no circle, *lane. Adds lanes as needed, up to `most` in all. 1: it
// would close a circle on each of these; -1: out of memory.
int loom_lane_graphs_put(uint32_t *lane, struct loom_lane_graphs *g, uint32_t most, const uint32_t *channel, size_t n);
void loom_lane_graphs_clear(struct loom_lane_graphs *g); // empties all lanes
void loom_lane_graphs_free(struct loom_lane_graphs *g);  // a zeroed one as well

#endif
