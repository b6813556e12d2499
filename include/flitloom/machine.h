// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MACHINE_H
#define LOOM_MACHINE_H

#include <stdbool.h>

#include <flitloom/api.h>
#include <flitloom/device.h>
#include <flitloom/err.h>
#include <flitloom/link/image.h>
#include <flitloom/plan.h>
#include <flitloom/trace.h>

LOOM_API_BEGIN

// The machine computes how routers carry out a plan, without routers: the trace that a chip of any size would give,
// to the cycle, contention included (docs/exactness.md). It needs no build and no compiler, and works on every
// fabric.

// The times of a message, in cycles of its pass or of the free run. All are 0 if it does not use the network.
struct loom_machine_times {
	uint64_t offered;      // the cycle in which its node offered the header for the first time
	uint64_t header, tail; // the cycles in which header and tail reached the receiver
};

// The cycles in which a message crossed a channel of its route. Its header asked for the channel from `asked` on and
// crossed it in `header`; its tail crossed it in `tail`. Cycles count as above.
struct loom_machine_crossing {
	uint32_t channel;
	uint32_t lane; // the lane of the channel, if links have several; else 0
	uint64_t asked, header, tail;
};

// The crossings of all messages of a plan: those of message i, in the order of its route, from at[first[i]] up to
// at[first[i + 1]]. A message that does not use the network has none.
struct loom_machine_crossings {
	size_t *first;                    // owned; one element more than there are messages
	struct loom_machine_crossing *at; // owned
};
// Frees what they own.
void loom_machine_crossings_free(struct loom_machine_crossings *crossings); // NULL allowed; leaves them zeroed

// Options of a run; zeroed: all defaults.
struct loom_machine_options {
	struct loom_image_options image;  // machine, seed, preset and may_lock; the other members have no effect
	struct loom_run_options run;      // max_cycles and back_to_back; the other members have no effect
	struct loom_machine_times *times; // the caller's; filled in for each message of the plan; NULL: not wanted
	// The caller's, who zeroes and frees them; filled in for each message of the plan; NULL: not wanted.
	// LOOM_EINPUT: routers choose the routes of messages (flitloom/routes/choice.h).
	struct loom_machine_crossings *crossings;
	// The caller's; filled in with the cycles of each pass of the plan, to its last tail, or to the end of its
	// programs if that is later; for a free run with those of the whole run, in [0]. NULL: not wanted.
	uint64_t *cycles;
	// Called now and then; if it returns true, the run ends with LOOM_ETIMEOUT. NULL allowed.
	bool (*watch)(void *user, const struct loom_progress *progress);
	void *user;
};

// Runs a plan. The trace is that of a device (flitloom/trace.h) whose nodes keep no signatures and know when each
// entry of their programs began. LOOM_EINPUT, LOOM_EFIT: as loom_image_check. LOOM_ESTUCK: messages wait for one
// another for ever; the message names the channels on which headers wait, and the circle. LOOM_ELIMIT: a pass takes
// more than max_cycles. LOOM_EFIT: it takes more cycles than a trace can hold. On failure *out is untouched.
int loom_machine_run(struct loom_trace *out, const struct loom_plan *plan, const struct loom_machine_options *options,
                     struct loom_err *err);

// Computes the cycles that a plan takes. They count from one START to its last tail, with the barriers between
// passes, whether messages wait or not. LOOM_ESTUCK: it never ends. LOOM_ENOMEM, LOOM_EFIT.
int loom_machine_cycles(uint64_t *out, const struct loom_plan *plan, enum loom_machine machine, struct loom_err *err);

LOOM_API_END

#endif
