// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the loads of channels in flits, which messages of different lengths need.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_adaptive.h"
#include "plan/plan_internal.h"

int loom_plan_flits(uint64_t **out, const struct loom_plan *plan, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo), channel;
	uint64_t *flits = calloc((size_t)plan->n_passes * n_channels, sizeof *flits);
	if (!flits)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the loads of %" PRIu32 " passes", plan->n_passes);
	if (loom_plan_is_adaptive(plan)) {
		const int rc = loom_plan_may_carry(flits, plan, err);
		if (rc)
			free(flits);
		else
			*out = flits;
		return rc;
	}
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		struct loom_route route;
		for (loom_plan_route_begin(&route, plan, i); loom_route_next(&route, &channel);)
			flits[(size_t)m->pass * n_channels + channel] += m->flits;
	}
	*out = flits;
	return 0;
}

static int most_of_all(uint64_t *out, const struct loom_plan *plan, struct loom_err *err)
{
	const uint32_t n_channels = loom_topo_channels(&plan->topo);
	uint64_t *flits, most = 0;
	const int rc = loom_plan_flits(&flits, plan, err);
	if (rc)
		return rc;
	for (size_t at = 0; at < (size_t)plan->n_passes * n_channels; at++)
		if (flits[at] > most && !loom_topo_is_local(&plan->topo, (uint32_t)(at % n_channels)))
			most = flits[at];
	free(flits);
	*out = most;
	return 0;
}

int loom_plan_contention_flits(uint64_t *out, const struct loom_plan *plan, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo), channel, flits = 0;
	bool alike = true;
	uint64_t most = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		flits = i == 0 ? plan->messages[0].flits : flits;
		alike = alike && plan->messages[i].flits == flits;
	}
	if (alike) {
		*out = (uint64_t)loom_plan_contention(plan) * flits;
		return 0;
	}
	if (loom_plan_is_adaptive(plan))
		return most_of_all(out, plan, err);
	uint64_t *load = calloc(n_channels, sizeof *load);
	if (!load)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the loads of a pass on %s", plan->topo.name);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		struct loom_route route;
		if (i > 0 && m->pass != m[-1].pass)
			memset(load, 0, n_channels * sizeof *load);
		for (loom_plan_route_begin(&route, plan, i); loom_route_next(&route, &channel);) {
			load[channel] += m->flits;
			if (load[channel] > most && !loom_topo_is_local(&plan->topo, channel))
				most = load[channel];
		}
	}
	free(load);
	*out = most;
	return 0;
}
