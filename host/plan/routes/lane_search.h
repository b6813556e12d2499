// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LANE_SEARCH_H
#define LOOM_LANE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/topo.h>

// A search for a circle in one lane, asked over and over while routes are put on it. The channels that messages hold
// and want are a word for each channel: bit p of after[channel] is set if a message that holds the channel goes on by
// link p of the node where it ends. For networks with up to 64 links of a node.
struct loom_lane_search {
	uint32_t *end; // owned, of each channel: the first channel of the tile to which it leads
	uint32_t *seen,
		round;  // owned; seen: 2 * round on the way to where the search is, 2 * round + 1 when it is done with
	uint32_t *path; // owned
	uint64_t *left; // owned, of each on the path: the links still to go by
};

bool loom_lane_search_init(struct loom_lane_search *out, const struct loom_topo *topo); // false: out of memory
void loom_lane_search_free(struct loom_lane_search *search);
// True if a circle can be reached from that channel.
bool loom_lane_has_circle(struct loom_lane_search *search, const uint64_t *after, uint32_t from);

#endif
