// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_PROGRAM_H
#define REF_PROGRAM_H

#include "reference.h"

// The machine of reference.h with programs in its nodes. Entry i of a program is carried out from cycle S(i) to F(i):
//
//   S(0) = max(1, at(0))     S(i) = max(F(i-1) + 1, at(i))
//   send    asks for the injection channel from S on; F: the cycle in which its tail crosses it
//   delay   F = S + value - 1
//   wait    F = max(S, T + 2), T: the cycle in which the tail of the value-th message from `source` to this node crosses the
//           ejection channel, counted over the whole run
enum ref_entry_kind { REF_SEND, REF_DELAY, REF_WAIT };

struct ref_entry {
	enum ref_entry_kind kind;
	uint64_t at;     // 0: no bound
	uint64_t value;  // delay: cycles, >= 1; wait: which message, >= 1
	unsigned source; // of a wait
	size_t message;  // of a send: its number in the list; each message is sent once, by its source
	uint64_t *begin; // gets S(i), if not NULL
};

struct ref_program {
	struct ref_entry *entry;
	size_t n;
};

// The results that the caller wants; arrays are the caller's, those but `arrival` may be NULL.
struct ref_outcome {
	struct ref_arrival *arrival; // by message; offer_cycle is S of its entry
	struct ref_channel *channel; // by channel
	uint64_t *end;               // by node: F of its last entry; 0: the program is empty
	// Only of a standstill (-EDEADLK), in which nothing else is filled in:
	struct ref_lock *lock; // lock->n is 0 if no flit is under way: then programs wait for messages that never come
	size_t *waiting;       // by node: the wait at which its program stands; otherwise the number of its entries
};

// program: one for each node; NULL: each sends its messages in the order of the list. On a direct network a message to its
// own node is not skipped; leave it out if it must stay in the node.
// -EINVAL: as ref_machine_run, or an entry out of range, or a message not sent by its source just once; -ENOMEM; -EDEADLK:
// nothing will ever move again.
int ref_program_run(struct ref_outcome *out, const struct ref_machine *machine, const struct ref_message *message,
                    size_t n_messages, const struct ref_program *program);

#endif
