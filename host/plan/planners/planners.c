// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/planners/planners.h"

#include <string.h>

// clang-format off
static const struct loom_planner *const planners[] = {
	&loom_planner_lcc,      &loom_planner_linear_map, &loom_planner_lcc_set,    &loom_planner_latin,
	&loom_planner_exchange, &loom_planner_two_pass, &loom_planner_otis,   &loom_planner_min_passes, &loom_planner_mesh,
	&loom_planner_torus,    &loom_planner_line,       &loom_planner_ring,       &loom_planner_exact,
	&loom_planner_greedy,   &loom_planner_ad_hoc,     &loom_planner_direct,     &loom_planner_xy,
	&loom_planner_yx,       &loom_planner_block,      &loom_planner_reroute,    &loom_planner_routes_passes,
	&loom_planner_tables,
};
// clang-format on

const struct loom_planner *loom_planner_at(size_t i)
{
	return i < sizeof planners / sizeof planners[0] ? planners[i] : NULL;
}

const struct loom_planner *loom_planner_named(const char *name)
{
	for (size_t i = 0; loom_planner_at(i); i++)
		if (strcmp(loom_planner_at(i)->name, name) == 0)
			return loom_planner_at(i);
	return NULL;
}
