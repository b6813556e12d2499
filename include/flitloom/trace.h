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

// One message as it arrived. Nodes are physical; a number of n_nodes or more: the header has a label that no node
// has. Source and number are those of the message whose data it carries.
struct loom_arrival {
	uint32_t node;                    // where
	uint32_t source, number;          // from the header
	uint32_t destination;             // from the header; == node unless it was misrouted
	uint32_t pass;                    // low 14 bits
	uint32_t flits;                   // header included; stays at 2^length_bits - 1
	uint32_t first_cycle, last_cycle; // of the pass: header and tail reached the node; the pass begins with cycle 1
	bool intact;                      // every flit as generated, says the node
	uint32_t logged_pass;             // as `pass`, but of a free run the last pass: what the chip's log says
	uint32_t rule, keep_slot;         // from the header
	uint32_t via;                     // from it: the node by way of which it went (flitloom/routes/via.h); else 0
	uint32_t signature;               // of the payload as it arrived, if the chip keeps signatures
	uint32_t
		release; // where nodes tell: the cycle from which on the message whose data it is could be sent; else 0
};

// The counts of a channel in a pass.
struct loom_count {
	uint32_t worms, flits;
	uint32_t blocked_cycles; // cycles in which a header waited for the channel
};

// The flits that a circuit switch lost, of a run without guards: sent in the dark, or while the light led elsewhere.
struct loom_light_loss {
	uint32_t flits;               // 0: none, and the rest means nothing
	uint32_t cycle;               // in which the first of them was sent
	uint32_t source, destination; // nodes, of that one
	bool lit;                     // there was light, but not for this message
};

// The result of a run: arrivals by node, in the order of arrival.
struct loom_trace {
	uint32_t n_nodes, n_channels, n_passes;
	enum loom_machine machine; // the timing of its routers
	size_t n_arrivals;
	struct loom_arrival *arrivals; // owned
	struct loom_count *counts;     // owned, [pass * n_channels + channel]
	uint32_t *sent;                // owned, per node: messages whose tail left it
	uint32_t *corrupt;             // owned, per node: flits received that were not as generated
	uint32_t n_switches;           // circuit switches; else 0
	struct loom_light_loss *lost;  // owned, n_switches of them
	struct loom_payload payload;   // the payload that was generated
	// The cycle of its pass in which each entry of the nodes' programs began. Those of node u stand from
	// released[first_entry[u]] on; first_entry has n_nodes + 1. Owned. NULL: the image's `entries` were
	// (flitloom/link/image.h).
	uint32_t *released;
	size_t *first_entry;
	// The same passes from one start, the chip going from pass to pass by itself; NULL: not run so. There counts are
	// those of the last pass alone, n_channels of them, from the chip's counters. A chip with histories makes no
	// other run of the passes: the fields above then describe this run, with counts by pass from the histories.
	// Owned.
	struct loom_trace *back_to_back;
	uint64_t began; // only there: so many cycles after the start the last pass began
};

// Lets go of what a trace owns.
void loom_trace_free(struct loom_trace *trace); // NULL allowed; leaves *trace zeroed

LOOM_API_END

#endif
