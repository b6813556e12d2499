// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CHANNEL_GRAPH_H
#define LOOM_CHANNEL_GRAPH_H

#include <stddef.h>
#include <stdint.h>

// A directed graph whose nodes are channels. Few edges leave a channel (as many as there are ways on from it), so they
// are a list of each channel's own.
struct loom_channel_edge {
	uint32_t from, to;
	uint32_t next; // of the same `from`: index of the edge that was added before
	uint64_t who;  // whatever the first to add it has said
};

struct loom_channel_ways {
	uint32_t last; // index of the edge added last, LOOM_CHANNEL_EDGE_NONE if there is none
	uint32_t to;   // where the last call of loom_channel_graph_add went: most messages go on as the one before did
};

struct loom_channel_graph {
	uint32_t n_channels;
	struct loom_channel_ways *ways; // owned: of each channel
	struct loom_channel_edge *edge; // owned
	size_t n_edges, n_room;
};

#define LOOM_CHANNEL_EDGE_NONE UINT32_MAX

// These return 0, or -1 if memory ran out.
int loom_channel_graph_init(struct loom_channel_graph *out, uint32_t n_channels);
int loom_channel_graph_add(struct loom_channel_graph *g, uint32_t from, uint32_t to, uint64_t who); // once is enough
// A circle, as indices of its edges in their order, beginning at its lowest channel: malloc'ed. *n is 0 and *out NULL if
// there is none.
int loom_channel_graph_circle(uint32_t **out, size_t *n, const struct loom_channel_graph *g);

void loom_channel_graph_clear(struct loom_channel_graph *g); // takes all edges out
void loom_channel_graph_free(struct loom_channel_graph *g);

#endif
