// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ENGINE_CHECKS_H
#define ENGINE_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/engine.h"
#include "reference/ref_min.h"
#include "reference/ref_program.h"

// Engines against the slow reference machine. The network, ranks and ways for an engine come from the reference's own
// description; these functions do not use the library's topologies.

// A network as engines see it.
struct engine_net {
	struct loom_engine_net net; // its arrays are the fields below
	const struct ref_net *ref;  // NULL: a multistage network
	const struct ref_min *min;
	uint16_t *rank;
	bool *is_light;
	uint8_t *delay;
};

// One of ref and min is NULL; both stay the caller's. Freed by engine_net_free.
void engine_net_of(struct engine_net *out, const struct ref_net *ref, const struct ref_min *min);
void engine_net_free(struct engine_net *net);

// The lanes that a message crosses, injection and ejection included, as many as are returned. On a direct network it goes by the
// links of `chosen`, or else (NULL) by `order`. Room for ENGINE_WAY_MOST.
#define ENGINE_WAY_MOST (REF_NODES_MAX + 2)
uint32_t engine_way(uint32_t *out, const struct engine_net *net, const struct ref_message *message,
                    enum ref_order order, const struct ref_chosen *chosen);

// A run that is to be compared.
struct engine_check {
	const struct loom_engine_kind *kind;
	const char *what;          // for a person, as a seed and a network's name
	const struct ref_net *net; // or
	const struct ref_min *min; // (the other one is NULL)
	unsigned buffers;          // slots of each FIFO; 0: 2
	enum ref_timing timing;
	const struct ref_message *message;
	size_t n_messages;
	const enum ref_order *orders;    // by message; NULL: ascending
	const struct ref_chosen *chosen; // by message; NULL: by orders
	const struct ref_program
		*program; // by node, sends, delays, waits; NULL: every node sends its messages as listed
	uint64_t slice;   // cycles that each call of run() is given; 0: all in one call
	bool loose_lock;  // of an engine that does not know in which cycle the last flit moves before a lock
	// Called in a lock with what the reference says of it. NULL: nobody.
	void (*locked)(void *user, const struct loom_engine *engine, const struct ref_lock *lock);
	void *user;
};

enum engine_end {
	ENGINE_ENDS,  // all messages arrived
	ENGINE_WAITS, // no flit is under way, and waits are never met
	ENGINE_LOCKS,
};

// Runs the check on both, and fails the test with the first difference: the end of the run; offer, header and tail of
// every message; the three counts of every channel; the last cycle of a lock.
enum engine_end engine_check(const struct engine_check *check);

#endif
