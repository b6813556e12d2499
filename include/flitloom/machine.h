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

// When a message went where, in cycles of its pass or of the free run; zeroed: it does not use the network.
struct loom_machine_times {
	uint64_t header, tail; // at its receiver
};

// Options of a run; zeroed: all defaults.
struct loom_machine_options {
	struct loom_image_options image;  // machine, seed, preset and may_lock; the others say nothing here
	struct loom_run_options run;      // max_cycles and back_to_back; the others say nothing here
	struct loom_machine_times *times; // the caller's: filled in for each message of the plan; NULL: not asked for
	uint64_t *
		end; // the caller's: filled in with the cycle in which the last program was done, of the last pass; NULL: not asked for
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

LOOM_API_END

#endif
