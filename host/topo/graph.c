// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A fabric made of wires: its ports, routes and owners.
#include "topo/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void loom_damage_free(struct loom_damage *damage)
{
	if (!damage)
		return;
	loom_graph_free(damage->whole.graph); // the graph is all that a fabric owns
	loom_failures_free(&damage->failures);
	free(damage->is_out);
	free(damage);
}

void loom_graph_free(struct loom_graph *g)
{
	if (!g || atomic_fetch_sub(&g->n_users, 1) != 1)
		return;
	loom_graph_wires_free(&g->wires);
	loom_arrays_free(&g->arrays);
	loom_damage_free(g->damage);
	free(g);
}

// Returns the larger delay of the link's two directions.
static unsigned most_delay(const struct loom_graph_link *link)
{
	return link->both && link->delay_back > link->delay ? link->delay_back : link->delay;
}

// Copies the wires, from any source, and checks them like those of a file.
static int copy_wires(struct loom_graph_wires *out, const struct loom_graph_wires *wires, struct loom_err *err)
{
	int rc = 0;
	out->n_dims = wires->n_dims;
	out->in_order = wires->in_order;
	out->n_link_classes = wires->n_link_classes;
	out->n_switches = wires->n_switches;
	memcpy(out->extent, wires->extent, sizeof out->extent);
	for (uint32_t i = 0; rc == 0 && i < wires->n_nodes; i++) {
		uint32_t number;
		char where[40];
		(void)snprintf(where, sizeof where, "node %u", i);
		rc = loom_graph_node(&number, out, wires->name[i], strnlen(wires->name[i], sizeof wires->name[i]),
		                     where, err);
		if (rc == 0 && number != i)
			rc = loom_fail(err, LOOM_EINPUT, "nodes %u and %u are both called %s", number, i,
			               wires->name[i]);
	}
	for (uint32_t i = 0; rc == 0 && i < wires->n_links; i++) {
		const struct loom_graph_link *l = &wires->link[i];
		char where[40];
		(void)snprintf(where, sizeof where, "link %u", i);
		if (l->from >= wires->n_nodes || l->to >= wires->n_nodes)
			rc = loom_fail(err, LOOM_EINPUT, "link %u is from node %u to node %u; there are %u nodes", i,
			               l->from, l->to, wires->n_nodes);
		if (rc == 0 && most_delay(l) > LOOM_LINK_DELAY_MAX)
			rc = loom_fail(err, LOOM_EINPUT, "link %u is %u cycles slower; 0 to %d are possible", i,
			               most_delay(l), LOOM_LINK_DELAY_MAX);
		if (rc == 0 && l->link_class > 0 && l->link_class >= wires->n_link_classes)
			rc = loom_fail(err, LOOM_EINPUT, "link %u is of class %u; there are %u", i, l->link_class,
			               wires->n_link_classes);
		if (rc == 0)
			rc = loom_graph_add(out, l, where, err);
	}
	if (rc == 0 && out->n_link_classes > LOOM_LINK_CLASSES_MAX)
		rc = loom_fail(err, LOOM_EINPUT, "a graph of %u classes of links; up to %d are possible",
		               out->n_link_classes, LOOM_LINK_CLASSES_MAX);
	if (rc == 0 && out->n_nodes < 2)
		rc = loom_fail(err, LOOM_EINPUT, "a graph of %u node%s; 2 to %d are possible", out->n_nodes,
		               out->n_nodes == 1 ? "" : "s", LOOM_GRAPH_NODES_MAX);
	if (rc == 0 && out->n_nodes < out->n_switches + 2)
		rc = loom_fail(err, LOOM_EINPUT, "of %u nodes %u are switches; two or more must send and receive",
		               out->n_nodes, out->n_switches);
	return rc;
}

void loom_graph_mix(uint64_t *hash, uint64_t number)
{
	for (int byte = 0; byte < 8; byte++)
		*hash = (*hash ^ (number >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3); // FNV-1a
}

static bool has_delays(const struct loom_graph_wires *w)
{
	for (uint32_t i = 0; i < w->n_links; i++)
		if (most_delay(&w->link[i]) > 0)
			return true;
	return false;
}

static int make_ports(struct loom_graph *g, struct loom_err *err)
{
	const struct loom_graph_wires *w = &g->wires;
	const size_t n = w->n_nodes;
	unsigned used[LOOM_GRAPH_NODES_MAX] = {0};
	for (uint32_t i = 0; i < w->n_links; i++) {
		const unsigned from = ++used[w->link[i].from], to = ++used[w->link[i].to];
		g->n_ports = from > g->n_ports ? from : g->n_ports;
		g->n_ports = to > g->n_ports ? to : g->n_ports;
	}
	g->n_ports += g->n_ports == 0; // the search for ways reports a graph without links
	LOOM_ARRAY(&g->arrays, g->out, n * g->n_ports);
	LOOM_ARRAY(&g->arrays, g->in, n * g->n_ports);
	LOOM_ARRAY(&g->arrays, g->next, n * n);
	LOOM_ARRAY(&g->arrays, g->lane, n * n);
	if (has_delays(w))
		LOOM_ARRAY(&g->arrays, g->delay, n * g->n_ports);
	if (w->n_link_classes > 0)
		LOOM_ARRAY(&g->arrays, g->link_class, n * g->n_ports);
	if (g->arrays.is_short)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a graph of %zu nodes", n);
	for (size_t c = 0; c < n * g->n_ports; c++)
		g->out[c] = g->in[c] = (struct loom_graph_end){LOOM_GRAPH_NONE, 0};
	memset(used, 0, sizeof used);
	g->hash = UINT64_C(0xcbf29ce484222325);
	loom_graph_mix(&g->hash, n);
	for (uint32_t i = 0; i < w->n_links; i++) {
		const struct loom_graph_link *l = &w->link[i];
		const struct loom_graph_end a = {l->from, used[l->from]++}, b = {l->to, used[l->to]++};
		const uint32_t at_a = a.node * g->n_ports + a.port, at_b = b.node * g->n_ports + b.port;
		g->out[at_a] = g->in[at_a] = b;
		g->out[at_b] = g->in[at_b] = a;
		if (g->link_class)
			g->link_class[at_a] = g->link_class[at_b] = l->link_class;
		if (g->delay) {
			g->delay[at_a] = l->delay;
			g->delay[at_b] = l->both ? l->delay_back : l->delay;
		}
		if (!l->both)
			g->in[at_a].node = g->out[at_b].node = LOOM_GRAPH_NONE;
		loom_graph_mix(&g->hash, (uint64_t)l->from << 33 | (uint64_t)l->to << 1 | l->both);
	}
	return 0;
}

static int check_name(const char *name, struct loom_err *err)
{
	char shown[LOOM_TOPO_NAME];
	if (strncmp(name, "graph:", 6) != 0 || strlen(name) >= LOOM_TOPO_NAME)
		return loom_fail(err, LOOM_EINPUT, "\"%.40s\" is no name of a graph: graph:FILE, of up to %d bytes",
		                 name, LOOM_TOPO_NAME - 1);
	(void)snprintf(shown, sizeof shown, "%s", name);
	loom_text_clean(shown);
	if (strcmp(shown, name) == 0 && !strpbrk(name, "\"\\"))
		return 0;
	return loom_fail(
		err, LOOM_EINPUT,
		"\"%.100s\": a quotation mark, a backslash or a control character is in the name; rename the file",
		shown);
}

static int make(struct loom_graph **out, const struct loom_graph_wires *wires, unsigned n_vcs, struct loom_err *err)
{
	struct loom_graph *g = calloc(1, sizeof *g);
	if (!g)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a graph");
	atomic_init(&g->n_users, 1);
	int rc = copy_wires(&g->wires, wires, err);
	if (rc == 0)
		rc = make_ports(g, err);
	if (rc == 0)
		rc = loom_graph_route(g, n_vcs, err);
	if (rc == 0)
		*out = g;
	else
		loom_graph_free(g);
	return rc;
}

int loom_graph_fill(struct loom_topo *t, const char *name, const struct loom_graph_wires *wires, unsigned n_vcs,
                    struct loom_err *err)
{
	struct loom_err why = {0};
	int rc = t->kind->make ? 0 : check_name(name, err);
	if (rc != 0)
		return rc;
	if (n_vcs < 1 || n_vcs > LOOM_LANES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%.120s: %u lanes of each link; 1 to %d (v%d) are possible", name,
		                 n_vcs, LOOM_LANES_MAX, LOOM_LANES_MAX);
	rc = make(&t->graph, wires, n_vcs, &why);
	if (rc != 0)
		return loom_fail(err, rc, "%.120s: %.260s", name, why.text);
	(void)snprintf(t->name, sizeof t->name, "%s", name);
	t->n_vcs = n_vcs;
	for (uint32_t i = 0; t->graph->delay && i < t->graph->wires.n_links; i++)
		if (most_delay(&t->graph->wires.link[i]) > t->link_delay)
			t->link_delay = most_delay(&t->graph->wires.link[i]);
	t->n_dims = 1;
	t->n_nodes = t->n_tiles = t->extent[0] = t->graph->wires.n_nodes;
	t->ports = t->graph->n_ports + 1;
	return 0;
}

bool loom_topo_graph_facts(struct loom_graph_facts *out, const struct loom_topo *t)
{
	const struct loom_graph *g = t->graph;
	if (!g)
		return false;
	*out = (struct loom_graph_facts){.wires = &g->wires,
	                                 .routing = g->routing,
	                                 .lanes_needed = g->lanes_needed,
	                                 .root = g->root,
	                                 .hash = g->hash};
	return true;
}
