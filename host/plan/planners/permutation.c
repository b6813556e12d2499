// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/planners/permutation.h"

bool loom_planner_is_permutation(const struct loom_pattern *pattern)
{
	uint64_t sends[LOOM_NODES_MAX / 64] = {0}, receives[LOOM_NODES_MAX / 64] = {0}; // a bit each
	bool good = pattern->n_members == 1 && pattern->n_messages <= pattern->n_nodes;
	for (size_t i = 0; good && i < pattern->n_messages; i++) {
		const struct loom_message *m = &pattern->messages[i];
		uint64_t *from = &sends[m->source / 64], *to = &receives[m->destination / 64];
		good = !(*from >> m->source % 64 & 1) && !(*to >> m->destination % 64 & 1);
		*from |= UINT64_C(1) << m->source % 64;
		*to |= UINT64_C(1) << m->destination % 64;
	}
	return good;
}
