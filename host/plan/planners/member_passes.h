// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MEMBER_PASSES_H
#define LOOM_MEMBER_PASSES_H

#include <flitloom/planner.h>

// Functions for planners that put the messages of each member of a pattern into passes without conflict.

// Finds passes for the messages first .. first+n-1 of the plan, n >= 1, which belong to one member: pass[i] of message
// first+i counts from 0, and none is empty.
typedef int loom_member_schedule(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan,
                                 const struct loom_plan_options *options, size_t first, size_t n, struct loom_err *err);

// The result of planners that prove how few passes there can be.
struct loom_passes_found {
	uint32_t n_passes;
	uint32_t n_least;      // fewer are impossible ...
	enum loom_proof proof; // ... by this
};
typedef int loom_proved_schedule(uint32_t *pass, struct loom_passes_found *out, const struct loom_plan *plan,
                                 const struct loom_plan_options *options, size_t first, size_t n, struct loom_err *err);
int loom_plan_in_proved_passes(struct loom_plan *plan, const struct loom_planner_request *request,
                               loom_proved_schedule *schedule, struct loom_err *err);

// Makes a plan with a pass for each member into one in which members follow each other, each in the passes that
// `schedule` gives it, and predicts it.
int loom_plan_in_member_passes(struct loom_plan *plan, const struct loom_planner_request *request,
                               loom_member_schedule *schedule, struct loom_err *err);

// Makes the passes of planner greedy: colours the graph of conflicts.
int loom_greedy_schedule(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan, size_t first, size_t n,
                         struct loom_err *err);

#endif
