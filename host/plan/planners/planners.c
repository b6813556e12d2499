// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/planners/planners.h"

#include <string.h>

static const struct loom_planner *const planners[] = {
#define X(name) &loom_planner_##name,
	LOOM_PLANNERS(X)
#undef X
};

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
