// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_GOAL_RUN_H
#define LOOM_GOAL_RUN_H

// The data that goal_order.c computes and goal_programs.c writes down.

#include "goal/goal_internal.h"

// The points of operations. Operation i is done at point i. A receive also begins at point n_ops + i: when what it
// needs is done, even if its message has not come.
struct goal_run {
	const struct loom_goal *goal;
	const size_t *match;
	const uint32_t *flits, *cycles; // by operation
	struct loom_goal_index needs;
	uint64_t *time;   // by point: when it is reached; for an operation that takes time, when it begins
	size_t *sequence; // operations that take time, in the order in which they begin
	size_t n_sequence;
	size_t *points; // all points, each behind those that it needs
	size_t n_points;
};

static inline bool is_recv(const struct goal_run *run, size_t i)
{
	return run->goal->ops[i].kind == LOOM_GOAL_RECV;
}

static inline bool takes_time(const struct goal_run *run, size_t i)
{
	return run->flits[i] > 0 || run->cycles[i] > 0;
}

// True if the message goes from the rank to itself, which takes no time.
static inline bool is_inside(const struct goal_run *run, size_t i)
{
	return run->goal->ops[i].kind != LOOM_GOAL_CALC && run->goal->ops[i].peer == run->goal->ops[i].rank;
}

// Returns the point that the need waits for.
static inline size_t asked_point(const struct goal_run *run, const struct loom_goal_need *need)
{
	return need->start && is_recv(run, need->on) ? run->goal->n_ops + need->on : need->on;
}

// Sorts the n operations or points of `list` by rank into out, and keeps their order within a rank. Those of rank r
// begin at first[r]; first has n_ranks + 1 entries.
void loom_goal_by_rank(size_t *out, size_t *first, const struct loom_goal *goal, const size_t *list, size_t n);

// Counts the serialised operations; `out` already has its entries.
int loom_goal_count_serialised(struct loom_goal_order *out, const struct goal_run *run, struct loom_err *err);

// Writes the ranks' programs; out has the room that struct loom_goal_order describes.
int loom_goal_write_programs(struct loom_goal_order *out, const struct goal_run *run, struct loom_err *err);

#endif
