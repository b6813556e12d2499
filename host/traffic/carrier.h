// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_CARRIER_H
#define LOOM_TRAFFIC_CARRIER_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/err.h>

#include "traffic/load_queue.h"

// A carrier takes messages from their sources to their destinations, and says in which cycle of the run each arrives.
// There are two, which give the same cycles: a chip whose programs are fed while it runs (load_run.c), and the
// machine (load_compute.c). Sources and destinations are processors. Cycles count from 1.

// The cycles that a chip runs ahead of its reported arrivals, until its logs have been read.
#define LOOM_CARRIER_LEAD_CYCLES 64u

// A message that has arrived.
struct loom_carried {
	uint32_t source, destination;
	uint32_t flits;
	uint32_t without_wait; // its latency if it never waits
	uint64_t number;       // its number among the messages of its source, from 0
	uint64_t release;
	uint64_t entered;      // the cycle in which its header crossed the injection channel; 0: not known
	uint64_t header, tail; // the cycles in which they arrived
	bool is_reply;
	uint8_t of_class; // as in struct loom_queued
};

struct loom_carrier {
	void *self;
	// Takes the next message of a source. Releases of a source never decrease. A message is offered at least a
	// few cycles before its release, unless its source has others under way.
	int (*offer)(void *self, uint32_t source, const struct loom_queued *message, struct loom_err *err);
	// Runs to the end of cycle `until`. *out is what arrived in these cycles, in any order; valid until the next
	// call.
	int (*run)(void *self, uint64_t until, const struct loom_carried **out, size_t *n_out, struct loom_err *err);
	// Checks, after many cycles without an arrival, that something still moves. LOOM_ESTUCK: nothing does.
	int (*check)(void *self, struct loom_err *err);
	uint64_t most_cycles; // the most cycles of a run that it can count
};

#endif
