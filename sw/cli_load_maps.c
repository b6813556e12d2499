// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds where processors sit at a load: as the plan of a pattern has it, or as given.
#include <string.h>

#include <flitloom/planner.h>

#include "cli_load.h"

// The map of a plan: of a pattern by a planner (NULL: the first that takes it), wanting a map.
static int map_of_plan(uint32_t *map, const struct loom_topo *topo, const char *spec, const char *planner,
                       const char *wanted, const struct cli_request *request, struct loom_err *err)
{
	struct loom_pattern pattern;
	struct loom_plan plan;
	uint32_t extent[LOOM_DIMS_MAX];
	const struct loom_pattern_options pattern_options = {.flits = request->flits,
	                                                     .seed = request->seed,
	                                                     .n_dims = loom_topo_shape(extent, topo),
	                                                     .extent = extent};
	const struct loom_plan_options options = {
		.map = wanted, .planner = planner, .objective = spec == request->words[1] ? NULL : request->objective};
	int rc = loom_pattern_parse(&pattern, spec, topo->n_nodes, &pattern_options, err);
	if (rc != 0)
		return rc;
	rc = loom_plan_make(&plan, topo, &pattern, &options, err);
	loom_pattern_free(&pattern);
	if (rc != 0)
		return rc;
	memcpy(map, plan.map, topo->n_nodes * sizeof *map);
	loom_plan_free(&plan);
	return 0;
}

int load_map(uint32_t *map, const char *text, const struct loom_topo *topo, const struct loom_traffic *traffic,
             const struct cli_request *request, struct loom_err *err)
{
	const bool planned = traffic->kind == LOOM_TRAFFIC_ONE;
	char planner[64];
	const char *pattern = strchr(text, ':');
	(void)snprintf(planner, sizeof planner, "%.*s", (int)(pattern ? pattern - text : 63), text);
	pattern = pattern ? pattern + 1 : request->words[1];
	const bool best = strcmp(planner, "best") == 0;
	if (!best && !loom_planner_named(planner))
		return map_of_plan(map, topo, planned ? request->words[1] : "identity", "direct", text, request, err);
	if (pattern == request->words[1] && !planned)
		return loom_fail(
			err, LOOM_EINPUT,
			"map %.60s: %.60s has no plan of which it could be the map; such as identity, or %s:transpose",
			text, request->words[1], planner);
	return map_of_plan(map, topo, pattern, best ? NULL : planner, "best", request, err);
}
