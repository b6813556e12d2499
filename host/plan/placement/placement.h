// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLACEMENT_H
#define LOOM_PLACEMENT_H

// Declarations that the files of this folder share, which settle which task sits on which node; plan_by_one.c alone
// calls them.

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
// Returns the other one of the edge's two tasks.
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

// A direct network as searches look at it.
struct loom_place_net {
	const struct loom_topo *topo;
	uint32_t n_nodes;
	unsigned n_links;    // links of a node
	uint32_t *neighbour; // owned: [node * n_links + link], UINT32_MAX where there is none
	uint16_t *hops;      // owned: [from * n_nodes + to]
};
// LOOM_EINPUT: no direct network, more than LOOM_PLACEMENT_NODES_MAX nodes, or a node that cannot be reached.
int loom_place_net_make(struct loom_place_net *out, const struct loom_topo *topo, struct loom_err *err);
void loom_place_net_free(struct loom_place_net *net); // NULL allowed; leaves *net zeroed

// The placements: map[task] is its node.

// Places the two tasks that exchange most flits side by side. Then places, again and again, the task that exchanges
// most with those already placed, on the node with the least sum of flits times hops.
int loom_place_greedy(uint32_t *map, const struct loom_task_graph *graph, const struct loom_place_net *net,
                      struct loom_err *err);
// Scotch's mapping of the graph onto the network's, each node one task. LOOM_EINPUT: built without libscotch.
int loom_place_scotch(uint32_t *map, const struct loom_task_graph *graph, const struct loom_place_net *net,
                      struct loom_err *err);

// The routes of messages while tasks change places.
struct loom_place_routes {
	bool chosen; // each message by the shortest route whose links have least when it is put there; else by the rule
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
// Lets two tasks exchange their nodes, as long as the budget lasts: simulated annealing on the loads of all links, in
// which the largest count most. heat: 1: any placement can come of it; near 0: only what is better than *map. *map is
// the best that was there at any time, never worse than it was.
int loom_place_refine(uint32_t *map, struct loom_place_found *found, const struct loom_place_scene *scene, double heat,
                      struct loom_budget *budget, struct loom_rng *rng, struct loom_err *err);

#endif
