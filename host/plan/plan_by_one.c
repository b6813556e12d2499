// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a plan by one planner on one map: hands the planner its task, and checks its plan.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/circuits.h>
#include <flitloom/routes/deadlock.h>
#include <flitloom/planner.h>

#include "plan/plan_adaptive.h"
#include "plan/plan_internal.h"
#include "topo/topo_ocs.h"

static int parse_rule(enum loom_rule *out, const struct loom_topo *topo, const char *name, struct loom_err *err)
{
	char there_is[80] = "";
	size_t used = 0;
	unsigned rule = 0, n = loom_topo_rules_count(topo);
	if (!name)
		return 0;
	if (loom_topo_rules_by_ends(topo))
		return loom_fail(err, LOOM_EINPUT,
		                 "rule %.40s: on %.120s the lane of a message follows from its ends: leave it out",
		                 name, topo->name);
	while (loom_rule_name(rule) && strcmp(loom_rule_name(rule), name) != 0)
		rule++;
	if (rule < n) {
		*out = (enum loom_rule)rule;
		return 0;
	}
	for (unsigned r = 0; r < n; r++)
		used += (size_t)snprintf(there_is + used, sizeof there_is - used, "%s%s", r ? ", " : "",
		                         loom_rule_name(r));
	if (rule < LOOM_RULES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%s has no rule %s, as it has no rings; it has: %s", topo->name,
		                 name, there_is);
	return loom_fail(err, LOOM_EINPUT, "unknown rule \"%.40s\"; %s has: %s", name, topo->name, there_is);
}

// Fills in what a planner is given, except for map and messages.
static int begin(struct loom_plan *plan, const struct loom_topo *topo, const struct loom_pattern *pattern,
                 struct loom_err *err)
{
	loom_topo_copy(&plan->topo, topo);
	(void)snprintf(plan->pattern, sizeof plan->pattern, "%s", pattern->name);
	plan->n_members = plan->n_passes = pattern->n_members;
	plan->n_messages = pattern->n_messages;
	plan->messages = calloc(plan->n_messages + !plan->n_messages, sizeof *plan->messages);
	plan->map = calloc(topo->n_nodes, sizeof *plan->map);
	plan->member_of_pass = calloc(plan->n_passes, sizeof *plan->member_of_pass);
	plan->making = calloc(1, sizeof *plan->making);
	if (!plan->messages || !plan->map || !plan->member_of_pass || !plan->making)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a plan of %zu messages", plan->n_messages);
	plan->making->own_lengths = pattern->own_lengths;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		plan->member_of_pass[pass] = pass;
	return 0;
}

// Fills in the map: `nodes`, or if that is NULL the map that `text` names.
static int put_map(struct loom_plan *plan, bool *is_free, const char *text, const uint32_t *nodes, struct loom_err *err)
{
	const struct loom_topo *topo = &plan->topo;
	int rc = nodes ? 0 : loom_plan_parse_map(plan->map, is_free, topo, text, err);
	if (nodes)
		memcpy(plan->map, nodes, topo->n_nodes * sizeof *plan->map);
	if (rc == 0)
		plan->n_order = loom_plan_order_of_map(plan->order, plan->map, topo->n_nodes);
	for (uint32_t v = 0; rc == 0 && loom_topo_has_circuits(topo) && v < topo->n_nodes; v++)
		if (plan->map[v] != v)
			rc = loom_fail(err, LOOM_EINPUT,
			               "map: on %.60s every place is as good as any other; leave it out", topo->name);
	return rc;
}

// Fills in the messages, one pass for each member, and their timing.
static int put_messages(struct loom_plan *plan, const struct loom_pattern *pattern, enum loom_rule rule,
                        struct loom_err *err)
{
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_message *message = &pattern->messages[i];
		plan->messages[i] = (struct loom_plan_message){
			.pass = message->member,
			.source = message->source,
			.destination = message->destination,
			.flits = message->flits,
			.rule = (uint8_t)rule,
			.origin = (uint32_t)i,
		};
	}
	if (pattern->timing) {
		plan->timing = loom_timing_copy(pattern->timing, pattern->n_messages, pattern->n_nodes);
		if (!plan->timing)
			return loom_fail(err, LOOM_ENOMEM, "out of memory for the timing of %zu messages",
			                 pattern->n_messages);
	}
	loom_plan_settle_rules(plan);
	return 0;
}

int loom_plan_make_on(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                      const struct loom_plan_options *asked, const uint32_t *map, struct loom_err *err)
{
	struct loom_plan_options of_planner;
	const struct loom_plan_options *options = &of_planner;
	bool takes_map;
	const struct loom_planner *planner = NULL;
	struct loom_plan plan = {0};
	bool map_is_free = false;
	enum loom_rule rule = LOOM_RULE_ASCENDING;

	int rc = loom_plan_ask_adaptive(&of_planner, &takes_map, topo, asked, err);
	if (rc == 0)
		rc = parse_rule(&rule, topo, options->rule, err);
	if (rc != 0)
		goto out;
	rc = loom_plan_choose(&planner, topo, pattern, options, err);
	if (rc != 0)
		goto out;
	rc = begin(&plan, topo, pattern, err);
	if (rc == 0)
		rc = put_map(&plan, &map_is_free, options->map, map, err);
	if (rc == 0)
		rc = put_messages(&plan, pattern, rule, err);
	if (rc == 0)
		rc = loom_plan_check_parts(&plan, err);
	if (rc != 0)
		goto out;
	(void)snprintf(plan.planner, sizeof plan.planner, "%s", planner->name);
	plan.bound = planner->bound;
	plan.half_duplex = options->half_duplex;
	if (loom_topo_has_circuits(topo))
		plan.dark = options->dark_given ? options->dark : LOOM_DARK_USUAL;
	const struct loom_planner_request request = {pattern, options, map_is_free};
	rc = planner->plan(&plan, &request, err);
	loom_plan_settle_rules(&plan);
	if (rc == 0 && options->objective && !plan.objective[0])
		rc = loom_fail(err, LOOM_EINPUT, "planner %s weighs no objective, %s or any other", planner->name,
		               options->objective);
	if (rc == 0 && takes_map)
		rc = loom_plan_let_choose(&plan, asked, err);
	if (rc == 0)
		rc = loom_plan_check_deliveries(&plan, pattern, err);
	if (rc == 0)
		rc = loom_deadlock_check(&plan, err);
	if (rc != 0)
		goto out;
	*out = plan;
	memset(&plan, 0, sizeof plan);
out:
	loom_plan_free(&plan);
	return rc;
}

const struct loom_plan_making *loom_plan_how_made(const struct loom_plan *plan)
{
	static const struct loom_plan_making unknown = {0};
	return plan->making ? plan->making : &unknown;
}

void loom_plan_free(struct loom_plan *plan)
{
	if (!plan)
		return;
	loom_topo_free(&plan->topo);
	free(plan->messages);
	loom_routes_free(&plan->routes);
	free(plan->label);
	loom_timing_free(plan->timing);
	free(plan->map);
	free(plan->load);
	free(plan->most);
	free(plan->cycles);
	free(plan->member_contention);
	free(plan->member_of_pass);
	free(plan->theory);
	if (plan->making)
		loom_circuits_free(plan->making->circuits);
	free(plan->making);
	memset(plan, 0, sizeof *plan);
}
