// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// One pass per member, each message by a label of the user's own tables (plan->options->tables) that leads where it goes.
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/own_tables.h>

#include "plan/planners/planners.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return topo->kind->spare_label_bits != 0 && pattern->n_messages != 0;
}

static bool volunteers(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	(void)pattern;
	return false;
}

static int choose(struct loom_plan *plan, const struct loom_route_tables *tables, struct loom_err *err)
{
	size_t n = plan->n_messages;
	struct loom_message *messages = calloc(n + 1, sizeof *messages);
	uint32_t *network = calloc(n + 1, sizeof *network), *label = calloc(n + 1, sizeof *label);
	int rc = messages && network && label
	                 ? 0
	                 : loom_fail(err, LOOM_ENOMEM, "out of memory for the labels of %zu messages", n);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		messages[i] = (struct loom_message){
			.source = plan->map[m->source], .destination = plan->map[m->destination], .flits = m->flits};
	}
	if (rc == 0)
		rc = loom_table_ways_choose(&plan->routes, network, label, tables, &plan->topo, messages, n, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		plan->messages[i].rule = (uint8_t)network[i];
	free(messages);
	free(network);
	if (rc != 0)
		free(label);
	else
		plan->label = label;
	return rc;
}

static int plan_tables(struct loom_plan *plan, const struct loom_pattern *pattern, const char *objective,
                       bool map_is_free, struct loom_err *err)
{
	const struct loom_route_tables *tables = plan->options ? plan->options->tables : NULL;
	(void)map_is_free;
	if (!tables)
		return loom_fail(err, LOOM_EINPUT, "planner tables: there are no tables; --tables FILE gives them");
	if (tables->n_nodes != plan->topo.n_nodes || tables->n_networks != plan->topo.n_vcs)
		return loom_fail(err, LOOM_EINPUT, "the tables are not for %s", plan->topo.name);
	if (pattern->n_members > 1 || objective) // reported, though nothing was chosen by it
		(void)snprintf(plan->objective, sizeof plan->objective, "%s", objective ? objective : "maxmax");
	int rc = choose(plan, tables, err);
	if (rc == 0)
		rc = loom_planner_bound_placement(plan, err);
	return rc != 0 ? rc : loom_plan_predict(plan, err);
}

const struct loom_planner loom_planner_tables = {
	.name = "tables",
	.help = "any messages, by routing tables of your own (--tables)",
	.accepts = accepts,
	.volunteers = volunteers,
	.plan = plan_tables,
	.bound = LOOM_BOUND_PLACEMENT,
	.only_by_name = true,
};
