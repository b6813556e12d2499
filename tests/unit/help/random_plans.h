// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_RANDOM_PLANS_H
#define TEST_RANDOM_PLANS_H

#include <stdint.h>

#include <flitloom/plan.h>
#include <flitloom/trace.h>

#include "reference/ref_play.h"
#include "plan_reference.h"

// Functions for the tests of predictions, images and verdicts: plans that no planner would make, on small fabrics of
// each kind, and the traces of flawless hardware.

enum random_plan_kind {
	RANDOM_BARRIER, // several members and passes, messages to oneself, some passes crowded, some empty
	RANDOM_RELAYED, // the same with data that is kept and sent on
	RANDOM_FREE,    // a free run of messages of one length
	RANDOM_KINDS
};

// A valid plan, predicted, that a chip can run to its end. The kind of fabric, the map, the objective and all else follow from
// the seed.
void random_plan(struct loom_plan *out, enum random_plan_kind kind, uint64_t seed);
// The same on a fabric of 32 nodes at most.
void random_plan_on(struct loom_plan *out, enum random_plan_kind kind, const char *fabric, uint64_t seed);

// The reference's view of a plan; only the routes are the library's. Its arrays are freed by play_free.
void play_of(struct ref_play *out, const struct loom_plan *plan);
void play_free(struct ref_play *play);

// Makes the logs and counts of a chip that works as planned: cycles are the reference machine's. A plan that locks
// fails the test.
void flawless_trace(struct loom_trace *out, const struct loom_plan *plan, enum loom_machine machine);
// The same from what the reference has done.
void flawless_trace_of(struct loom_trace *out, const struct plan_reference *reference, enum loom_machine machine);

#endif
