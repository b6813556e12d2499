// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_DUE_H
#define LOOM_DUE_H

#include <flitloom/machine.h>

// The events that a run of a plan must have, to the cycle, as the machine computes them.
struct loom_due {
	struct loom_machine_times *times; // owned, by message
	struct loom_trace trace;
	uint64_t *last;  // owned, by pass: as cycles of struct loom_machine_options
	uint64_t cycles; // cycles of all passes; for a free run those from its start
	uint64_t blocked_cycles;
	// If its code is not 0, the run comes to a standstill, which its text describes (or as loom_due_predict
	// says), and nothing else is known.
	struct loom_err stuck;
};

// Computes the events of a plan's run. LOOM_ENOMEM, LOOM_EFIT (more cycles than a trace can hold). On failure *out is
// untouched.
int loom_due_make(struct loom_due *out, const struct loom_plan *plan, enum loom_machine machine, struct loom_err *err);
// As loom_due_make, for a plan that need not be run: if it takes more cycles than a trace can hold, nothing is known,
// as after a standstill.
int loom_due_predict(struct loom_due *out, const struct loom_plan *plan, enum loom_machine machine,
                     struct loom_err *err);
void loom_due_free(struct loom_due *due); // leaves it zeroed
bool loom_due_is_known(const struct loom_due *due);
// Computes for how many cycles the header of message i stands still on its way. False, with *out untouched: that is
// not known, or the message does not use the network.
bool loom_due_waited(uint64_t *out, const struct loom_due *due, const struct loom_plan *plan, size_t i);
// Returns the cycles in which headers waited for a channel, by a due or a measured trace: those of a pass; or of a
// whole free run, which belong to no pass there.
uint64_t loom_trace_blocked(const struct loom_trace *trace, const struct loom_plan *plan, uint32_t pass,
                            uint32_t channel);

#endif
