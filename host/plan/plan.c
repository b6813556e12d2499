// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a plan by one planner or by the best of all, or reworks such a plan so that it takes few cycles.
#include <flitloom/plan.h>

#include <inttypes.h>
#include <string.h>

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

// --- Networks with switches: the processors of a pattern are the nodes that send and receive ---

// Copies a pattern's timing for n_nodes processors. The added processors have no gates.
static struct loom_timing *longer_timing(const struct loom_pattern *pattern, uint32_t n_nodes)
{
	const size_t n_places = pattern->n_messages + pattern->n_nodes, n_gates = pattern->timing->first[n_places];
	struct loom_timing *t = loom_timing_new(pattern->n_messages, n_nodes, n_gates);
	if (!t)
		return NULL;
	memcpy(t->gate, pattern->timing->gate, n_gates * sizeof *t->gate);
	memcpy(t->first, pattern->timing->first, (n_places + 1) * sizeof *t->first);
	for (size_t place = n_places; place < pattern->n_messages + n_nodes; place++)
		t->first[place + 1] = n_gates;
	t->n_serialised = pattern->timing->n_serialised;
	return t;
}

static int check_messages(const struct loom_pattern *pattern, const struct loom_topo *topo, struct loom_err *err)
{
	const uint32_t n_hosts = loom_topo_hosts(topo);
	for (size_t i = 0; i < pattern->n_messages; i++) {
		const struct loom_message *m = &pattern->messages[i];
		const uint32_t at = m->source >= n_hosts ? m->source : m->destination;
		if (at >= n_hosts)
			return loom_fail(err, LOOM_EINPUT,
			                 "%.60s: message %zu is of node %" PRIu32
			                 ", which is a switch of %.100s; nodes 0..%" PRIu32 " send and receive",
			                 pattern->name, i, at, topo->name, n_hosts - 1);
	}
	return 0;
}

// Makes a pattern with a processor for each node of a topology with switches; the last processors send nothing. `out`
// shares the memory of `pattern`, except for `timing`, which hosts_end frees.
static int hosts_begin(struct loom_pattern *out, const struct loom_pattern *pattern, const struct loom_topo *topo,
                       struct loom_err *err)
{
	const uint32_t n_hosts = loom_topo_hosts(topo);
	*out = *pattern;
	out->timing = NULL;
	if (pattern->n_nodes == topo->n_nodes) {
		int rc = check_messages(pattern, topo, err);
		if (rc == 0 && pattern->timing &&
		    !(out->timing = loom_timing_copy(pattern->timing, pattern->n_messages, pattern->n_nodes)))
			rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the timing of %" PRIu32 " nodes",
			               topo->n_nodes);
		return rc;
	}
	if (pattern->n_nodes != n_hosts)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.60s is a pattern of %" PRIu32 " processors, but %s has %" PRIu32
		                 " nodes that send and receive: the numbers must agree",
		                 pattern->name, pattern->n_nodes, topo->name, n_hosts);
	out->n_nodes = topo->n_nodes;
	out->n_lccs = 0; // the matrices have fewer nodes
	out->lccs = NULL;
	if (pattern->timing && !(out->timing = longer_timing(pattern, topo->n_nodes)))
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the timing of %" PRIu32 " nodes", topo->n_nodes);
	return 0;
}

static void hosts_end(struct loom_pattern *pattern)
{
	loom_timing_free(pattern->timing);
	pattern->timing = NULL;
}

static int make_between_hosts(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                              const struct loom_plan_options *options, struct loom_err *err)
{
	struct loom_pattern longer;
	int rc = hosts_begin(&longer, pattern, topo, err);
	if (rc == 0)
		rc = make_for_objective(out, topo, &longer, options, err);
	hosts_end(&longer);
	return rc;
}

// --- All networks ---

// Refuses options that do not apply to circuit switches, where light goes straight from sender to receiver.
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
