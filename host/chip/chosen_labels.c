// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "chip/chosen_labels.h"

#include <stdlib.h>

#include "plan/plan_tables.h"

int loom_chosen_labels_make(struct loom_route_tables *out, const struct loom_plan *plan, struct loom_err *err)
{
	return loom_plan_tables_make(out, plan, &plan->routes, err);
}

int loom_chosen_labels_destinations(uint32_t *out, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_route_tables tables = {0};
	uint32_t n_nodes = plan->topo.n_nodes;
	int rc = plan->routes.n ? loom_chosen_labels_make(&tables, plan, err) : 0;
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++) {
		out[i] = plan->map[plan->messages[i].destination];
		if (plan->routes.n) // see node_of in host/device/device_logs.c
			out[i] = tables.label[i] < n_nodes ? tables.label[i] : n_nodes + tables.label[i];
	}
	loom_route_tables_free(&tables);
	return rc;
}

uint32_t loom_route_words(uint32_t *n_networks, const struct loom_plan *plan, const struct loom_route_tables *chosen)
{
	const struct loom_topo *t = &plan->topo;
	*n_networks = 0;
	if (t->kind->router != LOOM_ROUTER_TABLE)
		return 0;
	if (plan->n_messages == 0)
		*n_networks = chosen && chosen->port ? chosen->n_networks : loom_topo_rules_count(t);
	for (size_t i = 0; i < plan->n_messages; i++)
		if (plan->messages[i].rule >= *n_networks)
			*n_networks = plan->messages[i].rule + 1u;
	return chosen && chosen->port ? chosen->n_labels : t->n_nodes;
}

void loom_route_words_fill(uint32_t *word, const struct loom_plan *plan, const struct loom_route_tables *chosen,
                           uint32_t network, uint32_t here)
{
	const struct loom_topo *t = &plan->topo;
	for (uint32_t label = 0; chosen->port && label < chosen->n_labels; label++) {
		uint8_t port = chosen->port[((size_t)network * chosen->n_labels + label) * chosen->n_nodes + here];
		word[label] = port == LOOM_PORT_NONE ? 0 : port; // no message with this label comes here
	}
	for (uint32_t to = 0; !chosen->port && to < t->n_nodes; to++)
		word[loom_topo_label(t, to)] = loom_topo_port(t, here, to, (enum loom_rule)network);
}
