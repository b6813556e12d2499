// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLANNER_H
#define LOOM_PLANNER_H

#include <stdbool.h>

#include <flitloom/api.h>
#include <flitloom/plan.h>

LOOM_API_BEGIN

// A planner turns a pattern into passes. It is handed a plan whose topo, pattern, map (identity unless the caller
// fixed one), n_members, and messages (one pass per member, of the rule that was asked for, else ascending) are filled in,
// and improves on that.
// It knows no registers and no links.
struct loom_planner {
	const char *name, *help;
	bool (*accepts)(const struct loom_topo *topo, const struct loom_pattern *pattern);
	// True if the planner may be chosen for a pattern that it accepts without being named; NULL: for all of them.
	bool (*volunteers)(const struct loom_topo *topo, const struct loom_pattern *pattern);
	// map_is_free: the planner may choose the map (--map best); otherwise it must keep it.
	int (*plan)(struct loom_plan *plan, const struct loom_pattern *pattern, const char *objective, bool map_is_free,
	            struct loom_err *err);
	enum loom_bound bound;
	bool takes_half_duplex; // heeds plan->half_duplex; else it is not asked where that is wanted
	bool only_by_name; // not every chip can run what it makes: "best" asks it only where routers have tables for it
	bool takes_detours; // chooses routes with plan->options->detours; else it is not asked where there are some
	bool takes_load;    // chooses routes by plan->options->load; else it is not asked where one is given
	bool takes_cost;    // chooses by plan->options->cost; else it is not asked where one is given
	bool takes_timing;  // leaves messages as they are, in one pass; else no pattern with timing is handed to it
	bool takes_rules;   // leaves every message the rule that it is handed with; else no rule can be asked for
};

// Planners: flitloom's own, in order of preference: the first that accepts is used when the user names none. A program's
// own are handed over in loom_plan_options.
const struct loom_planner *loom_planner_at(size_t i);            // NULL after the last
const struct loom_planner *loom_planner_named(const char *name); // NULL: there is none

// Sets plan->lower_bound to what no routes between these nodes can beat, pass by pass.
int loom_planner_bound_placement(struct loom_plan *plan, struct loom_err *err);

LOOM_API_END

#endif
