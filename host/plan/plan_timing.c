// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks plans whose programs wait.
#include <inttypes.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "pattern/timing_check.h"
#include "plan/plan_internal.h"
#include "plan/plan_timing.h"

static int copy_messages(struct loom_message **out, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_message *messages = calloc(plan->n_messages + 1, sizeof *messages);
	if (!messages)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the timing of %zu messages", plan->n_messages);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		messages[i] =
			(struct loom_message){.source = m->source, .destination = m->destination, .flits = m->flits};
	}
	*out = messages;
	return 0;
}

typedef int check_of_messages(const struct loom_timing *timing, uint32_t n_nodes, const struct loom_message *messages,
                              size_t n_messages, struct loom_err *err);

static int check_messages(const struct loom_plan *plan, check_of_messages *check, struct loom_err *err)
{
	struct loom_message *messages = NULL;
	int code = copy_messages(&messages, plan, err);
	if (code == 0)
		code = check(plan->timing, plan->topo.n_nodes, messages, plan->n_messages, err);
	free(messages);
	return code;
}

int loom_plan_wanted(size_t **out, const struct loom_plan *plan, struct loom_err *err)
{
	const struct loom_timing *t = plan->timing;
	struct loom_message *messages = NULL;
	int code = copy_messages(&messages, plan, err);
	size_t *wanted = calloc(t->first[plan->n_messages + plan->topo.n_nodes] + 1, sizeof *wanted);
	if (code == 0 && !wanted)
		code = loom_fail(err, LOOM_ENOMEM, "out of memory for the timing of %zu messages", plan->n_messages);
	if (code == 0)
		code = loom_timing_wanted(wanted, t, plan->topo.n_nodes, messages, plan->n_messages, err);
	free(messages);
	if (code)
		free(wanted);
	else
		*out = wanted;
	return code;
}

int loom_plan_check_waits(const struct loom_plan *plan, struct loom_err *err)
{
	return plan->timing ? check_messages(plan, loom_timing_check, err) : 0;
}

struct end {
	uint32_t source, destination;
	size_t message;
};

static int compare_ends(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	int by = loom_order(x->source, y->source);
	by = by ? by : loom_order(x->destination, y->destination);
	return by ? by : loom_order(x->message, y->message);
}

// Checks that all messages between two nodes take the same way. A node only counts the messages from each sender, so
// otherwise it could not tell them apart.
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
		    plan->messages[ends[i].message].rule != plan->messages[ends[i - 1].message].rule)
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
	if (plan->routes.n)
		return loom_fail(err, LOOM_EINPUT,
		                 "a plan with timing and with a route for each message; with timing all go by rules");
	int code = check_messages(plan, loom_timing_check_values, err);
	return code ? code : check_ways(plan, err);
}
