// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that a plan makes exactly the deliveries of its pattern.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "plan/plan_internal.h"
#include "topo/topo_ocs.h"

// A delivery, which a planner may not change: sender, receiver and flits. The planner chooses only its way.
struct delivery {
	uint32_t member, source, destination, flits;
	size_t message; // its index in the pattern or in the plan
};

static int compare_deliveries(const void *a, const void *b)
{
	const struct delivery *x = a, *y = b;
	int by = loom_order(x->member, y->member);
	by = by ? by : loom_order(x->source, y->source);
	by = by ? by : loom_order(x->destination, y->destination);
	return by ? by : loom_order(x->flits, y->flits);
}

static int order_deliveries(const void *a, const void *b)
{
	const struct delivery *x = a, *y = b;
	int by = compare_deliveries(x, y);
	return by ? by : x->message < y->message ? -1 : x->message > y->message;
}

// Lists the end-to-end deliveries of a plan's messages. Leaves out messages that only bring data to a relay.
static size_t deliveries_of_plan(struct delivery *out, bool *is_relayed, const struct loom_plan *plan)
{
	size_t n = 0;
	for (size_t i = 0; i < plan->n_messages; i++)
		if (plan->messages[i].from_slot)
			is_relayed[plan->messages[i].origin] = true;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (is_relayed[i])
			continue;
		uint32_t source = plan->messages[loom_plan_root(plan, i)].source;
		out[n++] = (struct delivery){plan->member_of_pass[m->pass], source, m->destination, m->flits, i};
	}
	return n;
}

// Reports the first delivery that is lost and the first one that the pattern does not have.
static int compare_sorted(const struct delivery *planned, size_t n_planned, const struct delivery *wanted,
                          size_t n_wanted, const struct loom_plan *plan, const struct loom_pattern *pattern,
                          struct loom_err *err)
{
	const struct delivery *lost = NULL, *other = NULL;
	char others[120] = "";
	for (size_t i = 0, k = 0; i < n_planned || k < n_wanted;) {
		int by = i == n_planned ? 1 : k == n_wanted ? -1 : compare_deliveries(&planned[i], &wanted[k]);
		if (by > 0 && !lost)
			lost = &wanted[k];
		if (by < 0 && !other)
			other = &planned[i];
		i += by <= 0;
		k += by >= 0;
	}
	if (other)
		(void)snprintf(others, sizeof others,
		               "message %zu of its plan, %" PRIu32 " flits from %" PRIu32 " to %" PRIu32
		               " for member %" PRIu32,
		               other->message, other->flits, other->source, other->destination, other->member);
	if (lost)
		return loom_fail(err, LOOM_EINTERNAL,
		                 "planner %s loses message %zu of \"%.60s\", %" PRIu32 " flits from %" PRIu32
		                 " to %" PRIu32 " of member %" PRIu32 "%s%s (it delivers %zu of %zu messages)",
		                 plan->planner, lost->message, pattern->name, lost->flits, lost->source,
		                 lost->destination, lost->member, other ? "; nobody asked for " : "", others, n_planned,
		                 n_wanted);
	if (other)
		return loom_fail(err, LOOM_EINTERNAL,
		                 "planner %s delivers what \"%.60s\" does not ask for: %s (%zu messages, %zu wanted)",
		                 plan->planner, pattern->name, others, n_planned, n_wanted);
	return 0;
}

// Checks that messages with timing are those of the pattern, in its order: each gate waits in front of a certain
// message.
static int check_order(const struct loom_plan *plan, const struct loom_pattern *pattern, struct loom_err *err)
{
	bool same = plan->timing && plan->n_messages == pattern->n_messages;
	for (size_t i = 0; same && i < pattern->n_messages; i++)
		same = plan->messages[i].source == pattern->messages[i].source &&
		       plan->messages[i].destination == pattern->messages[i].destination &&
		       plan->messages[i].flits == pattern->messages[i].flits;
	return same ? 0
	            : loom_fail(err, LOOM_EINTERNAL,
	                        "planner %s says that it heeds timing, and changes the messages of \"%.60s\" or their "
	                        "order",
	                        plan->planner, pattern->name);
}

int loom_plan_check_deliveries(const struct loom_plan *plan, const struct loom_pattern *pattern, struct loom_err *err)
{
	int rc = 0;
	size_t n = 0, n_wanted = pattern->n_messages;
	if (pattern->timing)
		return check_order(plan, pattern, err);
	if (loom_topo_has_circuits(&plan->topo)) // loom_circuit_check has compared the schedule with the demand
		return 0;
	struct delivery *planned = calloc(plan->n_messages + 1, sizeof *planned);
	struct delivery *wanted = calloc(n_wanted + 1, sizeof *wanted);
	bool *is_relayed = calloc(plan->n_messages + 1, sizeof *is_relayed);
	if (!planned || !wanted || !is_relayed) {
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory to compare %zu messages with their pattern", n_wanted);
		goto out;
	}
	n = deliveries_of_plan(planned, is_relayed, plan);
	for (size_t i = 0; i < n_wanted; i++) {
		const struct loom_message *m = &pattern->messages[i];
		wanted[i] = (struct delivery){m->member, m->source, m->destination, m->flits, i};
	}
	qsort(planned, n, sizeof *planned, order_deliveries);
	qsort(wanted, n_wanted, sizeof *wanted, order_deliveries);
	rc = compare_sorted(planned, n, wanted, n_wanted, plan, pattern, err);
out:
	free(planned);
	free(wanted);
	free(is_relayed);
	return rc;
}
