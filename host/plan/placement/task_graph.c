// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "plan/placement/placement.h"

uint32_t loom_task_edge_other(const struct loom_task_edge *e, uint32_t task)
{
	return e->from == task ? e->to : e->from;
}

static int compare(const void *a, const void *b)
{
	const struct loom_task_edge *x = a, *y = b;
	int by = loom_order(x->from, y->from);
	by = by ? by : loom_order(x->to, y->to);
	return by ? by : loom_order(x->member, y->member);
}

// Merges equal edges. Returns the number of edges that are left.
static size_t merge(struct loom_task_edge *edge, size_t n)
{
	size_t kept = 0;
	qsort(edge, n, sizeof *edge, compare);
	for (size_t i = 0; i < n; i++)
		if (kept > 0 && compare(&edge[kept - 1], &edge[i]) == 0) {
			edge[kept - 1].flits += edge[i].flits;
			if (edge[i].longest > edge[kept - 1].longest)
				edge[kept - 1].longest = edge[i].longest;
		} else {
			edge[kept++] = edge[i];
		}
	return kept;
}

static void list_incident(struct loom_task_graph *g)
{
	for (size_t e = 0; e < g->n_edges; e++) {
		g->first[g->edge[e].from]++;
		g->first[g->edge[e].to]++;
	}
	for (uint32_t t = 0; t < g->n_tasks; t++)
		g->first[t + 1] += g->first[t];
	// Each first[t] is now the end of the edges of task t. Filling from the end makes it their beginning.
	for (size_t e = g->n_edges; e-- > 0;) {
		g->incident[--g->first[g->edge[e].from]] = (uint32_t)e;
		g->incident[--g->first[g->edge[e].to]] = (uint32_t)e;
	}
	g->first[g->n_tasks] = 2 * g->n_edges;
}

int loom_task_graph_make(struct loom_task_graph *out, const struct loom_pattern *pattern, struct loom_err *err)
{
	struct loom_task_graph g = {.n_tasks = pattern->n_nodes, .n_members = pattern->n_members};
	g.edge = calloc(pattern->n_messages + 1, sizeof *g.edge);
	g.first = calloc((size_t)g.n_tasks + 1, sizeof *g.first);
	g.incident = calloc(2 * pattern->n_messages + 1, sizeof *g.incident);
	if (!g.edge || !g.first || !g.incident) {
		loom_task_graph_free(&g);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a placement of %zu messages",
		                 pattern->n_messages);
	}
	for (size_t i = 0; i < pattern->n_messages; i++) {
		const struct loom_message *m = &pattern->messages[i];
		if (m->source != m->destination)
			g.edge[g.n_edges++] =
				(struct loom_task_edge){m->source, m->destination, m->member, m->flits, m->flits};
	}
	g.n_edges = merge(g.edge, g.n_edges);
	list_incident(&g);
	*out = g;
	return 0;
}

void loom_task_graph_free(struct loom_task_graph *graph)
{
	if (!graph)
		return;
	free(graph->edge);
	free(graph->first);
	free(graph->incident);
	memset(graph, 0, sizeof *graph);
}
