// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_DUE_H
#define LOOM_DUE_H

#include <flitloom/machine.h>

// The events that a run of a plan must have, to the cycle, as the machine computes them.
struct loom_due {
	struct loom_machine_times *times; // owned: of each message
	struct loom_trace trace;
	uint64_t *last;  // owned: of each pass, as struct loom_machine_options has its cycles
	uint64_t cycles; // of all passes; of a free run from its start
	uint64_t blocked_cycles;
	// If its code is not 0, the run comes to a standstill, which its text describes (or as loom_due_predict
	// says), and nothing else is known.
	struct loom_err stuck;
};

// LOOM_ENOMEM, LOOM_EFIT (more cycles than a trace can tell). On failure *out is untouched.
int loom_due_make(struct loom_due *out, const struct loom_plan *plan, enum loom_machine machine, struct loom_err *err);
// As loom_due_make, for a plan that need not be run: if it takes more cycles than a trace can hold, nothing is known,
// as after a standstill.
int loom_due_predict(struct loom_due *out, const struct loom_plan *plan, enum loom_machine machine,
                     struct loom_err *err);
void loom_due_free(struct loom_due *due); // leaves it zeroed
bool loom_due_is_known(const struct loom_due *due);
// Computes in how many cycles the header of message i stands still on its way. False, with *out untouched: that is
// not known, or the message does not use the network.
bool loom_due_waited(uint64_t *out, const struct loom_due *due, const struct loom_plan *plan, size_t i);
// The cycles in which headers waited for a channel, by a trace that is due or one that was measured: those of a pass, or of all of a
// free run, which belong to no one pass there.
uint64_t loom_trace_blocked(const struct loom_trace *trace, const struct loom_plan *plan, uint32_t pass,
                            uint32_t channel);

#endif
