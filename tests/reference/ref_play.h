// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_PLAY_H
#define REF_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Computes the loads that worms on given routes put on channels, and their cycles, by counts and by moving flits one at
// a time. It knows only routes: no fabric, no formula.

#define REF_PLAY_UNKNOWN UINT64_MAX

struct ref_worm {
	uint32_t pass;
	uint32_t source, destination; // processors
	uint32_t flits;
	bool fetched,
		kept; // fetched: it carries data that its sender received before; kept: its receiver will send the data on
	unsigned length;         // channels on its way, the nodes' own included; 0: it never leaves its node
	const uint32_t *channel; // in order
};

struct ref_play {
	size_t n_worms;
	const struct ref_worm *worm;
	uint32_t n_passes, n_channels, n_nodes, n_members;
	unsigned n_groups;
	const uint32_t *member_of_pass;
	const unsigned *group_of_channel;
	const bool *is_local; // a node's own channel
	// By channel, or NULL: the cycles by which flits arrive later than on other channels, and the cycles for which
	// a flit occupies the channel.
	const unsigned *late, *keeps;
	bool free_running; // no barrier between passes; all worms have the same length
};

uint32_t ref_play_load(const struct ref_play *p, uint32_t pass, uint32_t channel); // worms
uint64_t ref_play_flits(const struct ref_play *p, uint32_t pass, uint32_t channel);
// Return the most worms on a channel between nodes: in one pass; in the worst pass of a member; in the worst pass of
// all.
uint32_t ref_play_pass_contention(const struct ref_play *p, uint32_t pass);
uint32_t ref_play_member_contention(const struct ref_play *p, uint32_t member);
uint32_t ref_play_contention(const struct ref_play *p);
// Largest over members and groups; largest over groups of the sum over members; sum of all ("maxmax", ...): each of
// the most worms on a channel of the group in a pass of the member, channels between nodes only.
uint64_t ref_play_objective(const struct ref_play *p, const char *objective);
// Passes in which no channel, own ones included, can have two worms: of each member the channel with most; if data is
// relayed, the node that has most to send of its own, or most to receive for itself.
uint64_t ref_play_passes_bound(const struct ref_play *p);

// The cycle in which the tail has crossed its last channel, if nobody is in the way; 0 if it never leaves.
uint64_t ref_play_tail(const struct ref_play *p, size_t worm);
uint64_t ref_play_header(const struct ref_play *p, size_t worm); // the same for its header
// Cycles of each pass (of a free run: by how much it is later than all before it), out[n_passes]; REF_PLAY_UNKNOWN
// where two worms of one pass share a channel, and throughout a free run in which that happens or a channel is not as
// far from all senders which use it.
void ref_play_cycles(uint64_t *out, const struct ref_play *p);
// True if two flits would have to cross a channel in one cycle.
bool ref_play_collides(const struct ref_play *p);

#endif
