// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans whose programs wait.
#include <inttypes.h>
#include <stdlib.h>

#include "pattern/timing_check.h"
#include "plan/plan_internal.h"

typedef int check_of_messages(const struct loom_timing *timing, uint32_t n_nodes, const struct loom_message *messages,
                              size_t n_messages, struct loom_err *err);

static int check_messages(const struct loom_plan *plan, check_of_messages *check, struct loom_err *err)
{
	struct loom_message *messages = calloc(plan->n_messages + 1, sizeof *messages);
	if (!messages)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the timing of %zu messages", plan->n_messages);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		messages[i] =
			(struct loom_message){.source = m->source, .destination = m->destination, .flits = m->flits};
	}
	int code = check(plan->timing, plan->topo.n_nodes, messages, plan->n_messages, err);
	free(messages);
	return code;
}

int loom_plan_check_waits(const struct loom_plan *plan, struct loom_err *err)
{
	return plan->timing ? check_messages(plan, loom_timing_check, err) : 0;
}

static bool same_way(const struct loom_plan *plan, size_t a, size_t b)
{
	struct loom_route ways[2];
	uint32_t channel[2];
	bool more[2];
	if (plan->messages[a].rule != plan->messages[b].rule)
		return false;
	if (plan->routes.n == 0)
		return true;
	loom_plan_route_begin(&ways[0], plan, a);
	loom_plan_route_begin(&ways[1], plan, b);
	do {
		for (unsigned k = 0; k < 2; k++)
			more[k] = loom_route_next(&ways[k], &channel[k]);
		if (more[0] != more[1] || (more[0] && channel[0] != channel[1]))
			return false;
	} while (more[0]);
	return true;
}

struct end {
	uint32_t source, destination;
	size_t message;
};

static int compare_ends(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (x->destination != y->destination)
		return x->destination < y->destination ? -1 : 1;
	return x->message < y->message ? -1 : x->message > y->message;
}

// A node counts what has come from each other one: which messages these are can be told only if all go one way.
static int check_ways(const struct loom_plan *plan, struct loom_err *err)
{
	struct end *ends = calloc(plan->n_messages + 1, sizeof *ends);
	int code = 0;
	if (!ends)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the timing of %zu messages", plan->n_messages);
	for (size_t i = 0; i < plan->n_messages; i++)
		ends[i] = (struct end){plan->messages[i].source, plan->messages[i].destination, i};
	qsort(ends, plan->n_messages, sizeof *ends, compare_ends);
	for (size_t i = 1; code == 0 && i < plan->n_messages; i++)
		if (ends[i].source == ends[i - 1].source && ends[i].destination == ends[i - 1].destination &&
		    !same_way(plan, ends[i].message, ends[i - 1].message))
			code = loom_fail(
				err, LOOM_EINPUT,
				"messages %zu and %zu, both from %" PRIu32 " to %" PRIu32
				", go different ways, so that the second could come first; in a plan with timing all "
				"between the same two go the same way",
				ends[i - 1].message, ends[i].message, ends[i].source, ends[i].destination);
	free(ends);
	return code;
}

int loom_plan_check_timing(const struct loom_plan *plan, struct loom_err *err)
{
	if (!plan->timing)
		return 0;
	if (plan->n_passes != 1 || plan->free_running)
		return loom_fail(err, LOOM_EINPUT,
		                 "a plan of %" PRIu32 " passes with timing: it has one, not free-running",
		                 plan->n_passes);
	for (size_t i = 0; i < plan->n_messages; i++)
		if (plan->messages[i].from_slot || plan->messages[i].keep_slot)
			return loom_fail(err, LOOM_EINPUT,
			                 "message %zu: relayed, in a plan with timing, which has one pass", i);
	int code = check_messages(plan, loom_timing_check_values, err);
	return code ? code : check_ways(plan, err);
}
