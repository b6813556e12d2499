// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/planners/permutation.h"

#include <string.h>

bool loom_planner_is_permutation(const struct loom_pattern *pattern)
{
	uint64_t sends[LOOM_NODES_MAX / 64] = {0}, receives[LOOM_NODES_MAX / 64] = {0}; // by node: a bit
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

bool loom_planner_is_all_to_all(const struct loom_pattern *pattern)
{
	// The set of the pairs with a message, for some sources at a time. The function cannot report that memory ran
	// out, so it allocates none.
	enum { SOURCES = 64, NODES = 1024, WORDS = NODES / 64 };
	_Static_assert(LOOM_MESSAGES_MAX < NODES * (NODES + 1),
	               "no pattern sends from all of more nodes to all others");
	uint64_t seen[SOURCES][WORDS];
	size_t n = pattern->n_nodes, n_to_self = 0;
	if (n > NODES || pattern->n_members != 1 || pattern->n_messages == 0 ||
	    (pattern->n_messages != n * n && pattern->n_messages != n * (n - 1)))
		return false;
	for (size_t first = 0; first < n; first += SOURCES) {
		memset(seen, 0, sizeof seen);
		for (size_t i = 0; i < pattern->n_messages; i++) {
			const struct loom_message *m = &pattern->messages[i];
			if (m->source < first || m->source - first >= SOURCES)
				continue;
			uint64_t *word = &seen[m->source - first][m->destination / 64];
			uint64_t bit = UINT64_C(1) << m->destination % 64;
			if (*word & bit || m->flits != pattern->messages[0].flits)
				return false;
			*word |= bit;
			n_to_self += m->source == m->destination;
		}
	}
	return n_to_self == (pattern->n_messages == n * n ? n : 0);
}
