// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERDICT_INTERNAL_H
#define LOOM_VERDICT_INTERNAL_H

#include <flitloom/verdict.h>

#include "check/due.h"

// Declarations that the files of a verdict share.

// Notes a difference of structure: which message came where, and over which channels. It is listed before all
// differences of cycles.
void loom_verdict_mismatch(struct loom_verdict *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Notes a difference of cycles: in the time of an event, or in how long headers waited.
void loom_verdict_mismatch_of_cycles(struct loom_verdict *v, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
// Notes all differences of another verdict, each after `prefix`.
void loom_verdict_mismatch_all(struct loom_verdict *v, const struct loom_verdict *other, const char *prefix);

// Checks every message of the plan, by what the nodes logged and how many they sent.
int loom_verdict_check_messages(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace,
                                const struct loom_due *due, struct loom_err *err);
// Checks the nodes' counts, apart from what they logged of each message.
void loom_verdict_check_nodes(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace);
// Checks when every entry of the programs began, which the trace must contain. *end: the cycle in which the last
// delay or wait was done.
int loom_verdict_check_timing(struct loom_verdict *v, uint64_t *end, const struct loom_plan *plan,
                              const struct loom_trace *trace, const struct loom_due *due, struct loom_err *err);
#define LOOM_MESSAGE_NAME 64
void loom_verdict_name_message(char out[LOOM_MESSAGE_NAME], const struct loom_plan *plan, size_t i);
// Finds the cycle in which each pass's last tail arrived; last[p] is 0 at first.
void loom_verdict_last_tails(uint64_t *last, const struct loom_trace *trace);
// Checks the run back to back, which the trace must have.
int loom_verdict_check_back_to_back(struct loom_verdict *v, const struct loom_plan *plan,
                                    const struct loom_trace *trace, const struct loom_due *due, struct loom_err *err);
// The steps and moves of a plan of moves, which exists only on an OTIS-Mesh (verdict_moves.c). The measured ones are
// zero until they are counted: last[p] is the cycle of pass p in which its last tail arrived.
int loom_verdict_predict_moves(struct loom_verdict *v, const struct loom_plan *plan, struct loom_err *err);
void loom_verdict_count_moves(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace,
                              const uint64_t *last);

#endif
