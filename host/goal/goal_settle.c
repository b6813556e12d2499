// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces receives from any rank, for programs, which wait for messages of named ranks.
#include <stdlib.h>

#include "goal/goal_internal.h"

static bool is_any(const struct loom_goal_op *o)
{
	return o->kind == LOOM_GOAL_RECV && o->peer == LOOM_GOAL_ANY_RANK;
}

static int settle(struct loom_goal_op *ops, uint64_t *finish, size_t *taken, const struct loom_goal *goal,
                  struct loom_err *err)
{
	struct loom_loggops usual;
	int rc = loom_loggops_parse(&usual, "usual", err);
	if (rc == 0)
		rc = loom_goal_loggops(finish, taken, goal, &usual, err);
	for (size_t i = 0; rc == 0 && i < goal->n_ops; i++) {
		ops[i] = goal->ops[i];
		if (is_any(&ops[i])) {
			ops[i].peer = goal->ops[taken[i]].rank;
			ops[i].tag = goal->ops[taken[i]].tag;
		}
	}
	return rc;
}

int loom_goal_settle(struct loom_goal_op **out, const struct loom_goal *goal, struct loom_err *err)
{
	size_t n_any = 0;
	*out = NULL;
	for (size_t i = 0; i < goal->n_ops; i++)
		n_any += is_any(&goal->ops[i]);
	if (n_any == 0)
		return 0;
	struct loom_goal_op *ops = calloc(goal->n_ops, sizeof *ops);
	uint64_t *finish = calloc(goal->n_ranks, sizeof *finish);
	size_t *taken = calloc(goal->n_ops, sizeof *taken);
	int rc = ops && finish && taken ? settle(ops, finish, taken, goal, err) : loom_goal_no_memory(err);
	free(finish);
	free(taken);
	if (rc == 0)
		*out = ops;
	else
		free(ops);
	return rc;
}
