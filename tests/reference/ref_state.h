// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_STATE_H
#define REF_STATE_H

#include "reference.h"

// What the machine's own files know of it.

#define NONE SIZE_MAX

struct flit {
	size_t message;
	unsigned index; // 0 is the header, n_flits - 1 the tail
};

struct buffer {
	struct flit slot[REF_SLOTS_MAX]; // slot[0] is the head
	unsigned n_flits;
	size_t wants;         // the lane the head has to cross next, NONE if empty; found anew every cycle
	bool asks;            // the head is a header: it asks for `wants`
	size_t asker;         // the message which asked last from here, NONE before the first
	uint64_t asked_cycle; // the first cycle in which it asked
};

struct lane {
	size_t holder;      // the worm whose header has crossed and whose tail has not, or NONE
	size_t from;        // this cycle: the buffer whose head crosses; or NONE
	bool inject;        // this cycle: the flit comes out of the source itself
	unsigned n_headers; // this cycle: headers that ask for it
};

// What a source sends next: flit `index` of message `message`.
struct source {
	size_t message; // NONE when everything is sent
	unsigned index;
};

struct ref_light;

struct state {
	const struct ref_machine *machine;
	const struct ref_net *net;
	const struct ref_message *message;
	size_t n_messages;
	unsigned n_nodes;
	unsigned n_links;
	unsigned n_vcs;
	size_t n_channels;
	size_t n_lanes;
	unsigned *turn;        // by channel: the virtual channel that goes first
	size_t *input;         // by node and port 0..n_links: the channel that ends there, or NONE; see input_channel
	struct buffer *buffer; // by lane
	struct lane *lane;     // by lane
	struct source *source; // by node
	struct ref_channel *count;
	struct ref_arrival *arrival;
	size_t n_done;
	uint64_t cycle;
	struct ref_light *light; // NULL where there are no optical links, or these are as electronic ones
	struct {
		unsigned vc; // n_vcs: nothing
		struct flit flit;
	} * arrives; // by node: what comes out of its optical link in this cycle
};

// Nothing moves any more.
void ref_state_find_lock(struct ref_lock *out, const struct state *s, uint64_t cycle);

#endif
