// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLACEMENT_H
#define LOOM_PLACEMENT_H

// Declarations that the files of this folder share. They choose which task sits on which node. Only plan_by_one.c calls
// them.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/pattern.h>
#include <flitloom/topo.h>

#include "base/rng.h"
#include "plan/planners/budget.h"

#define LOOM_PLACEMENT_NODES_MAX 4096 // distances are kept for each pair

// The flits that one task sends another: all messages from the one to the other in one member of the pattern are an
// edge. Every processor is a task, idle ones as well, so that a placement is a permutation.
struct loom_task_edge {
	uint32_t from, to; // tasks, not the same
	uint32_t member;
	uint64_t flits;   // flits of all its messages
	uint32_t longest; // the longest of them
};
// Returns the other task of the edge.
uint32_t loom_task_edge_other(const struct loom_task_edge *e, uint32_t task);
struct loom_task_graph {
	uint32_t n_tasks, n_members;
	size_t n_edges;
	struct loom_task_edge *edge; // owned; by `from`, then `to`, then member
	size_t *first;               // owned, n_tasks + 1
	uint32_t *incident;          // owned: the edges from or to task t are incident[first[t]] .. [first[t + 1] - 1]
};
int loom_task_graph_make(struct loom_task_graph *out, const struct loom_pattern *pattern, struct loom_err *err);
void loom_task_graph_free(struct loom_task_graph *graph); // NULL allowed; leaves *graph zeroed

// A direct network as the searches need it.
struct loom_place_net {
	const struct loom_topo *topo;
	uint32_t n_nodes;
	unsigned n_links;    // links of a node
	uint32_t *neighbour; // owned: [node * n_links + link], UINT32_MAX where there is none
	uint16_t *hops;      // owned: [from * n_nodes + to]
};
// LOOM_EINPUT: it is no direct network, or has more than LOOM_PLACEMENT_NODES_MAX nodes, or a node that cannot be
// reached.
int loom_place_net_make(struct loom_place_net *out, const struct loom_topo *topo, struct loom_err *err);
void loom_place_net_free(struct loom_place_net *net); // NULL allowed; leaves *net zeroed

// The placements set map[task] to the node of the task.

// Places the two tasks that exchange most flits side by side. Then places, again and again, the task that exchanges
// most with those already placed, on the node with the least sum of flits times hops.
int loom_place_greedy(uint32_t *map, const struct loom_task_graph *graph, const struct loom_place_net *net,
                      struct loom_err *err);
// Places the tasks by Scotch's mapping of their graph onto that of the network, one task on each node. LOOM_EINPUT:
// built without libscotch.
int loom_place_scotch(uint32_t *map, const struct loom_task_graph *graph, const struct loom_place_net *net,
                      struct loom_err *err);

// The routes of messages while tasks change places.
struct loom_place_routes {
	// Each message takes the shortest route whose links have the least load when it is routed; else by the rule
	bool chosen;
	enum loom_rule rule;
};
// Tasks, the network to place them on, and the routes that their messages take.
struct loom_place_scene {
	struct loom_task_graph graph;
	struct loom_place_net net;
	struct loom_place_routes routes;
};
struct loom_place_found {
	uint64_t flits; // flits on the busiest link, summed over the members, for the map found
	uint64_t least; // a lower bound of `flits` for any placement
};
// Lets two tasks exchange their nodes, as long as the budget lasts, by simulated annealing on the loads of all links,
// in which the largest loads count most. heat: with 1 any placement can result; near 0 only a better one than *map.
// *map becomes the best placement met, and is never worse than before.
int loom_place_refine(uint32_t *map, struct loom_place_found *found, const struct loom_place_scene *scene, double heat,
                      struct loom_budget *budget, struct loom_rng *rng, struct loom_err *err);

#endif
