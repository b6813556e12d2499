// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "check/due.h"

#include <stdlib.h>

#include "machine/compute.h"

static void sum_up(struct loom_due *due, const struct loom_plan *plan)
{
	for (uint32_t pass = 0; pass < (plan->free_running ? 1 : plan->n_passes); pass++)
		due->cycles += due->last[pass];
	for (size_t at = 0; at < (size_t)due->trace.n_passes * due->trace.n_channels; at++)
		due->blocked_cycles += due->trace.counts[at].blocked_cycles;
}

int loom_due_make(struct loom_due *out, const struct loom_plan *plan, enum loom_machine machine, struct loom_err *err)
{
	struct loom_due due = {0};
	struct loom_err why = {0};
	due.times = calloc(plan->n_messages + 1, sizeof *due.times);
	due.last = calloc((size_t)plan->n_passes + 1, sizeof *due.last);
	const struct loom_machine_options options = {
		.image = {.machine = machine}, .times = due.times, .cycles = due.last};
	int code = due.times && due.last ? loom_machine_compute(&due.trace, plan, &options, &why)
	                                 : loom_fail(&why, LOOM_ENOMEM, "no memory for %zu messages", plan->n_messages);
	if (code == LOOM_ESTUCK)
		due.stuck = why;
	else if (code == 0)
		sum_up(&due, plan);
	if (code && code != LOOM_ESTUCK) {
		loom_due_free(&due);
		return loom_fail(err, code, "%s", why.text);
	}
	*out = due;
	return 0;
}

void loom_due_free(struct loom_due *due)
{
	free(due->times);
	free(due->last);
	loom_trace_free(&due->trace);
	*due = (struct loom_due){0};
}

bool loom_due_is_known(const struct loom_due *due)
{
	return due->stuck.code == 0;
}
