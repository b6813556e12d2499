// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CYCLES_H
#define LOOM_CYCLES_H

// Declarations that the files of this folder share, which look for a plan that takes fewer cycles; fewer_cycles.c
// alone calls them.

#include <flitloom/planner.h>

#include "plan/cycles/descent.h"
#include "plan/routes/region.h"

// The search of one plan.
struct loom_cycles_search {
	struct loom_plan *plan; // the caller's; the search begins with it, and improves it
	const struct loom_pattern *pattern;
	const struct loom_plan_options *options; // the caller's
	const struct loom_planner *planner;      // the planner of the plan
	struct loom_descent descent;
};

// Finds better places of the processors: the planner makes a new plan for each map. For plans whose passes, routes or
// theory depend on the map.
int loom_cycles_replan(struct loom_cycles_search *s, struct loom_err *err);

// Finds a plan with the same passes that takes fewer cycles: processors exchange their places (if `places`), and
// messages go by another rule or another route, or in another order, as far as the request and the planner leave that
// open. *is_placed: the map has changed.
int loom_cycles_rework(bool *is_placed, struct loom_cycles_search *s, bool places, struct loom_err *err);
// Gives such a plan another map, on which all links have low loads. *is_found false: there is none, for instance
// because messages could lock, and the plan is unchanged.
int loom_cycles_low_loads(bool *is_found, struct loom_cycles_search *s, struct loom_err *err);
// True if a plan promises nothing that depends on the map: its messages go by rule, each member in one pass, and wait
// for one another.
bool loom_cycles_promises_nothing(const struct loom_plan *plan);

// Puts passes into an order in which they take fewer cycles, if their order matters. With barriers only the choice of
// the last pass matters, because no barrier follows it. In a free run the order matters if messages wait.
int loom_cycles_order_passes(struct loom_cycles_search *s, struct loom_err *err);

// The changes. Each belongs to the plan for which it was made, and must not move in memory while it is used.

// Lets two processors exchange their nodes, in a plan that promises nothing.
struct loom_place_change {
	struct loom_plan *plan;
	uint32_t a, b; // the two processors that exchanged their nodes last
};
struct loom_change loom_place_change(struct loom_place_change *change);

// Lets a message go by another rule.
struct loom_rule_change {
	struct loom_plan *plan;
	size_t message; // the message changed last
	uint8_t rule;   // the rule that it had before
};
bool loom_rule_change_is_open(const struct loom_cycles_search *s);
struct loom_change loom_rule_change(struct loom_rule_change *change);

// Lets a message take another route and, if links have lanes, perhaps another lane.
struct loom_route_change {
	struct loom_plan *plan;
	struct loom_message *messages; // owned: from node to node
	struct loom_region region;     // owned
	uint64_t *cost;                // owned: of each channel, drawn
	uint32_t *channel;             // owned: a route
	uint32_t *old;                 // owned: the route that the message had before
	uint32_t n_old, room;
	size_t message;
	uint8_t rule;
};
bool loom_route_change_is_open(const struct loom_cycles_search *s);
int loom_route_change_init(struct loom_route_change *out, struct loom_plan *plan, struct loom_err *err);
void loom_route_change_free(struct loom_route_change *change); // zeroed allowed
struct loom_change loom_route_change(struct loom_route_change *change);

#endif
