// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERDICT_H
#define LOOM_VERDICT_H

#include <flitloom/api.h>
#include <flitloom/plan.h>
#include <flitloom/trace.h>

LOOM_API_BEGIN

#define LOOM_MISMATCHES_KEPT 64

// Messages of a group of channels.
struct loom_group_count {
	char name[16];
	uint32_t max; // largest number of messages on one of its channels in one pass
	uint64_t sum; // messages, over its channels and all passes
};

// One pass of a plan of moves, whose messages go one hop at most on an OTIS-Mesh ([Sahni97]).
struct loom_step {
	uint32_t links;    // bit p: link p of some node carried messages
	uint32_t messages; // on these links
	uint64_t cycles;   // until the last tail arrived; predicted may be LOOM_CYCLES_UNKNOWN
};

// Counts of moves. A pass is an electronic move if it uses electronic links, and an OTIS move if it uses optical ones.
struct loom_move_counts {
	uint32_t electronic, otis;
};

// Latencies of messages. If a message's release is known, its latency is the number of cycles from the first one in
// which it could be sent to the one in which its tail arrived, both included: without contention F + h + 1.
struct loom_latency {
	uint64_t n, sum, most; // number of messages; sum of their latencies; the largest one
};

// The differences between what a plan promised and what a trace shows. n_mismatches == 0 means pass.
struct loom_verdict {
	size_t n_mismatches; // all of them
	// those of them that are about cycles: when something happened, or how long headers waited
	size_t n_mismatches_of_cycles;
	// The first mismatches. Each names a channel or a message; those about cycles come last.
	char mismatches[LOOM_MISMATCHES_KEPT][200];
	unsigned n_groups;
	struct loom_group_count *predicted, *measured;      // owned, n_groups each
	uint32_t predicted_contention, measured_contention; // local channels left out
	uint64_t predicted_cycles, measured_cycles;   // summed over passes; LOOM_CYCLES_UNKNOWN if the plan would lock
	uint64_t nodes, messages, flits;              // of the plan
	uint64_t delivered_messages, delivered_flits; // at the right node, once, whole; with messages to oneself
	uint64_t corrupt_flits, blocked_cycles;
	uint64_t predicted_blocked_cycles; // computed by the machine; LOOM_CYCLES_UNKNOWN if predicted_cycles is
	// Cycles from the one START to the last tail, barriers included, of a run in which the passes are back to
	// back (back_to_back.h); 0: the plan has no such run, or none was made. The predicted number may be
	// LOOM_CYCLES_UNKNOWN.
	uint64_t predicted_back_to_back_cycles, measured_back_to_back_cycles;
	uint32_t n_steps;                                   // the passes of a plan of moves; else 0
	struct loom_step *predicted_steps, *measured_steps; // owned, n_steps each, or NULL
	struct loom_move_counts predicted_moves, measured_moves;
	struct loom_latency latency; // for a plan with timing; else of no messages
};

// Compares a trace with its plan.
// The machine (flitloom/machine.h) computes every event of the run to the cycle, for the timing that the trace names.
// Checked are every message (delivered once, to the right node, in its pass, whole, intact, its header and its tail
// in their cycles), every channel's messages, flits and blocked cycles in every pass, the closed formulas of
// plan->theory, and that formula and machine agree where there is no contention at all. Where routers choose, channels'
// messages and flits are those that the machine says, and no fewer and no more than the rule allows. If the trace has
// a run back to back, this checks every message of it likewise, that it arrived in the same cycles of its pass as
// when the passes ran one by one, the counts of its last pass, and its time. If the trace tells when the entries of
// the nodes' programs began, each has to have begun in its cycle; a trace of a plan with timing must tell. Cycles of
// such a plan are those until all is done. LOOM_EINTERNAL when trace and plan have different shapes. On failure *out
// is untouched.
int loom_verdict_make(struct loom_verdict *out, const struct loom_plan *plan, const struct loom_trace *trace,
                      struct loom_err *err);
// Makes a verdict of a plan's predictions, without a trace: the measured fields are zero, and there are no
// mismatches. A number of cycles that a trace cannot hold is LOOM_CYCLES_UNKNOWN.
int loom_verdict_predict(struct loom_verdict *out, const struct loom_plan *plan, enum loom_machine machine,
                         struct loom_err *err);
// Finds the plan's message for each arrival of a trace: out[i], for trace->n_arrivals arrivals, is an index of the
// plan's messages, or SIZE_MAX if the plan has no such message. If the same data arrive twice in one pass, the two
// cannot be told apart; the first message is then taken.
int loom_verdict_arrivals(size_t *out, const struct loom_plan *plan, const struct loom_trace *trace,
                          struct loom_err *err);
// Lists the messages of the passes up to last_pass that a trace lacks, as ascending indices of the plan's messages:
// at most max of them in out, and their number in *n_out. It serves to diagnose a run that was given up.
int loom_verdict_missing(size_t *out, size_t max, size_t *n_out, const struct loom_plan *plan,
                         const struct loom_trace *trace, uint32_t last_pass, struct loom_err *err);
void loom_verdict_free(struct loom_verdict *verdict); // NULL allowed; leaves *verdict zeroed

LOOM_API_END

#endif
