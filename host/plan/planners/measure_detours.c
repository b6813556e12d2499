// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "plan/planners/route_planners.h"
#include "plan/routes/region.h"

int loom_plan_measure_detours(struct loom_plan *plan, const struct loom_message *messages, struct loom_err *err)
{
	struct loom_region region = {0};
	const struct loom_routes *routes = &plan->routes;
	int rc = loom_region_init(&region, &plan->topo, messages, plan->n_messages, 0, err);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++) {
		uint32_t n = (uint32_t)(routes->first[i + 1] - routes->first[i]);
		loom_region_set(&region, &messages[i], 0);
		uint32_t more = n > loom_region_hops(&region) ? n - loom_region_hops(&region) : 0;
		plan->detours = more > plan->detours ? more : plan->detours;
		if (more > LOOM_DETOURS_MAX)
			rc = loom_fail(err, LOOM_EINPUT,
			               "message %zu: its route takes %" PRIu32 " links, %" PRIu32
			               " more than a shortest one; up to %d more are possible",
			               i, n, more, LOOM_DETOURS_MAX);
	}
	loom_region_free(&region);
	return rc;
}
