// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLANNERS_H
#define LOOM_PLANNERS_H

#include <flitloom/planner.h>

extern const struct loom_planner loom_planner_lcc, loom_planner_lcc_set, loom_planner_latin, loom_planner_min_passes,
	loom_planner_two_pass, loom_planner_exchange, loom_planner_mesh, loom_planner_torus, loom_planner_line,
	loom_planner_ring, loom_planner_exact, loom_planner_greedy, loom_planner_direct;

#endif
