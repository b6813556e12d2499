// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "check/due.h"

#include <stdlib.h>

#include "machine/compute.h"
#include "plan/light.h"

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

int loom_due_predict(struct loom_due *out, const struct loom_plan *plan, enum loom_machine machine,
                     struct loom_err *err)
{
	struct loom_err why = {0};
	const int code = loom_due_make(out, plan, machine, &why);
	if (code == LOOM_EFIT) {
		*out = (struct loom_due){.stuck = why};
		return 0;
	}
	return code ? loom_fail(err, code, "%s", why.text) : 0;
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

bool loom_due_waited(uint64_t *out, const struct loom_due *due, const struct loom_plan *plan, size_t i)
{
	if (!loom_due_is_known(due) || !loom_plan_uses_network(plan, &plan->messages[i]))
		return false;
	const struct loom_machine_times *times = &due->times[i];
	*out = times->header - times->offered - (loom_plan_route_length(plan, i) - 1) - loom_plan_light(plan, i).delay;
	return true;
}

uint64_t loom_trace_blocked(const struct loom_trace *trace, const struct loom_plan *plan, uint32_t pass,
                            uint32_t channel)
{
	const uint32_t first = plan->free_running ? 0 : pass, last = plan->free_running ? plan->n_passes - 1 : pass;
	uint64_t sum = 0;
	for (uint32_t p = first; p <= last; p++)
		sum += trace->counts[(size_t)p * trace->n_channels + channel].blocked_cycles;
	return sum;
}
