// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLANNERS_H
#define LOOM_PLANNERS_H

#include <flitloom/planner.h>

extern const struct loom_planner loom_planner_lcc, loom_planner_lcc_set, loom_planner_linear_map, loom_planner_latin,
	loom_planner_min_passes, loom_planner_two_pass, loom_planner_exchange, loom_planner_mesh, loom_planner_torus,
	loom_planner_line, loom_planner_ring, loom_planner_exact, loom_planner_greedy, loom_planner_ad_hoc,
	loom_planner_direct, loom_planner_xy, loom_planner_yx, loom_planner_block, loom_planner_reroute,
	loom_planner_routes_passes, loom_planner_tables, loom_planner_otis;

// For planners that are asked for by name only.
bool loom_planner_never_volunteers(const struct loom_topo *topo, const struct loom_pattern *pattern);

// Settles a free map for lcc and lcc_set, and tells what they know of it: the order of address bits for one
// communication, and for a set, whose order is only set if it is free, the bound and the objective with its name.
int loom_lcc_settle(unsigned *order, const struct loom_lcc *lcc, struct loom_err *err);
int loom_lcc_set_settle(unsigned *order, uint32_t *lower_bound, uint64_t *value, char name[16],
                        const struct loom_pattern *pattern, const char *objective, bool is_free, struct loom_err *err);
// Sets what the formulas say of each pass of the plan, whose members these are, under that order.
int loom_lcc_set_theory(struct loom_plan *plan, const struct loom_lcc *lccs, const unsigned *order,
                        struct loom_err *err);

#endif
