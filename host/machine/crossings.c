// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/crossings.h"

#include <stdlib.h>

static int fail(size_t n, struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "no memory for the crossings of %zu messages", n);
}

int loom_crossings_begin(struct loom_machine_crossings *out, const struct loom_plan *plan, struct loom_err *err)
{
	out->first = calloc(plan->n_messages + 1, sizeof *out->first);
	if (!out->first)
		return fail(plan->n_messages, err);
	for (size_t i = 0; i < plan->n_messages; i++)
		out->first[i + 1] = out->first[i] + loom_plan_route_length(plan, i);
	out->at = calloc(out->first[plan->n_messages] + 1, sizeof *out->at);
	if (!out->at)
		return fail(plan->n_messages, err);
	for (size_t i = 0; i < plan->n_messages; i++) {
		struct loom_machine_crossing *at = &out->at[out->first[i]];
		struct loom_route route;
		uint32_t channel;
		if (out->first[i] == out->first[i + 1])
			continue;
		loom_plan_route_begin(&route, plan, i);
		for (; loom_route_next(&route, &channel); at++)
			*at = (struct loom_machine_crossing){
				.channel = channel, .lane = loom_topo_is_local(&plan->topo, channel) ? 0 : route.vc};
	}
	return 0;
}

void loom_machine_crossings_free(struct loom_machine_crossings *crossings)
{
	if (!crossings)
		return;
	free(crossings->first);
	free(crossings->at);
	*crossings = (struct loom_machine_crossings){0};
}
