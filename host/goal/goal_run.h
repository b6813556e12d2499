// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_GOAL_RUN_H
#define LOOM_GOAL_RUN_H

// The data that goal_order.c finds out and goal_programs.c writes down.

#include "goal/goal_internal.h"

// A point is where operation i is done, point i, or of a receive also where it begins, point n_ops + i: when what it needs is
// done, though its message may be still to come.
struct goal_run {
	const struct loom_goal *goal;
	const size_t *match;
	const uint32_t *flits, *cycles; // by operation
	struct loom_goal_index needs;
	uint64_t *time;   // by point: when it is reached; of what takes time, when it begins
	size_t *sequence; // operations that take time, in the order of their beginning
	size_t n_sequence;
	size_t *points; // all of them, each behind those that it needs
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

// A message from the rank to itself, which takes no time.
static inline bool is_inside(const struct goal_run *run, size_t i)
{
	return run->goal->ops[i].kind != LOOM_GOAL_CALC && run->goal->ops[i].peer == run->goal->ops[i].rank;
}

// The point whose reaching the need asks for.
static inline size_t asked_point(const struct goal_run *run, const struct loom_goal_need *need)
{
	return need->start && is_recv(run, need->on) ? run->goal->n_ops + need->on : need->on;
}

// Puts what is in `list`, of n operations or points, into out by ranks, in the same order; first[r] is where those of rank r
// begin, of n_ranks + 1.
void loom_goal_by_rank(size_t *out, size_t *first, const struct loom_goal *goal, const size_t *list, size_t n);

// `out` has its entries: counts what is serialised.
int loom_goal_count_serialised(struct loom_goal_order *out, const struct goal_run *run, struct loom_err *err);

// Room as loom_goal_order has it.
int loom_goal_write_programs(struct loom_goal_order *out, const struct goal_run *run, struct loom_err *err);

#endif
