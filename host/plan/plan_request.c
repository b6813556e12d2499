// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the options of a request to one planner, and finds out if it asks for a placement.
#include <inttypes.h>
#include <string.h>

#include <flitloom/circuits.h>
#include <flitloom/math/lcc_set.h>
#include <flitloom/math/otis.h>
#include <flitloom/routes/failures.h>

#include "plan/plan_internal.h"
#include "topo/topo_ocs.h"

static int check_request(const struct loom_topo *topo, const struct loom_pattern *pattern,
                         const struct loom_plan_options *options, struct loom_err *err)
{
	const char *objective = options->objective;
	if (pattern->n_nodes != topo->n_nodes)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.60s is a pattern of %" PRIu32 " processors, but %s has %" PRIu32
		                 " nodes: the numbers must agree",
		                 pattern->name, pattern->n_nodes, topo->name, topo->n_nodes);
	if (loom_topo_hosts(topo) < topo->n_nodes && loom_plan_map_is_placed(options->map) &&
	    !loom_plan_map_is_file(options->map))
		return loom_fail(
			err, LOOM_EINPUT,
			"map %.20s: %s has switches, which take no task, and places are looked for on networks whose "
			"nodes are all equal; give a file or numbers",
			options->map, topo->name);
	if (pattern->timing && pattern->n_members != 1)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.60s: timing in a set of %" PRIu32 "; what has timing is one communication",
		                 pattern->name, pattern->n_members);
	if (pattern->n_messages > LOOM_MESSAGES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%.60s: %zu messages, %d at most", pattern->name,
		                 pattern->n_messages, LOOM_MESSAGES_MAX);
	if (loom_topo_parts_count(topo) < topo->n_nodes && loom_plan_map_is_placed(options->map) &&
	    !loom_plan_map_is_file(options->map))
		return loom_fail(
			err, LOOM_EINPUT,
			"map %.20s: nodes of %.120s take no part, and a search for places cannot leave nodes out; "
			"give identity, or a node for each processor",
			options->map, topo->name);
	if (options->half_duplex && loom_topo_links(topo) == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "half duplex: %s has no links with two directions; direct networks have (line, ring, "
		                 "mesh, torus, cube)",
		                 topo->name);
	if (!loom_topo_has_circuits(topo) && (options->dark_given || options->relay))
		return loom_fail(
			err, LOOM_EINPUT,
			"%s: %s has no circuit switches; ocs:8 has one, ocs:8x2 two, ocs-benes:8 one of 2x2 switches",
			options->relay ? "relays" : "dark cycles", topo->name);
	if (loom_topo_has_circuits(topo) && options->dark > LOOM_CIRCUIT_DARK_MOST)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " dark cycles: %u at most", options->dark,
		                 LOOM_CIRCUIT_DARK_MOST);
	if (options->detours > LOOM_DETOURS_MAX)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " detours: %d at most", options->detours,
		                 LOOM_DETOURS_MAX);
	if (!(options->budget_seconds >= 0))
		return loom_fail(err, LOOM_EINPUT, "a budget of %g seconds: it is 0 (the planner's own) or more",
		                 options->budget_seconds);
	for (unsigned load = 0; options->load && strcmp(loom_load_unit_name(load), options->load) != 0; load++)
		if (!loom_load_unit_name(load + 1))
			return loom_fail(err, LOOM_EINPUT, "unknown load \"%.40s\"; there is: messages, flits",
			                 options->load);
	struct loom_otis_cost cost;
	int rc = loom_otis_cost_parse(&cost, options->cost, err);
	if (rc != 0 || !objective)
		return rc;
	enum loom_objective known;
	rc = loom_objective_parse(&known, objective, err);
	if (rc == 0 && pattern->n_members < 2 && pattern->n_lccs == 0)
		rc = loom_fail(err, LOOM_EINPUT,
		               "objective %s: it weighs the members of a set, and %.60s is no set, nor "
		               "linear-complement, which would be a set of one; objective cycles is for any pattern",
		               objective, pattern->name);
	return rc;
}

int loom_plan_make_by_one(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                          const struct loom_plan_options *options, struct loom_err *err)
{
	int rc = check_request(topo, pattern, options, err);
	if (rc != 0)
		return rc;
	return loom_plan_map_is_placed(options->map) ? loom_plan_make_placed(out, topo, pattern, options, err)
	                                             : loom_plan_make_on(out, topo, pattern, options, NULL, err);
}
