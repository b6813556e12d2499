// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/plan.h>

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

struct entry {
	uint32_t member;
	uint64_t cycles;
	size_t message;
};

// Orders messages by member, and those of a member from the longest to the shortest.
static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int by = loom_order(x->member, y->member);
	by = by ? by : loom_order(y->cycles, x->cycles);
	return by ? by : loom_order(x->message, y->message);
}

static bool has_bound(const struct loom_plan *plan)
{
	bool has = plan->n_messages != 0 && !plan->free_running && !loom_plan_is_adaptive(plan) &&
	           loom_plan_cycles(plan) != LOOM_CYCLES_UNKNOWN;
	for (size_t i = 0; has && i < plan->n_messages; i++)
		has = plan->messages[i].from_slot == 0;
	return has;
}

// Messages on one channel are in different passes, so the k longest passes take at least as long as the k-th longest
// message of any channel. The function visits all messages from the longest on. The first message that is the k-th one
// on a channel is the longest of all k-th messages.
int loom_plan_cycles_bound(uint64_t *out, const struct loom_plan *plan, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo), channel, rank = 0;
	uint64_t bound = 0;
	*out = 0;
	if (!has_bound(plan))
		return 0;
	struct entry *entries = calloc(plan->n_messages + 1, sizeof *entries);
	uint32_t *seen = calloc(n_channels, sizeof *seen);
	if (!entries || !seen) {
		free(entries);
		free(seen);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a bound on %zu messages", plan->n_messages);
	}
	for (size_t i = 0; i < plan->n_messages; i++)
		entries[i] = (struct entry){plan->member_of_pass[plan->messages[i].pass],
		                            loom_plan_message_cycles(plan, &plan->messages[i]), i};
	qsort(entries, plan->n_messages, sizeof *entries, compare);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[entries[i].message];
		struct loom_route route;
		if (i > 0 && entries[i].member != entries[i - 1].member) { // members share no pass
			memset(seen, 0, n_channels * sizeof *seen);
			rank = 0;
		}
		if (!loom_plan_uses_network(plan, m))
			continue;
		loom_plan_route_begin(&route, plan, entries[i].message);
		while (loom_route_next(&route, &channel))
			if (++seen[channel] > rank) {
				rank++;
				bound += entries[i].cycles;
			}
	}
	free(entries);
	free(seen);
	*out = bound;
	return 0;
}
