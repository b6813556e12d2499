// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the network of a plan on a graph. The plan holds its nodes and links, so the file of the graph is not read.
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/routes/graph.h>

#include "plan/plan_values.h"
#include "topo/graph.h"

static int get_nodes(struct loom_graph_wires *out, const json_t *list, struct loom_err *err)
{
	size_t n = json_array_size(list);
	if (n < 2 || n > LOOM_GRAPH_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "nodes of \"graph\" are not a list of 2 to %d names",
		                 LOOM_GRAPH_NODES_MAX);
	out->name = calloc(n, sizeof *out->name);
	if (!out->name)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %zu nodes", n);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		char what[40];
		(void)snprintf(what, sizeof what, "graph: nodes[%zu]", i);
		rc = loom_plan_get_name(out->name[i], sizeof *out->name, json_array_get(list, i), what, err);
	}
	out->n_nodes = (uint32_t)n;
	return rc;
}

static int get_links(struct loom_graph_wires *out, const json_t *list, struct loom_err *err)
{
	enum { N_COLUMNS = 3, LINKS_MAX = LOOM_GRAPH_NODES_MAX * LOOM_GRAPH_LINKS_MAX };
	size_t n = json_array_size(list);
	if (!json_is_array(list) || n < 1 || n > LINKS_MAX)
		return loom_fail(err, LOOM_EINPUT, "links of \"graph\" are not a list of 1 to %d", LINKS_MAX);
	out->link = calloc(n, sizeof *out->link);
	if (!out->link)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %zu links", n);
	out->n_links = (uint32_t)n;
	for (size_t i = 0; i < n; i++) {
		uint32_t *value = NULL;
		char what[40];
		(void)snprintf(what, sizeof what, "graph: links[%zu]", i);
		int rc =
			loom_plan_get_list(&value, json_array_get(list, i), what, N_COLUMNS, LOOM_GRAPH_NODES_MAX, err);
		if (rc == 0 && value[2] != 1 && value[2] != 2)
			rc = loom_fail(err, LOOM_EINPUT, "%s has %" PRIu32 " directions; 1 or 2 are possible", what,
			               value[2]);
		if (rc == 0)
			out->link[i] =
				(struct loom_graph_link){.from = value[0], .to = value[1], .both = value[2] == 2};
		free(value);
		if (rc != 0)
			return rc;
	}
	return 0;
}

// Reads the delays of links. `back` has those of the other direction; if it is missing, both directions have the same.
static int get_delays(struct loom_graph_wires *out, const json_t *list, const json_t *back, struct loom_err *err)
{
	uint32_t *delay = NULL, *delay_back = NULL;
	int rc = loom_plan_get_list(&delay, list, "graph: delays", out->n_links, LOOM_LINK_DELAY_MAX + 1, err);
	if (rc == 0 && back)
		rc = loom_plan_get_list(&delay_back, back, "graph: delays_back", out->n_links, LOOM_LINK_DELAY_MAX + 1,
		                        err);
	for (uint32_t i = 0; rc == 0 && i < out->n_links; i++) {
		out->link[i].delay = (uint8_t)delay[i];
		out->link[i].delay_back = (uint8_t)(back ? delay_back[i] : delay[i]);
	}
	free(delay);
	free(delay_back);
	return rc;
}

int loom_plan_get_graph(struct loom_topo *out, const char *fabric, const json_t *graph, struct loom_err *err)
{
	static const char *const keys[] = {"nodes", "links", "switches", "delays", "delays_back"};
	const json_t *switches = json_object_get(graph, "switches"), *delays = json_object_get(graph, "delays"),
		     *back = json_object_get(graph, "delays_back");
	struct loom_graph_wires wires = {0};
	struct loom_topo_suffix suffix;
	char name[LOOM_TOPO_NAME];
	unsigned n_vcs;
	int rc = loom_plan_check_keys(graph, "\"graph\"", keys, sizeof keys / sizeof keys[0], 3, err);
	if (rc == 0)
		rc = get_nodes(&wires, json_object_get(graph, "nodes"), err);
	if (rc == 0)
		rc = get_links(&wires, json_object_get(graph, "links"), err);
	if (rc == 0 && back && !delays)
		rc = loom_fail(err, LOOM_EINPUT, "graph: delays_back, and no delays of the other way");
	if (rc == 0 && delays)
		rc = get_delays(&wires, delays, back, err);
	if (rc == 0 && switches)
		rc = loom_plan_get_number(&wires.n_switches, switches, "graph: switches", LOOM_GRAPH_NODES_MAX, err);
	(void)snprintf(name, sizeof name, "%.*s", (int)loom_topo_suffix_split(&suffix, fabric), fabric);
	(void)loom_graph_file(&n_vcs, name);
	if (rc == 0)
		rc = loom_topo_of_graph(out, fabric, &wires, n_vcs, err);
	loom_graph_wires_free(&wires);
	return rc;
}
