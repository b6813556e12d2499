// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans one pass per member. Each message goes by a label of the user's own tables (options->tables) that leads to its
// destination.
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/routes/table_file.h>

#include "plan/node_messages.h"
#include "plan/planners/planners.h"
#include "plan/planners/route_planners.h"
#include "plan/routes/table_ways.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return topo->kind->spare_label_bits != 0 && pattern->n_messages != 0;
}

static int choose(struct loom_plan *plan, const struct loom_route_tables *tables, struct loom_err *err)
{
	size_t n = plan->n_messages;
	struct loom_message *messages = loom_plan_node_messages(plan, 0, n);
	struct loom_chosen_ways ways;
	int rc = messages ? loom_table_ways_choose(&ways, tables, &plan->topo, messages, n, err)
	                  : loom_fail(err, LOOM_ENOMEM, "out of memory for the labels of %zu messages", n);
	if (rc == 0) {
		plan->routes = ways.routes;
		plan->label = ways.label;
		for (size_t i = 0; i < n; i++)
			plan->messages[i].rule = (uint8_t)ways.network[i];
		free(ways.network);
		rc = loom_plan_measure_detours(plan, messages, err);
	}
	free(messages);
	return rc;
}

static int plan_tables(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	const struct loom_route_tables *tables = request->options->tables;
	if (!tables)
		return loom_fail(err, LOOM_EINPUT, "planner tables: there are no tables; --tables FILE gives them");
	if (tables->n_nodes != plan->topo.n_nodes || tables->n_networks != plan->topo.n_vcs)
		return loom_fail(err, LOOM_EINPUT, "the tables are not for %s", plan->topo.name);
	loom_planner_report_objective(plan, request);
	int rc = choose(plan, tables, err);
	if (rc == 0)
		rc = loom_planner_bound_placement(plan, err);
	return rc != 0 ? rc : loom_plan_predict(plan, err);
}

const struct loom_planner loom_planner_tables = {
	.name = "tables",
	.help = "any messages, by routing tables of your own (--tables)",
	.accepts = accepts,
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_tables,
	.bound = LOOM_BOUND_PLACEMENT,
	.only_by_name = true,
	.takes = LOOM_TAKES_TRAFFIC,
};
