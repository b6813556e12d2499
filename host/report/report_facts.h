// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_FACTS_H
#define LOOM_REPORT_FACTS_H

#include <stdint.h>

#include <flitloom/plan.h>
#include <flitloom/verdict.h>

// What table and JSON say beyond plan and verdict, each in its own way.

// The largest number of messages on one of the nodes' own channels (inject, eject) in one pass, which is not counted as
// contention.
uint32_t loom_report_own_channels(const struct loom_plan *plan, const struct loom_verdict *verdict,
                                  const struct loom_group_count *groups);

// A plan of several passes has little contention, and may for all that take longer than everything sent at once. The
// cycles which the latter (planner direct, this placement, these rules) takes at least: no channel carries more than one flit a cycle.
// *out is 0 if the plan takes no longer, if its cycles are not known, or if messages are relayed, of a set, or in a
// free run.
int loom_report_one_pass_cycles(uint64_t *out, const struct loom_plan *plan, struct loom_err *err);

#endif
