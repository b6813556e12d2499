// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a plan's routes as tables, on which users can base their own.
#include <flitloom/routes/table_file.h>

#include <stdio.h>
#include <stdlib.h>

#include "plan/node_messages.h"
#include "plan/plan_internal.h"
#include "plan/plan_tables.h"
#include "plan/table_fabric.h"

// Copies the ways of the messages as routes, both chosen routes and those by rule. A message that does not use the
// network gets a route without links.
static int copy_routes(struct loom_routes *out, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_route route;
	struct loom_routes routes = {.n = plan->n_messages};
	uint32_t c;
	size_t n = 0;
	for (size_t i = 0; i < plan->n_messages; i++)
		for (loom_plan_route_begin(&route, plan, i); loom_route_next(&route, &c);)
			n += !loom_topo_is_local(&plan->topo, c);
	routes.first = malloc((plan->n_messages + 1) * sizeof *routes.first);
	routes.channel = malloc((n + 1) * sizeof *routes.channel);
	if (!routes.first || !routes.channel) {
		loom_routes_free(&routes);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages", plan->n_messages);
	}
	n = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		routes.first[i] = n;
		for (loom_plan_route_begin(&route, plan, i); loom_route_next(&route, &c);)
			if (!loom_topo_is_local(&plan->topo, c))
				routes.channel[n++] = c;
	}
	routes.first[plan->n_messages] = n;
	*out = routes;
	return 0;
}

int loom_plan_tables_make(struct loom_route_tables *out, const struct loom_plan *plan, const struct loom_routes *routes,
                          struct loom_err *err)
{
	const struct loom_topo *t = &plan->topo;
	struct loom_message *messages = loom_plan_node_messages(plan, 0, plan->n_messages);
	uint32_t *network = calloc(plan->n_messages + 1, sizeof *network);
	int rc = messages && network ? 0
	                             : loom_fail(err, LOOM_ENOMEM, "out of memory for the labels of %zu messages",
	                                         plan->n_messages);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		network[i] = loom_topo_network(t, plan->messages[i].rule);
	const struct loom_tables_task task = {.routes = routes,
	                                      .topo = t,
	                                      .messages = messages,
	                                      .network = network,
	                                      .n_networks = t->n_vcs,
	                                      .labels_most = UINT32_C(1) << t->label_bits};
	if (rc == 0)
		rc = plan->label ? loom_route_tables_of_labels(out, &task, plan->label, err)
		                 : loom_route_tables_make(out, &task, err);
	free(network);
	free(messages);
	return rc;
}

// Reports that the fabric's routers cannot take chosen routes, how they route, and which planners or fabrics can be
// used.
static int fail_without_tables(const struct loom_plan *plan, struct loom_err *err)
{
	char fabric[LOOM_TOPO_NAME], there[LOOM_TOPO_NAME + 32] = "";
	const enum loom_router router = plan->topo.kind->router;
	if (loom_plan_table_fabric(fabric, plan))
		(void)snprintf(there, sizeof there, ", and chosen routes on fabric %s", fabric);
	return loom_fail(err, LOOM_EINPUT,
	                 "planner %s chose a route for each message, and the routers of %s %s: it can be planned and "
	                 "drawn; planner %s can be run%s",
	                 plan->planner, plan->topo.name,
	                 router == LOOM_ROUTER_ORDER  ? "go dimension by dimension"
	                 : router == LOOM_ROUTER_OTIS ? "go by group and processor"
	                                              : "have tables without room for it",
	                 router == LOOM_ROUTER_ORDER ? "xy or yx" : "direct or greedy", there);
}

int loom_plan_tables_check(const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_route_tables tables;
	if (plan->routes.n == 0)
		return 0;
	if (plan->topo.kind->spare_label_bits == 0)
		return fail_without_tables(plan, err);
	int rc = loom_plan_tables_make(&tables, plan, &plan->routes, err);
	if (rc == 0)
		loom_route_tables_free(&tables);
	return rc;
}

int loom_route_tables_check_fabric(const struct loom_topo *topo, struct loom_err *err)
{
	return topo->kind->spare_label_bits != 0
	               ? 0
	               : loom_fail(err, LOOM_EINPUT,
	                           "routers of %s have no tables; those of table-mesh, table-torus and table-cube have",
	                           topo->name);
}

int loom_route_tables_of_plan(struct loom_route_tables *out, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_routes routes = {0};
	int rc = loom_route_tables_check_fabric(&plan->topo, err);
	if (rc == 0 && loom_plan_is_adaptive(plan))
		rc = loom_fail(
			err, LOOM_EINPUT,
			"by rule %s routers choose the ways of messages, and go by sets of links, not by these tables",
			loom_rule_name(plan->messages[0].rule));
	if (rc == 0)
		rc = copy_routes(&routes, plan, err);
	if (rc == 0)
		rc = loom_plan_tables_make(out, plan, &routes, err);
	loom_routes_free(&routes);
	return rc;
}

int loom_plan_check_labels(const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_route_tables tables;
	struct loom_err why = {0};
	if (!plan->label)
		return 0;
	if (plan->routes.n == 0)
		return loom_fail(err, LOOM_EINPUT, "labels without routes: each is of a route");
	int rc = loom_route_tables_of_plan(&tables, plan, &why);
	if (rc != 0)
		return loom_fail(err, rc == LOOM_ENOMEM ? rc : LOOM_EINPUT, "%.300s", why.text);
	loom_route_tables_free(&tables);
	return 0;
}
