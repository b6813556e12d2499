// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OFFERED_H
#define LOOM_OFFERED_H

#include <flitloom/plan.h>
#include <flitloom/trace.h>

// The fate of a message, from what the nodes logged. Cycles are those of its pass, or of the free run.
//
// Logs are of arrivals, not of offers. A node offers its first message of a pass in cycle 1, and each further one in the cycle
// after the tail of the one before has left it. Arrivals bound that cycle. For a message of F flits over h hops:
// - A header that is offered in cycle c and never waits arrives in cycle c + h + 1, plus what light adds (plan/light.h). So it
//   was offered no later than as many cycles before it arrived. The same holds for a tail and the cycle in which it left.
// - The tail left no earlier than F - 1 cycles after the header was offered.
// - The h + 1 buffers on the way hold two flits each, and optical links some more: R in all. So the tail left no earlier than
//   flit number F - R arrived.
// The cycle is known if the bounds meet. If the trace has releases, the nodes report the cycle themselves
// (flitloom/trace.h).
struct loom_fate {
	const struct loom_arrival *arrival; // NULL: it never arrived, or was not to be sent
	uint32_t n_arrived;                 // 2 or more: it arrived again
	unsigned hops;                      // channels between routers or switches on its way
	uint64_t delay;                     // the cycles that light adds
	uint64_t earliest, latest; // bounds of the cycle in which its header was first offered; 0: nothing is known
};

// Computes the cycles for which its header stood still on its way. If they are not known, the result is false and
// *out is untouched.
bool loom_fate_waited(uint64_t *out, const struct loom_fate *fate);
// Makes a fate for each message of the plan. *out is malloc'ed, and points into the trace. LOOM_EINTERNAL if they
// have different shapes.
int loom_offered_make(struct loom_fate **out, const struct loom_plan *plan, const struct loom_trace *trace,
                      struct loom_err *err);

#endif
