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

// The machine computes what routers do with a plan, without routers: the trace that a chip of any size would give, to the
// cycle, contention included (docs/exactness.md). It takes no build and no compiler. It works on every fabric that there is.

// The times of a message, in cycles of its pass or of the free run. Zeroed: it does not use the network.
struct loom_machine_times {
	uint64_t offered;      // its header, by its node, for the first time
	uint64_t header, tail; // at its receiver
};

// The cycles in which a message crossed a channel of its route. Its header asked for the channel from `asked` on and
// crossed it in `header`; its tail crossed it in `tail`. Cycles count as above.
struct loom_machine_crossing {
	uint32_t channel;
	uint32_t lane; // of the channel, where links have several; else 0
	uint64_t asked, header, tail;
};

// The crossings of all messages of a plan: those of message i, in the order of its way, from at[first[i]] up to at[first[i + 1]]. One
// that does not use the network has none.
struct loom_machine_crossings {
	size_t *first;                    // owned, one more than messages
	struct loom_machine_crossing *at; // owned
};
// Lets go of what they own.
void loom_machine_crossings_free(struct loom_machine_crossings *crossings); // NULL allowed; leaves them zeroed

// Options of a run; zeroed: all defaults.
struct loom_machine_options {
	struct loom_image_options image;  // machine, seed, preset and may_lock; the others say nothing here
	struct loom_run_options run;      // max_cycles and back_to_back; the others say nothing here
	struct loom_machine_times *times; // the caller's: filled in for each message of the plan; NULL: not asked for
	// The caller's, zeroed, and to be freed: made for each message of the plan; NULL: not asked for. LOOM_EINPUT: routers choose
	// the ways of messages (flitloom/routes/choice.h).
	struct loom_machine_crossings *crossings;
	// The caller's: filled in with the cycles of each pass of the plan, to its last tail, or to the end of its programs if that is
	// later; of a free run with those of all of it, in [0]. NULL: not asked for.
	uint64_t *cycles;
	// Called now and then; when it returns true the run ends with LOOM_ETIMEOUT. NULL allowed.
	bool (*watch)(void *user, const struct loom_progress *progress);
	void *user;
};

// Runs a plan. The trace is that of a device (flitloom/trace.h) whose nodes keep no signatures and know when each entry of their
// programs began. LOOM_EINPUT, LOOM_EFIT: as loom_image_check. LOOM_ESTUCK: messages wait for one another for ever; the channels
// on which headers wait, and the circle, are named. LOOM_ELIMIT: a pass takes more than max_cycles. LOOM_EFIT: it takes more
// cycles than a trace can tell. On failure *out is untouched.
int loom_machine_run(struct loom_trace *out, const struct loom_plan *plan, const struct loom_machine_options *options,
                     struct loom_err *err);

// Computes the cycles that a plan takes. They are from one START to its last tail, with the barriers between passes, whether
// messages wait or not. LOOM_ESTUCK: it does not come to an end. LOOM_ENOMEM, LOOM_EFIT.
int loom_machine_cycles(uint64_t *out, const struct loom_plan *plan, enum loom_machine machine, struct loom_err *err);

LOOM_API_END

#endif
