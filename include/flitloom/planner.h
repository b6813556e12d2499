// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLANNER_H
#define LOOM_PLANNER_H

#include <stdbool.h>

#include <flitloom/plan.h>

// What a planner's lower bound is of, the weakest claim first.
enum loom_bound {
	LOOM_BOUND_PLACEMENT, // any routes in the placement of the plan
	LOOM_BOUND_ORDERS,    // any order of the address bits; under a map which is none of these, as above
	LOOM_BOUND_ANY,       // any placement
};

// A planner turns a pattern into passes. It is handed a plan whose topo, pattern, map (identity unless the caller
// fixed one), n_members, and messages (one pass per member, ascending rule) are filled in, and improves on that.
// It knows no registers and no links.
struct loom_planner {
	const char *name, *help;
	bool (*accepts)(const struct loom_topo *topo, const struct loom_pattern *pattern);
	// To be taken unasked, of what it accepts; NULL: always.
	bool (*volunteers)(const struct loom_topo *topo, const struct loom_pattern *pattern);
	// map_is_free: the planner may choose the map (--map best); otherwise it must keep it.
	int (*plan)(struct loom_plan *plan, const struct loom_pattern *pattern, const char *objective, bool map_is_free,
	            struct loom_err *err);
	enum loom_bound bound;
};

// In order of preference: the first that accepts is used when the user names none.
const struct loom_planner *loom_planner_at(size_t i);            // NULL after the last
const struct loom_planner *loom_planner_named(const char *name); // NULL: there is none

// Sets plan->lower_bound to what no routes between these nodes can beat, pass by pass.
int loom_planner_bound_placement(struct loom_plan *plan, struct loom_err *err);

extern const struct loom_planner loom_planner_lcc, loom_planner_lcc_set, loom_planner_latin, loom_planner_min_passes,
	loom_planner_two_pass, loom_planner_exchange, loom_planner_direct;

#endif
