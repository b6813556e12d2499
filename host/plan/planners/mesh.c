// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans any messages on a mesh or torus without conflict. It takes as many passes as its busiest row sends or its
// busiest column receives messages: max(p, q) for any permutation of p x q ([Youssef93], section 7). If all messages of
// a pass come from different rows and go to different columns, no two share a channel: along the rows each has its own
// row, along the columns its own column. So the passes are colours of the edges of a bipartite graph, with rows on one
// side and columns on the other. ([Youssef93] takes one perfect matching after the other out of it. That fails if there
// are fewer rows than columns, unless the graph is first made regular.)
//
// In more dimensions, of extents e_0, e_1, ..., the same holds for any k. A row is the set of nodes that agree in the
// dimensions from k on, and a column the set of nodes that agree in those below. A message crosses the lowest dimension
// first. It stays in its source's row until the dimensions below k are done, and then it is in its destination's
// column.
#include "plan/planners/mesh.h"

#include <stdlib.h>

#include "plan/planners/bipartite.h"
#include "plan/planners/member_passes.h"
#include "plan/planners/planners.h"

// The messages as edges between rows and columns.
struct edges {
	uint32_t *row, *column; // owned: row of the source, column of the destination
	const uint32_t *source, *destination;
	size_t n;
};

// Makes the graph if row_length of the n_nodes nodes are a row.
static struct loom_bipartite graph_of(const struct edges *e, uint32_t n_nodes, uint32_t row_length)
{
	for (size_t i = 0; i < e->n; i++) {
		e->row[i] = e->source[i] / row_length;
		e->column[i] = e->destination[i] % row_length;
	}
	return (struct loom_bipartite){n_nodes / row_length, row_length, e->n, e->row, e->column};
}

bool loom_mesh_passes(uint32_t *pass, uint32_t *n_passes, const struct loom_topo *topo, const uint32_t *source,
                      const uint32_t *destination, size_t n)
{
	struct loom_bipartite g;
	uint32_t best = topo->extent[0], least = UINT32_MAX, row_length = 1;
	const struct edges e = {.row = malloc((n + 1) * sizeof *e.row),
	                        .column = malloc((n + 1) * sizeof *e.column),
	                        .source = source,
	                        .destination = destination,
	                        .n = n};
	bool done = e.row && e.column;
	for (unsigned k = 1; done && topo->n_dims > 2 && k < topo->n_dims; k++) {
		uint32_t degree;
		row_length *= topo->extent[k - 1];
		g = graph_of(&e, topo->n_nodes, row_length);
		done = loom_bipartite_degree(&degree, &g);
		if (done && degree < least) {
			least = degree;
			best = row_length;
		}
	}
	if (done) {
		g = graph_of(&e, topo->n_nodes, best);
		done = loom_bipartite_colour(pass, n_passes, &g);
	}
	free(e.row);
	free(e.column);
	return done;
}

static int schedule(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan,
                    const struct loom_plan_options *options, size_t first, size_t n, struct loom_err *err)
{
	(void)options;
	uint32_t *source = malloc(n * sizeof *source), *destination = malloc(n * sizeof *destination);
	for (size_t i = 0; source && destination && i < n; i++) {
		source[i] = plan->map[plan->messages[first + i].source];
		destination[i] = plan->map[plan->messages[first + i].destination];
	}
	bool done = source && destination && loom_mesh_passes(pass, n_passes, &plan->topo, source, destination, n);
	free(source);
	free(destination);
	return done ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
}

static int plan_mesh(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	return loom_plan_in_member_passes(plan, request, schedule, err);
}

// True if routes go dimension by dimension, with links both ways in each: neither a cube nor a line.
static bool has_rows(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return topo->kind->router == LOOM_ROUTER_ORDER && !topo->kind->complements_bits && topo->n_dims >= 2 &&
	       pattern->n_messages != 0;
}

static bool accepts_mesh(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return has_rows(topo, pattern) && !topo->kind->wraps;
}

static bool accepts_torus(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return has_rows(topo, pattern) && topo->kind->wraps;
}

const struct loom_planner loom_planner_mesh = {
	.name = "mesh",
	.help = "any messages on a mesh, one a row and column in a pass: a permutation of p x q in max(p,q)",
	.accepts = accepts_mesh,
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_mesh,
	.bound = LOOM_BOUND_PLACEMENT,
};

const struct loom_planner loom_planner_torus = {
	.name = "torus",
	.help = "any messages on a torus, one a row and column in a pass: a permutation of p x q in max(p,q)",
	.accepts = accepts_torus,
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_mesh,
	.bound = LOOM_BOUND_PLACEMENT,
};
