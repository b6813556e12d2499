// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/goal.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/room.h"
#include "base/text.h"
#include "goal/goal_internal.h"

int loom_goal_no_memory(struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory for the pattern");
}

void loom_goal_free(struct loom_goal *goal)
{
	if (!goal)
		return;
	free(goal->ops);
	free(goal->needs);
	*goal = (struct loom_goal){0};
}

int loom_goal_add(size_t *out, struct loom_goal *goal, const struct loom_goal_op *op, struct loom_err *err)
{
	if (goal->n_ops == LOOM_GOAL_OPS_MAX)
		return loom_goal_fail(goal, op->line, err, "more than %d operations", LOOM_GOAL_OPS_MAX);
	if (!LOOM_ROOM(goal->ops, goal->room_ops, goal->n_ops + 1))
		return loom_goal_no_memory(err);
	*out = goal->n_ops;
	goal->ops[goal->n_ops++] = *op;
	return 0;
}

int loom_goal_add_need(struct loom_goal *goal, const struct loom_goal_need *need, struct loom_err *err)
{
	if (goal->n_needs == LOOM_GOAL_NEEDS_MAX)
		return loom_goal_fail(goal, need->line, err, "more than %d dependences", LOOM_GOAL_NEEDS_MAX);
	if (!LOOM_ROOM(goal->needs, goal->room_needs, goal->n_needs + 1))
		return loom_goal_no_memory(err);
	goal->needs[goal->n_needs++] = *need;
	return 0;
}

int loom_goal_fail(const struct loom_goal *goal, size_t line, struct loom_err *err, const char *format, ...)
{
	char what[288], where[96], at[32] = "";
	va_list args;
	va_start(args, format);
	(void)vsnprintf(what, sizeof what, format, args);
	va_end(args);
	if (line)
		(void)snprintf(at, sizeof at, ", line %zu", line);
	return loom_fail(err, LOOM_EINPUT, "%s%s: %s", loom_text_where(where, sizeof where, goal->where), at, what);
}

const char *loom_goal_show(char out[64], const struct loom_goal *goal, size_t op)
{
	const struct loom_goal_op *o = &goal->ops[op];
	char line[32] = "";
	if (o->line)
		(void)snprintf(line, sizeof line, "line %zu, ", o->line);
	if (o->kind == LOOM_GOAL_CALC)
		(void)snprintf(out, 64, "%srank %" PRIu32 ": calc", line, o->rank);
	else if (o->kind == LOOM_GOAL_RECV && o->peer == LOOM_GOAL_ANY_RANK)
		(void)snprintf(out, 64, "%srank %" PRIu32 ": recv from any rank", line, o->rank);
	else
		(void)snprintf(out, 64, "%srank %" PRIu32 ": %s %" PRIu32, line, o->rank,
		               o->kind == LOOM_GOAL_SEND ? "send to" : "recv from", o->peer);
	return out;
}

int loom_goal_index_needs(struct loom_goal_index *out, const struct loom_goal *goal, struct loom_err *err)
{
	struct loom_goal_index x = {calloc(goal->n_ops + 1, sizeof *x.first),
	                            calloc(goal->n_needs + 1, sizeof *x.need)};
	if (!x.first || !x.need) {
		loom_goal_index_free(&x);
		return loom_goal_no_memory(err);
	}
	for (size_t k = 0; k < goal->n_needs; k++)
		x.first[goal->needs[k].op + 1]++;
	for (size_t i = 0; i < goal->n_ops; i++)
		x.first[i + 1] += x.first[i];
	// Filled from the end, first[op + 1] goes down to the beginning of the needs of op. So, read as first[op],
	// everything is shifted by one.
	for (size_t k = goal->n_needs; k-- > 0;)
		x.need[--x.first[goal->needs[k].op + 1]] = k;
	for (size_t i = 0; i < goal->n_ops; i++)
		x.first[i] = x.first[i + 1];
	x.first[goal->n_ops] = goal->n_needs;
	*out = x;
	return 0;
}

void loom_goal_index_free(struct loom_goal_index *index)
{
	free(index->first);
	free(index->need);
	*index = (struct loom_goal_index){0};
}
