// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/planners/planners.h"

bool loom_planner_never_volunteers(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	(void)pattern;
	return false;
}
