// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Slow, independent reference models: the second witness which the tests ask. Nothing in here shares code with the
// library. A function which can fail returns a negative errno value, and then leaves its outputs alone.
#ifndef REF_REFERENCE_H
#define REF_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REF_DIMS_MAX 8u  // largest cube of ref_machine_run
#define REF_SLOTS_MAX 8u // deepest buffer of ref_machine_run

// In which order a message corrects the address bits which differ.
enum ref_order {
	REF_ASCENDING,  // e-cube: dimension 0 first
	REF_DESCENDING, // dimension n - 1 first
};

// When a header may take a channel which no other worm holds.
enum ref_timing {
	REF_PAPER, // the buffer at the channel's far end is empty at the start of the cycle
	REF_FAST,  // that buffer has a free slot at the start of the cycle
};

// The dimension in which a message at `node` leaves for `destination`; n_dims when it has arrived.
unsigned ref_cube_next(unsigned n_dims, unsigned node, unsigned destination, enum ref_order order);

// Which of two headers wins which have waited equally long for a channel.
enum ref_tie {
	REF_TIE_PORT,   // the lower input port: 0..n-1 is the dimension it came in through, n is the injection
	REF_TIE_SOURCE, // the lower source node, as in golden/000_wormhole.json
};

// How many of the messages cross each directed channel of a binary n-cube, found by walking every message.
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
	uint64_t first_cycle; // the header enters the ejection buffer
	uint64_t done_cycle;  // the tail enters the ejection buffer
	uint64_t offer_cycle; // the header first asks for the injection channel
};

struct ref_channel {
	uint64_t n_worms;   // headers which crossed
	uint64_t n_flits;   // flits which crossed
	uint64_t n_blocked; // cycles in which at least one header asked for the channel and did not cross it
};

// What is simulated. n_slots is the depth of every buffer: 2 is the router of the project.
struct ref_machine {
	unsigned n_dims;  // 0..REF_DIMS_MAX
	unsigned n_slots; // 1..REF_SLOTS_MAX
	enum ref_order order;
	enum ref_timing timing;
	enum ref_tie tie;
};

// Channels are numbered by the node they leave: its n_dims network channels, its injection channel, its ejection
// channel. ref_channel_count() is the length of out_channel.
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
// - a source's next header asks for the injection channel from the cycle after the former tail crossed it.
//
// Runs the machine flit by flit until the last tail has arrived. out_arrival has n_messages elements, out_channel has
// ref_channel_count() elements or is NULL.
// -EINVAL: a value out of range; -ENOMEM; -EDEADLK: no flit can ever move again (e-cube never gets there).
int ref_machine_run(struct ref_arrival *out_arrival, struct ref_channel *out_channel, const struct ref_machine *machine,
                    const struct ref_message *message, size_t n_messages);

// Signature of the payload that node `source` makes under `number`, header included in n_flits, on a chip of these widths.
uint32_t ref_payload_signature(uint32_t seed, unsigned flit_bits, unsigned label_bits, unsigned state_bits,
                               unsigned signature_bits, uint32_t source, uint32_t number, unsigned n_flits);

// Rank over GF(2) of matrix[row * n_cols + col]. Returns the rank or -ENOMEM.
int ref_rank(const bool *matrix, unsigned n_rows, unsigned n_cols);

#endif
