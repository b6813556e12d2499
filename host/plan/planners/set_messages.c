// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces the messages of a plan, for planners that make other messages than those that they are given.
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/planner.h>

#include "base/numbers.h"
#include "plan/plan_internal.h"
#include "plan/planners/planners.h"

static int compare_passes(const void *a, const void *b)
{
	const struct loom_planner_entry *x = a, *y = b;
	const int by = loom_order(x->message.pass, y->message.pass);
	return by ? by : loom_order(x->place, y->place);
}

void loom_planner_sort(struct loom_planner_entry *entries, size_t n)
{
	qsort(entries, n, sizeof *entries, compare_passes);
}

// Sorts the messages, and updates their references to one another. entries, place: scratch, n each.
static void put_in_order(struct loom_plan_message *messages, size_t n, struct loom_planner_entry *entries,
                         uint32_t *place)
{
	for (size_t i = 0; i < n; i++)
		entries[i] = (struct loom_planner_entry){messages[i], i};
	loom_planner_sort(entries, n);
	for (size_t i = 0; i < n; i++)
		place[entries[i].place] = (uint32_t)i;
	for (size_t i = 0; i < n; i++) {
		messages[i] = entries[i].message;
		messages[i].origin = messages[i].from_slot ? place[messages[i].origin] : (uint32_t)i;
	}
}

int loom_planner_set_messages(struct loom_plan *plan, struct loom_plan_message *messages, size_t n, uint32_t n_passes,
                              struct loom_err *err)
{
	struct loom_planner_entry *entries = NULL;
	uint32_t *place = NULL, *member_of_pass = NULL;
	int rc = loom_plan_check_passes(&plan->topo, n_passes, err);
	if (rc == 0) {
		entries = malloc((n + 1) * sizeof *entries);
		place = malloc((n + 1) * sizeof *place);
		member_of_pass = calloc((size_t)n_passes + 1, sizeof *member_of_pass);
		if (!entries || !place || !member_of_pass)
			rc = loom_fail(err, LOOM_ENOMEM, "out of memory for %zu messages in %u passes", n, n_passes);
	}
	if (rc == 0) {
		put_in_order(messages, n, entries, place);
		if (messages != plan->messages)
			free(plan->messages);
		free(plan->member_of_pass);
		plan->messages = messages;
		plan->n_messages = n;
		plan->member_of_pass = member_of_pass;
		plan->n_passes = n_passes;
	} else {
		if (messages != plan->messages)
			free(messages);
		free(member_of_pass);
	}
	free(entries);
	free(place);
	return rc;
}

size_t loom_planner_relay(struct loom_plan_message *out, size_t at, const struct loom_plan *plan,
                          const struct loom_plan_message *message, uint32_t middle, uint32_t pass, uint8_t slot)
{
	bool can_stay = !plan->topo.kind->self_uses_network;
	bool stays = can_stay && middle == message->source && message->source != message->destination;
	bool ends = can_stay && middle == message->destination;
	struct loom_plan_message first = *message, second = *message;
	first.pass = pass;
	second.pass = pass + 1;
	first.destination = second.source = middle;
	first.keep_slot = second.from_slot = stays || ends ? 0 : slot;
	first.origin = second.origin = (uint32_t)at;
	out[at] = stays ? second : first;
	if (stays || ends)
		return 1;
	out[at + 1] = second;
	return 2;
}

void loom_planner_report_objective(struct loom_plan *plan, const struct loom_planner_request *request)
{
	const char *objective = request->options->objective;
	if (request->pattern->n_members > 1 || objective)
		(void)snprintf(plan->objective, sizeof plan->objective, "%s", objective ? objective : "maxmax");
}
