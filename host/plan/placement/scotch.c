// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Places tasks by Scotch (Debian: libscotch-dev): recursive bipartitioning of the task graph and the network together.
// Scotch may put several tasks on one node. All but one of them then go to the nearest free node.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/placement/placement.h"

#ifdef LOOM_HAVE_SCOTCH
#include <scotch.h>

#define DECOMPOSED_MAX 512 // the most nodes of a network that Scotch decomposes beforehand
#define LOAD_MOST 10000    // the largest load of an edge for Scotch, whose sums are ints

// An undirected graph in Scotch's format.
struct sketch {
	SCOTCH_Num n, n_arcs;
	SCOTCH_Num *first, *end, *load; // owned
};

static void sketch_free(struct sketch *s)
{
	free(s->first);
	free(s->end);
	free(s->load);
}

static bool sketch_room(struct sketch *s, uint32_t n, size_t arcs)
{
	*s = (struct sketch){.n = (SCOTCH_Num)n};
	s->first = calloc((size_t)n + 1, sizeof *s->first);
	s->end = calloc(arcs + 1, sizeof *s->end);
	s->load = calloc(arcs + 1, sizeof *s->load);
	return s->first && s->end && s->load;
}

// Sketches the tasks: adds up both directions of a pair, and writes each arc once. sum: zeroed, an element per task.
static void sketch_tasks(struct sketch *s, const struct loom_task_graph *g, uint64_t *sum)
{
	uint64_t most = 1;
	for (unsigned round = 0; round < 2; round++) // round 0 finds the heaviest pair
		for (uint32_t t = 0; t < g->n_tasks; t++) {
			for (size_t k = g->first[t]; k < g->first[t + 1]; k++)
				sum[loom_task_edge_other(&g->edge[g->incident[k]], t)] += g->edge[g->incident[k]].flits;
			if (round == 1)
				s->first[t] = s->n_arcs;
			for (size_t k = g->first[t]; k < g->first[t + 1]; k++) {
				uint32_t other = loom_task_edge_other(&g->edge[g->incident[k]], t);
				if (sum[other] == 0)
					continue;
				most = sum[other] > most ? sum[other] : most;
				if (round == 1) {
					uint64_t load = most <= LOAD_MOST ? sum[other] : sum[other] * LOAD_MOST / most;
					s->end[s->n_arcs] = (SCOTCH_Num)other;
					s->load[s->n_arcs++] = (SCOTCH_Num)(load ? load : 1);
				}
				sum[other] = 0;
			}
		}
	s->first[s->n] = s->n_arcs;
}

// Sketches the network: joins two neighbours once, whatever links they have in either direction.
static void sketch_net(struct sketch *s, const struct loom_place_net *net)
{
	for (uint32_t u = 0; u < net->n_nodes; u++) {
		s->first[u] = s->n_arcs;
		for (uint32_t v = 0; v < net->n_nodes; v++)
			if (u != v && (net->hops[(size_t)u * net->n_nodes + v] == 1 ||
			               net->hops[(size_t)v * net->n_nodes + u] == 1)) {
				s->end[s->n_arcs] = (SCOTCH_Num)v;
				s->load[s->n_arcs++] = 1;
			}
	}
	s->first[s->n] = s->n_arcs;
}

static bool build(SCOTCH_Graph *out, const struct sketch *s)
{
	return SCOTCH_graphBuild(out, 0, s->n, s->first, s->first + 1, NULL, NULL, s->n_arcs, s->end, s->load) == 0;
}

// Starts Scotch with one thread and random numbers of its own, so that the same request always gives the same map. By
// default Scotch uses as many threads as the machine has cores, and the map depends on their timing.
static bool begin_alone(SCOTCH_Context *context)
{
	if (SCOTCH_contextInit(context) != 0)
		return false;
	SCOTCH_contextRandomSeed(context, 1);
	SCOTCH_contextRandomReset(context);
	return SCOTCH_contextOptionSetNum(context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
	       SCOTCH_contextThreadSpawn(context, 1, NULL) == 0;
}

static bool map_by_scotch(SCOTCH_Num *part, const struct sketch *tasks, const struct sketch *nodes)
{
	SCOTCH_Context context;
	SCOTCH_Graph graph, target, graph_alone, target_alone;
	SCOTCH_Arch arch;
	SCOTCH_Strat strategy, decomposition;
	bool done = SCOTCH_graphInit(&graph) == 0 && SCOTCH_graphInit(&target) == 0 && SCOTCH_archInit(&arch) == 0 &&
	            SCOTCH_graphInit(&graph_alone) == 0 && SCOTCH_graphInit(&target_alone) == 0 &&
	            SCOTCH_stratInit(&strategy) == 0 && SCOTCH_stratInit(&decomposition) == 0 && begin_alone(&context);
	if (!done)
		return false;
	done = build(&graph, tasks) && build(&target, nodes) &&
	       SCOTCH_contextBindGraph(&context, &graph, &graph_alone) == 0 &&
	       SCOTCH_contextBindGraph(&context, &target, &target_alone) == 0;
	if (done)
		done = (nodes->n <= DECOMPOSED_MAX ? SCOTCH_archBuild0(&arch, &target_alone, 0, NULL, &decomposition)
		                                   : SCOTCH_archBuild2(&arch, &target_alone, 0, NULL)) == 0;
	done = done && SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY, nodes->n, 0.01) == 0 &&
	       SCOTCH_graphMap(&graph_alone, &arch, &strategy, part) == 0;
	SCOTCH_stratExit(&decomposition);
	SCOTCH_stratExit(&strategy);
	SCOTCH_archExit(&arch);
	SCOTCH_graphExit(&target_alone);
	SCOTCH_graphExit(&graph_alone);
	SCOTCH_graphExit(&target);
	SCOTCH_graphExit(&graph);
	SCOTCH_contextExit(&context);
	return done;
}

// Puts one task on each node: of several on a node the first one stays, and the others go to the nearest free node.
static void spread(uint32_t *map, const SCOTCH_Num *part, const struct loom_place_net *net, bool *taken)
{
	uint32_t n = net->n_nodes;
	for (uint32_t t = 0; t < n; t++) {
		uint32_t node = part[t] >= 0 && (uint32_t)part[t] < n ? (uint32_t)part[t] : 0;
		map[t] = taken[node] ? UINT32_MAX : node;
		taken[node] = true;
	}
	for (uint32_t t = 0; t < n; t++) {
		uint32_t wanted = part[t] >= 0 && (uint32_t)part[t] < n ? (uint32_t)part[t] : 0, best = UINT32_MAX;
		for (uint32_t u = 0; map[t] == UINT32_MAX && u < n; u++)
			if (!taken[u] && (best == UINT32_MAX ||
			                  net->hops[(size_t)wanted * n + u] < net->hops[(size_t)wanted * n + best]))
				best = u;
		if (best != UINT32_MAX) {
			map[t] = best;
			taken[best] = true;
		}
	}
}

int loom_place_scotch(uint32_t *map, const struct loom_task_graph *graph, const struct loom_place_net *net,
                      struct loom_err *err)
{
	struct sketch tasks = {0}, nodes = {0};
	uint64_t *sum = calloc(graph->n_tasks, sizeof *sum);
	SCOTCH_Num *part = calloc(graph->n_tasks, sizeof *part);
	bool *taken = calloc(net->n_nodes, sizeof *taken);
	int rc = 0;
	if (!sum || !part || !taken || !sketch_room(&tasks, graph->n_tasks, 2 * graph->n_edges) ||
	    !sketch_room(&nodes, net->n_nodes, 2 * (size_t)net->n_nodes * net->n_links)) {
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a placement of %" PRIu32 " tasks", graph->n_tasks);
		goto out;
	}
	sketch_tasks(&tasks, graph, sum);
	sketch_net(&nodes, net);
	if (map_by_scotch(part, &tasks, &nodes))
		spread(map, part, net, taken);
	else
		rc = loom_fail(err, LOOM_EINTERNAL, "libscotch cannot map %" PRIu32 " tasks onto %s", graph->n_tasks,
		               net->topo->name);
out:
	sketch_free(&tasks);
	sketch_free(&nodes);
	free(sum);
	free(part);
	free(taken);
	return rc;
}

#else

int loom_place_scotch(uint32_t *map, const struct loom_task_graph *graph, const struct loom_place_net *net,
                      struct loom_err *err)
{
	(void)map, (void)graph, (void)net;
	return loom_fail(err, LOOM_EINPUT,
	                 "placement search: flitloom was built without libscotch (Debian: libscotch-dev); greedy needs "
	                 "none");
}

#endif
