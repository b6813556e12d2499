// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Slow, independent reference models, with which tests compare the library. They share no code with it. A function
// which can fail returns a negative errno value, and then leaves its outputs alone.
#ifndef REF_REFERENCE_H
#define REF_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ref_net.h"
#include "ref_via.h"

struct ref_min;
struct ref_adaptive;

#define REF_DIMS_MAX 8u   // dimensions of the largest cube of ref_machine_run if machine.net is NULL
#define REF_SLOTS_MAX 64u // deepest buffer of ref_machine_run

// The condition under which a header may take a channel that no other worm holds.
enum ref_timing {
	REF_PAPER, // the buffer at the channel's far end is empty at the start of the cycle
	REF_FAST,  // that buffer has a free slot at the start of the cycle
};

// Returns the dimension in which a message at `node` leaves for `destination`; n_dims if it has arrived.
unsigned ref_cube_next(unsigned n_dims, unsigned node, unsigned destination, enum ref_order order);

// The arbitration rule for two headers that have waited equally long for a channel.
enum ref_tie {
	REF_TIE_PORT,     // the one that came in beside the lower link (of a cube: dimension); the injected one is last
	REF_TIE_SOURCE,   // the lower source node, as in golden/000_wormhole.json
	REF_TIE_INJECTED, // the injected one, then as REF_TIE_PORT
	// On a cube: those that came in beside a link whose bit is set in the node's number, the highest first; the injected one;
	// the others, the lowest first. If all messages are corrected from dimension 0 up, that is REF_TIE_SOURCE.
	REF_TIE_CUBE,
};

// Gives the rule of the project's routers: REF_TIE_CUBE for cubes; all others, and those with tables, let the injected one go
// first.
enum ref_tie ref_machine_tie(const struct ref_net *net);

// Counts the messages that cross each directed channel of a binary n-cube, found by walking every message.
// out_load[node * n_dims + d] is the count of the channel from `node` to node ^ 2^d; the caller owns all
// 2^n_dims * n_dims elements. A message to its own node crosses nothing. n_dims <= 20.
// -EINVAL: cube too large, or a node number not in the cube.
int ref_cube_load(unsigned *out_load, unsigned n_dims, const unsigned *source, const unsigned *destination,
                  size_t n_messages, enum ref_order order);

// One worm. n_flits counts header and tail; a message of one flit is both. Worms of the same source leave in list
// order. A message to its own node is not skipped: it goes through the injection and the ejection channel.
struct ref_message {
	unsigned source;
	unsigned destination;
	unsigned n_flits; // >= 1
};

// Cycles count from 1, the cycle in which every source offers its first header. Without contention a message of F
// flits over h hops has first_cycle = h + 2 and done_cycle = F + h + 1.
struct ref_arrival {
	uint64_t first_cycle;   // the header enters the ejection buffer
	uint64_t done_cycle;    // the tail enters the ejection buffer
	uint64_t offer_cycle;   // the header first requests the injection channel
	uint64_t entered_cycle; // the header crosses the injection channel
};

struct ref_channel {
	uint64_t n_worms; // headers which crossed
	uint64_t n_flits; // flits which crossed
	uint64_t
		n_blocked; // cycles in which at least one header requested the channel (any virtual channel of it) and did not cross
};

// The simulated machine. n_slots is the depth of every buffer: 2 is the router of the project. A message comes in
// beside link p of a node if it comes from the node to which link p leads.
// The way of a message that was chosen for it: the links, as channels, in order, and by which virtual channel of each.
struct ref_chosen {
	const uint32_t *link;
	size_t n_links;
	unsigned vc;
};

struct ref_machine {
	unsigned n_dims;  // 0..REF_DIMS_MAX: of the cube that is simulated if net is NULL
	unsigned n_slots; // 1..REF_SLOTS_MAX
	enum ref_order order;
	enum ref_timing timing;
	enum ref_tie tie;
	const struct ref_net *net;
	const struct ref_min *min;    // a multistage network instead, whose ties go to the upper line: REF_TIE_PORT
	const enum ref_order *orders; // by message; NULL: all go by `order`
	// By message, where routers have tables; NULL: all go by orders.
	const struct ref_chosen *chosen;
	const struct ref_via *vias; // by message, where all go through a node; NULL: by orders
	// With adaptive routers: their state, which the run continues; and the rule by message. NULL: routers are not
	// adaptive.
	struct ref_adaptive *adaptive;
	const unsigned *rules;
};

// Channels are numbered as in ref_net.h; these are the numbers of the channels of cubes.
size_t ref_channel_count(unsigned n_dims);
size_t ref_channel_network(unsigned n_dims, unsigned node, unsigned dim);
size_t ref_channel_injection(unsigned n_dims, unsigned node);
size_t ref_channel_ejection(unsigned n_dims, unsigned node);

// The rules, all read from the state at the start of a cycle:
// - a channel carries at most one flit a cycle, and only into a buffer with a free slot; a slot which empties in this
//   cycle is not free yet; the ejection buffer loses one flit every cycle;
// - a header asks for its next channel from the first cycle in which it is the head of its buffer; the channel is
//   reserved from the cycle the header crosses it to the cycle the tail crosses it, both included;
// - of the headers which ask for a channel the one which has asked longest crosses, if `timing` lets it;
// - where links have virtual channels, each is such a channel, with a buffer of its own, but the link carries one flit a
//   cycle: of the virtual channels whose flit could cross, that of the next one after the one that crossed last, the lowest
//   again after the highest; the lowest to begin with, and again after a cycle in which no worm held one or asked for one;
// - adaptive routers (ref_adaptive.h): at the start of each cycle the headers at the heads of buffers that have no lane are given one, in
//   the order in which they came there, as long as there are such of those that their rules let them have (ref_choice.h), that belong
//   to no message; a lane that a message has belongs to it until its tail has crossed, and it asks for no other. A header
//   that got none waits at all channels that it could have taken. For a choice by room count the flits at the start of the cycle before;
// - a source's next header asks for the injection channel from the cycle after the former tail crossed it.
//
// Runs the machine flit by flit until the last tail has arrived. out_arrival has n_messages elements, out_channel has
// ref_net_channels() elements or is NULL.
// -EINVAL: a value out of range; -ENOMEM; -EDEADLK: no flit can ever move again (cubes, lines and meshes never get there
// while all messages go by one order).
int ref_machine_run(struct ref_arrival *out_arrival, struct ref_channel *out_channel, const struct ref_machine *machine,
                    const struct ref_message *message, size_t n_messages);

// The first flit in the buffer at the end of `channel` is one of `message`. It cannot go on to its next channel, which is
// that of the next entry of the circle (after the last entry comes the first).
struct ref_wait {
	size_t channel;
	size_t message;
	bool is_header; // it is the header, and requests that channel; otherwise it waits for room at that channel's end
};

// A deadlock. The caller owns the arrays: `asked` has ref_net_channels() elements, `circle` has ref_net_channels() *
// ref_net_vcs().
struct ref_lock {
	uint64_t cycle; // the first cycle in which nothing moves
	size_t n;       // entries of the circle, which is one of those that exist
	struct ref_wait *circle;
	bool *asked; // by channel: true if a header waits for it, on the circle or behind it; or NULL
};

// Runs the machine as ref_machine_run. -EDEADLK: fills *out_lock and no other output; otherwise *out_lock does not
// change.
int ref_machine_run_to_lock(struct ref_arrival *out_arrival, struct ref_channel *out_channel, struct ref_lock *out_lock,
                            const struct ref_machine *machine, const struct ref_message *message, size_t n_messages);

// Returns the signature of the payload that node `source` makes under `number` on a chip of these widths. n_flits
// includes the header.
uint32_t ref_payload_signature(uint32_t seed, unsigned flit_bits, unsigned label_bits, unsigned state_bits,
                               unsigned signature_bits, uint32_t source, uint32_t number, unsigned n_flits);

// Rank over GF(2) of matrix[row * n_cols + col]. Returns the rank or -ENOMEM.
int ref_rank(const bool *matrix, unsigned n_rows, unsigned n_cols);

#endif
