// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/otis/otis_plain_middle.h"

#include <stdlib.h>

#include "plan/otis/otis_choose.h"

// True if these nodes' groups have each middle once at most. taken: of each group and middle, zeroed.
static bool is_spread(bool *taken, uint32_t n, const uint32_t *node, const uint32_t *middle, uint32_t n_items)
{
	for (uint32_t i = 0; i < n_items; i++) {
		bool *place = &taken[node[i] / n * n + middle[i]];
		if (*place)
			return false;
		*place = true;
	}
	return true;
}

int loom_otis_plain_middle(uint32_t *middle, bool *possible, const struct loom_otis_task *task, bool of_source,
                           struct loom_err *err)
{
	const uint32_t *end = of_source ? task->source : task->destination, n = task->side * task->side;
	bool *taken = calloc((size_t)n * n, sizeof *taken);
	if (!taken)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the middles of an OTIS-Mesh's moves");
	for (uint32_t i = 0; i < task->n_items; i++)
		middle[i] = end[i] % n;
	// No two are from one node, and none to one: those of one end are spread as they are.
	*possible = is_spread(taken, n, of_source ? task->destination : task->source, middle, task->n_items);
	free(taken);
	return 0;
}
