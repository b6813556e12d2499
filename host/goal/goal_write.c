// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Writes GOAL as text, line by line as LogGOPSim reads it.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "goal/goal_internal.h"

// Writes an operation. Labels count the operations of a rank from 1. Operations of a rank follow one another.
static void put_op(FILE *f, const struct loom_goal_op *op, size_t label)
{
	(void)fprintf(f, "l%zu: ", label);
	if (op->kind == LOOM_GOAL_CALC) {
		(void)fprintf(f, "calc %" PRIu64, op->size);
	} else {
		(void)fprintf(f, op->kind == LOOM_GOAL_SEND ? "send %" PRIu64 "b to " : "recv %" PRIu64 "b from ",
		              op->size);
		if (op->kind == LOOM_GOAL_RECV && op->peer == LOOM_GOAL_ANY_RANK)
			(void)fputs("-1", f);
		else
			(void)fprintf(f, "%" PRIu32, op->peer);
		if (op->tag == LOOM_GOAL_ANY_TAG)
			(void)fputs(" tag -1", f);
		else
			(void)fprintf(f, " tag %" PRIu32, op->tag);
	}
	if (op->cpu)
		(void)fprintf(f, " cpu %" PRIu32, op->cpu);
	if (op->nic)
		(void)fprintf(f, " nic %" PRIu32, op->nic);
	(void)fputc('\n', f);
}

static void put_all(FILE *f, const struct loom_goal *goal, const struct loom_goal_index *needs)
{
	(void)fprintf(f, "num_ranks %" PRIu32 "\n", goal->n_ranks);
	for (size_t i = 0, begin = 0; i < goal->n_ops; i++) {
		const struct loom_goal_op *op = &goal->ops[i];
		if (i == 0 || op->rank != op[-1].rank) {
			begin = i;
			(void)fprintf(f, "\nrank %" PRIu32 " {\n", op->rank);
		}
		put_op(f, op, i - begin + 1);
		for (size_t k = needs->first[i]; k < needs->first[i + 1]; k++) {
			const struct loom_goal_need *need = &goal->needs[needs->need[k]];
			// A need for an operation that comes later in the text is written after that one.
			if (need->on < i)
				(void)fprintf(f, "l%zu %s l%zu\n", i - begin + 1,
				              need->start ? "irequires" : "requires", need->on - begin + 1);
		}
		if (i + 1 < goal->n_ops && op[1].rank == op->rank)
			continue;
		for (size_t j = begin; j <= i; j++)
			for (size_t k = needs->first[j]; k < needs->first[j + 1]; k++) {
				const struct loom_goal_need *need = &goal->needs[needs->need[k]];
				if (need->on >= j)
					(void)fprintf(f, "l%zu %s l%zu\n", j - begin + 1,
					              need->start ? "irequires" : "requires", need->on - begin + 1);
			}
		(void)fputs("}\n", f);
	}
}

int loom_goal_write(char **out, size_t *length_out, const struct loom_goal *goal, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	struct loom_goal_index needs = {0};
	int code = loom_goal_index_needs(&needs, goal, err);
	if (code)
		return code;
	FILE *f = open_memstream(&text, &length);
	if (f)
		put_all(f, goal, &needs);
	loom_goal_index_free(&needs);
	if (!f || fclose(f) != 0 || !text) {
		free(text);
		return loom_goal_no_memory(err);
	}
	*out = text;
	*length_out = length;
	return 0;
}
