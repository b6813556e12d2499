// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRACE_H
#define LOOM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/math/payload.h>
#include <flitloom/plan.h>

LOOM_API_BEGIN

// A message as it arrived. Nodes are physical. If a header has a label that no node has, the node's number is n_nodes
// or more. Source and number are those of the message whose data it carries.
struct loom_arrival {
	uint32_t node;           // the node where it arrived
	uint32_t source, number; // from the header
	uint32_t destination;    // from the header; == node unless it was misrouted
	uint32_t pass;           // the low 14 bits of the pass
	uint32_t flits;          // header included; the count saturates at 2^length_bits - 1
	// the cycles, from 1 in each pass, in which header and tail reached the node
	uint32_t first_cycle, last_cycle;
	bool intact;              // the node found every flit as generated
	uint32_t logged_pass;     // as `pass`, but in a free run the last pass, as the chip's log has it
	uint32_t rule, keep_slot; // from the header
	uint32_t via;             // from the header: the node through which it went (flitloom/routes/via.h); else 0
	uint32_t signature;       // of the payload as it arrived, if the chip keeps signatures
	// the cycle from which on the message whose data it is could be sent, if nodes report it; else 0
	uint32_t release;
};

// The counts of a channel in a pass.
struct loom_count {
	uint32_t worms, flits;
	uint32_t blocked_cycles; // cycles in which a header waited for the channel
};

// The flits that a circuit switch lost in a run without guards: those sent in the dark, or while the light led
// elsewhere.
struct loom_light_loss {
	uint32_t flits;               // 0: none; the rest is then meaningless
	uint32_t cycle;               // the cycle in which the first of them was sent
	uint32_t source, destination; // the nodes of that flit
	bool lit;                     // there was light, but for another message
};

// The result of a run: arrivals by node, in the order of arrival.
struct loom_trace {
	uint32_t n_nodes, n_channels, n_passes;
	enum loom_machine machine; // the timing of its routers
	size_t n_arrivals;
	struct loom_arrival *arrivals; // owned
	struct loom_count *counts;     // owned, [pass * n_channels + channel]
	uint32_t *sent;                // owned, by node: messages whose tail left it
	uint32_t *corrupt;             // owned, by node: flits received that were not as generated
	uint32_t n_switches;           // number of circuit switches; else 0
	struct loom_light_loss *lost;  // owned, n_switches of them
	struct loom_payload payload;   // the payload that was generated
	// The cycle of its pass in which each entry of the nodes' programs began. The entries of node u begin at
	// released[first_entry[u]]; first_entry has n_nodes + 1 elements. Owned. NULL if the image's `entries` were
	// NULL (flitloom/link/image.h).
	uint32_t *released;
	size_t *first_entry;
	// The same passes in one run, in which the chip goes from pass to pass by itself; NULL: there was no such
	// run. Its counts are those of the last pass alone, n_channels of them, from the chip's counters. A chip with
	// histories makes no other run of the passes: the fields above then describe this run, with counts by pass
	// from the histories. Owned.
	struct loom_trace *back_to_back;
	uint64_t began; // only in back_to_back: cycles from the start until the last pass began
};

// Frees what a trace owns.
void loom_trace_free(struct loom_trace *trace); // NULL allowed; leaves *trace zeroed

LOOM_API_END

#endif
