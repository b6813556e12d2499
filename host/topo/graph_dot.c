// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads GraphViz files by GraphViz: `dot -Tdot_json` lists nodes and edges, without a layout.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/tool.h"
#include "topo/graph.h"

// The list of GraphViz. Its objects begin with the subgraphs, and edges name nodes by their place among the objects.
struct listing {
	json_t *objects, *edges; // of the root graph
	size_t n_subgraphs;
	bool directed;
	uint32_t *node; // owned: the number of the node of each object
};

static int fail_listing(const char *where, struct loom_err *err)
{
	return loom_fail(err, LOOM_EFILE, "%.120s: GraphViz says nothing of it that could be read (is it one graph?)",
	                 where);
}

static int add_nodes(struct loom_graph_file *out, const struct listing *l, const char *where, struct loom_err *err)
{
	int rc = 0;
	for (size_t i = l->n_subgraphs; rc == 0 && i < json_array_size(l->objects); i++) {
		const json_t *object = json_array_get(l->objects, i);
		const char *name = json_string_value(json_object_get(object, "name"));
		const char *mark = json_string_value(json_object_get(object, "switch"));
		uint32_t before = out->wires.n_nodes;
		if (!name)
			return fail_listing(where, err);
		rc = loom_graph_node(&l->node[i], &out->wires, name, strlen(name), where, err);
		if (rc == 0 && out->wires.n_nodes == before)
			rc = fail_listing(where, err);
		if (rc == 0)
			out->is_switch[l->node[i]] = mark && loom_graph_is_marked(mark);
	}
	return rc;
}

static bool node_of(uint32_t *out, const struct listing *l, const json_t *edge, const char *end)
{
	const json_t *number = json_object_get(edge, end);
	json_int_t i = json_integer_value(number);
	if (!json_is_integer(number) || i < (json_int_t)l->n_subgraphs || i >= (json_int_t)json_array_size(l->objects))
		return false;
	*out = l->node[i];
	return true;
}

static int read_delay(struct loom_graph_link *link, const char *delay, const struct loom_graph_wires *wires,
                      const char *where, struct loom_err *err)
{
	char of[2 * LOOM_GRAPH_NAME + 2];
	(void)snprintf(of, sizeof of, "%s%s%s", wires->name[link->from], link->both ? "--" : "->",
	               wires->name[link->to]);
	int rc = loom_graph_read_delay(&link->delay, delay, strlen(delay), where, of, err);
	link->delay_back = link->delay;
	return rc;
}

static int add_edges(struct loom_graph_file *out, const struct listing *l, const char *where, struct loom_err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < json_array_size(l->edges); i++) {
		const json_t *edge = json_array_get(l->edges, i);
		const char *way = json_string_value(json_object_get(edge, "dir"));
		const char *delay = json_string_value(json_object_get(edge, "delay"));
		struct loom_graph_link link = {.both = !l->directed || (way && strcmp(way, "both") == 0)};
		if (!node_of(&link.from, l, edge, "tail") || !node_of(&link.to, l, edge, "head"))
			return fail_listing(where, err);
		if (delay && *delay) // "": the default of the others
			rc = read_delay(&link, delay, &out->wires, where, err);
		if (rc == 0)
			rc = loom_graph_add(&out->wires, &link, where, err);
	}
	return rc;
}

static int read_listing(struct loom_graph_file *out, const json_t *root, const char *where, struct loom_err *err)
{
	struct listing l = {.objects = json_object_get(root, "objects"),
	                    .edges = json_object_get(root, "edges"),
	                    .n_subgraphs = (size_t)json_integer_value(json_object_get(root, "_subgraph_cnt")),
	                    .directed = json_is_true(json_object_get(root, "directed"))};
	if (!json_is_object(root))
		return fail_listing(where, err);
	if (json_array_size(l.edges) == 0)
		return loom_fail(err, LOOM_EINPUT, "%.120s: there is no edge in it", where);
	l.node = calloc(json_array_size(l.objects) + 1, sizeof *l.node);
	if (!l.node)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a graph");
	int rc = add_nodes(out, &l, where, err);
	if (rc == 0)
		rc = add_edges(out, &l, where, err);
	free(l.node);
	return rc;
}

int loom_graph_read_dot(struct loom_graph_file *out, const char *text, size_t length, const char *where,
                        struct loom_err *err)
{
	static const char *const argv[] = {"dot", "-Tdot_json", NULL};
	struct loom_err why = {0};
	char *listing = NULL, said[160];
	size_t listing_length = 0;
	json_error_t at;
	int rc = loom_tool_run(&listing, &listing_length, said, argv, text, length, &why);
	if (rc == LOOM_EFILE && strstr(why.text, "not installed"))
		return loom_fail(
			err, rc,
			"%.120s: a GraphViz file, and GraphViz is not installed (apt-get install graphviz); an "
			"edge list, a b in each line, needs none",
			where);
	if (rc != 0)
		return loom_fail(err, rc, "%.120s: %.60s%s%.150s", where, why.text, *said ? ": " : "", said);
	json_t *root = loom_json_read(listing, listing_length, &at);
	free(listing);
	rc = root ? read_listing(out, root, where, err) : fail_listing(where, err);
	json_decref(root);
	return rc;
}
