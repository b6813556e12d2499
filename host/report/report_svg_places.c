// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A graph is laid out by GraphViz: neato, of many nodes sfdp; an OTIS-Mesh as blocks.
#include "report/report_svg_places.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/graph.h>

#include "base/tool.h"
#include "report/report_svg_blocks.h"
#include "report/report_svg_layout.h"

#define NEATO_MAX 128 // nodes
#define INCHES 0.5    // a node's pitch; no two are nearer

void loom_svg_node_name(char out[LOOM_SVG_NODE_NAME], const struct loom_topo *topo, uint32_t node)
{
	struct loom_graph_facts graph;
	if (loom_topo_graph_facts(&graph, topo))
		(void)snprintf(out, LOOM_SVG_NODE_NAME, "%s", graph.wires->name[node]);
	else
		(void)snprintf(out, LOOM_SVG_NODE_NAME, "%" PRIu32, node);
}

void loom_svg_places_free(struct loom_svg_places *places)
{
	free(places->at);
	*places = (struct loom_svg_places){0};
}

static void put_on_circle(struct loom_svg_places *p, uint32_t n)
{
	const double turn = 8 * atan(1), radius = fmax(1, n * 1.3 / turn);
	for (uint32_t i = 0; i < n; i++)
		p->at[i] = (struct loom_svg_place){radius + radius * sin(turn * i / n),
		                                   radius - radius * cos(turn * i / n)};
}

// Nodes by their numbers: a name would have to be quoted.
static char *write_graph(size_t *length, const struct loom_graph_wires *w)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, length);
	if (!f)
		return NULL;
	(void)fprintf(f, "graph g {\nnode [shape=box, width=%g, height=%g, fixedsize=true, label=\"\"]\n", INCHES,
	              INCHES);
	for (uint32_t i = 0; i < w->n_nodes; i++)
		(void)fprintf(f, "%" PRIu32 "\n", i);
	for (uint32_t i = 0; i < w->n_links; i++)
		(void)fprintf(f, "%" PRIu32 " -- %" PRIu32 "\n", w->link[i].from, w->link[i].to);
	(void)fputs("}\n", f);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

// Lines "node NAME X Y ...", in inches from the lower left corner.
static bool read_places(struct loom_svg_places *p, char *text, uint32_t n)
{
	uint32_t n_found = 0;
	char *rest = NULL;
	for (uint32_t u = 0; u < n; u++)
		p->at[u].x = NAN; // it has no place yet
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *end;
		if (strncmp(line, "node ", 5) != 0)
			continue;
		unsigned long node = strtoul(line + 5, &end, 10);
		double x = strtod(end, &end), y = strtod(end, &end);
		if (node >= n || !isfinite(x) || !isfinite(y) || !isnan(p->at[node].x))
			return false;
		p->at[node] = (struct loom_svg_place){x / INCHES, -y / INCHES};
		n_found++;
	}
	return n_found == n;
}

static bool lay_out(struct loom_svg_places *p, const struct loom_graph_wires *w)
{
	const char *const argv[] = {w->n_nodes > NEATO_MAX ? "sfdp" : "neato",
	                            "-Tplain",
	                            "-Gstart=1",
	                            "-Goverlap=prism",
	                            "-Gsep=+18",
	                            NULL};
	char *text = NULL, *graph, said[160];
	size_t length = 0, n_text;
	graph = write_graph(&length, w);
	bool good = graph && loom_tool_run(&text, &n_text, said, argv, graph, length, NULL) == 0 &&
	            read_places(p, text, w->n_nodes);
	free(graph);
	free(text);
	return good;
}

// The least x and y are 0.
static void measure(struct loom_svg_places *p, uint32_t n)
{
	double left = p->at[0].x, top = p->at[0].y, right = left, bottom = top;
	for (uint32_t i = 1; i < n; i++) {
		left = fmin(left, p->at[i].x);
		right = fmax(right, p->at[i].x);
		top = fmin(top, p->at[i].y);
		bottom = fmax(bottom, p->at[i].y);
	}
	for (uint32_t i = 0; i < n; i++) {
		p->at[i].x -= left;
		p->at[i].y -= top;
	}
	p->width = right - left;
	p->height = bottom - top;
}

int loom_svg_places_make(struct loom_svg_places *out, const struct loom_topo *topo)
{
	struct loom_graph_facts graph;
	*out = (struct loom_svg_places){0};
	bool blocks = loom_svg_blocks_suit(topo);
	if (!blocks && (!loom_svg_shape(topo)->graph || !loom_topo_graph_facts(&graph, topo) ||
	                topo->n_nodes > LOOM_SVG_PLACES_MAX))
		return 0;
	out->at = calloc(topo->n_nodes, sizeof *out->at);
	if (!out->at)
		return LOOM_ENOMEM;
	out->blocks = blocks;
	for (uint32_t u = 0; blocks && u < topo->n_nodes; u++)
		loom_svg_blocks_place(&out->at[u].x, &out->at[u].y, topo, u);
	if (blocks) {
		out->width = out->height = loom_svg_blocks_side(topo);
		return 0;
	}
	out->by_graphviz = lay_out(out, graph.wires);
	if (!out->by_graphviz)
		put_on_circle(out, topo->n_nodes);
	measure(out, topo->n_nodes);
	return 0;
}
