// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans, by one planner or by the best of all, or for few cycles from there on.
#include <flitloom/plan.h>

#include <string.h>

#include "plan/plan_hosts.h"
#include "plan/cycles/fewer_cycles.h"
#include "plan/cycles/objective.h"
#include "plan/plan_adaptive.h"
#include "plan/plan_internal.h"
#include "topo/topo_ocs.h"

static int make(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                const struct loom_plan_options *options, struct loom_err *err)
{
	if (options->planner && strcmp(options->planner, "best") == 0)
		return loom_plan_make_best(out, topo, pattern, options, err);
	return loom_plan_make_by_one(out, topo, pattern, options, err);
}

static int make_for_cycles(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                           const struct loom_plan_options *options, struct loom_err *err)
{
	struct loom_plan_options first = *options;
	struct loom_plan plan;
	first.objective = NULL;
	int rc = make(&plan, topo, pattern, &first, err);
	if (rc != 0)
		return rc;
	rc = loom_plan_take_fewer_cycles(&plan, pattern, options, err);
	if (rc == 0)
		*out = plan;
	else
		loom_plan_free(&plan);
	return rc;
}

static int make_for_objective(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                              const struct loom_plan_options *options, struct loom_err *err)
{
	return loom_objective_is_cycles(options->objective) ? make_for_cycles(out, topo, pattern, options, err)
	                                                    : make(out, topo, pattern, options, err);
}

static int make_between_hosts(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                              const struct loom_plan_options *options, struct loom_err *err)
{
	struct loom_pattern longer;
	int rc = loom_plan_hosts_begin(&longer, pattern, topo, err);
	if (rc == 0)
		rc = make_for_objective(out, topo, &longer, options, err);
	loom_plan_hosts_end(&longer);
	return rc;
}

// Refuses what means nothing on circuit switches, where light leads a message from its sender to its receiver.
static int check_circuits(const struct loom_topo *topo, const struct loom_plan_options *options, struct loom_err *err)
{
	const char *routes = options->rule ? "rule " : options->load ? "load " : options->detours ? "detours" : NULL;
	const char *which = options->rule ? options->rule : options->load ? options->load : "";
	if (options->objective)
		return loom_fail(err, LOOM_EINPUT,
		                 "objective %.40s: planners on %.60s make the schedule short by themselves",
		                 options->objective, topo->name);
	if (loom_plan_map_is_placed(options->map))
		return loom_fail(err, LOOM_EINPUT,
		                 "map %.40s: on %.60s every place is as good as any other; leave it out", options->map,
		                 topo->name);
	if (routes)
		return loom_fail(
			err, LOOM_EINPUT,
			"%s%.40s: on %.60s there are no routes to choose from: light leads from the sender to the "
			"receiver; leave it out",
			routes, which, topo->name);
	return 0;
}

int loom_plan_make(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                   const struct loom_plan_options *options, struct loom_err *err)
{
	static const struct loom_plan_options defaults = {0};
	options = options ? options : &defaults;
	struct loom_plan_options of_planner;
	bool takes_map;
	int rc = loom_plan_ask_adaptive(&of_planner, &takes_map, topo, options, err);
	if (rc != 0)
		return rc;
	rc = loom_topo_has_circuits(topo) ? check_circuits(topo, options, err) : 0;
	if (rc != 0)
		return rc;
	if (loom_topo_hosts(topo) < topo->n_nodes)
		return make_between_hosts(out, topo, pattern, options, err);
	return make_for_objective(out, topo, pattern, options, err);
}
