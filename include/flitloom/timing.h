// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TIMING_H
#define LOOM_TIMING_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>

LOOM_API_BEGIN

// The gates in a processor's program, beside the messages that it sends. A program is carried out in order: each
// entry begins when the one before it is done. Cycles count from 1, the first of the pass.
enum loom_gate_kind {
	LOOM_GATE_AT,    // the next entry begins in cycle `value` or later
	LOOM_GATE_DELAY, // `value` cycles pass: computation
	LOOM_GATE_WAIT,  // the next entry begins when the value-th message from processor `source` has arrived
};

// An entry of a program that is no message.
struct loom_gate {
	enum loom_gate_kind kind;
	// AT: a cycle; DELAY: a number of cycles; both 1 to LOOM_GATE_CYCLES_MOST. WAIT: 1 to LOOM_GATE_WAIT_MOST
	uint32_t value;
	uint32_t source; // for WAIT: a virtual processor; else 0
};

#define LOOM_GATE_CYCLES_MOST 2147483647u // a chip may count fewer: it says so when the plan is loaded
#define LOOM_GATE_WAIT_MOST 65535u        // messages from one processor to another that a node counts

// The gates of a pattern or plan of n_messages messages and n_nodes processors. Those in front of message i, in its
// sender's program, are gate[first[i]] .. gate[first[i + 1] - 1]; those behind the last message of processor v are
// gate[first[n_messages + v]] .. gate[first[n_messages + v + 1] - 1]. A processor's messages are in the order of the
// list.
struct loom_timing {
	struct loom_gate *gate; // owned
	size_t *first;          // owned, n_messages + n_nodes + 1, ascending from 0
	// For a goal: sends and calcs that come after a receive or a calc that they do not need; or
	// LOOM_SERIALISED_UNKNOWN (flitloom/goal.h).
	uint64_t n_serialised;
};

// Make gates for n_messages messages and n_nodes nodes, new or copied. NULL: out of memory. Free either with loom_timing_free.
struct loom_timing *loom_timing_new(size_t n_messages, uint32_t n_nodes, size_t n_gates);
struct loom_timing *loom_timing_copy(const struct loom_timing *timing, size_t n_messages, uint32_t n_nodes);
struct loom_message;
// Refuses programs that never end. LOOM_EINPUT: a gate has an illegal value; or the programs do not end however fast
// messages are, because of a wait for more messages than are sent, or of waits in a circle, whose processors and
// messages are named. It uses only source and destination of the messages. loom_plan_make, loom_plan_parse,
// loom_plan_read and loom_image_check call it for every plan.
int loom_timing_check(const struct loom_timing *timing, uint32_t n_nodes, const struct loom_message *messages,
                      size_t n_messages, struct loom_err *err);
// The name of a kind of gate.
const char *loom_gate_name(enum loom_gate_kind kind); // "at", "delay", "wait"; NULL: there is none such
// Frees gates.
void loom_timing_free(struct loom_timing *timing); // NULL allowed

LOOM_API_END

#endif
