// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_GOAL_INTERNAL_H
#define LOOM_GOAL_INTERNAL_H

// Declarations that the files of this folder share, and that host/pattern needs to make patterns of goals.

#include <flitloom/goal.h>

// Adds an operation. goal->where, n_ranks and n_nodes may be set at any time. On LOOM_ENOMEM, or if there are too many
// operations, the goal is unchanged.
int loom_goal_add(size_t *out, struct loom_goal *goal, const struct loom_goal_op *op, struct loom_err *err);
int loom_goal_add_need(struct loom_goal *goal, const struct loom_goal_need *need, struct loom_err *err);

int loom_goal_no_memory(struct loom_err *err); // LOOM_ENOMEM
// Fails with a text such as "FILE, line 12: ..." or, if there is no line, "allreduce:ring: ...".
int loom_goal_fail(const struct loom_goal *goal, size_t line, struct loom_err *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
// Writes "rank 3: send to 4, line 12". Returns out.
const char *loom_goal_show(char out[64], const struct loom_goal *goal, size_t op);

// The costs of operations on the chip.
struct loom_goal_costs {
	uint32_t *flits;  // of a send; else 0
	uint32_t *cycles; // of a calc; else 0
};

#define LOOM_GOAL_NONE SIZE_MAX

// Matches sends and receives. out[i] is the send of a receive, the receive of a send, and LOOM_GOAL_NONE for a calc; it
// has room for n_ops.
int loom_goal_match(size_t *out, const struct loom_goal *goal, struct loom_err *err);

// Finds a rank and a tag for each receive from any rank, by a run of the LogGOPS model with its usual parameters. *out,
// malloc'ed: the operations with these ranks and tags. NULL: all receives have a rank, so the goal's own operations
// will do.
int loom_goal_settle(struct loom_goal_op **out, const struct loom_goal *goal, struct loom_err *err);

// The ranks' programs: entry[first[r]] .. entry[first[r + 1] - 1] are the operations of rank r in the order in which it
// carries them out, without calcs of no cycles. `entry` has room for n_ops, `first` for n_ranks + 1.
//
// n_serialised: the number of sends and calcs that stand behind a receive or a calc that they do not need, either
// directly or through others. Calcs of one cpu behind one another do not count, since the format orders them as well.
struct loom_goal_order {
	size_t *entry, *first;
	uint64_t n_serialised;
};
int loom_goal_order(struct loom_goal_order *out, const struct loom_goal *goal, const size_t *match,
                    const struct loom_goal_costs *costs, struct loom_err *err);

// The needs by operation: operation i has need[first[i]] .. need[first[i + 1] - 1], which are indices of goal->needs.
struct loom_goal_index {
	size_t *first, *need; // owned
};
int loom_goal_index_needs(struct loom_goal_index *out, const struct loom_goal *goal, struct loom_err *err);
void loom_goal_index_free(struct loom_goal_index *index);

#endif
