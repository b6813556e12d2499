// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "placed_plans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"

struct loom_pattern random_messages(uint32_t n_nodes, uint32_t n_tasks, size_t n, int most_flits, uint64_t *seed)
{
	struct loom_pattern p;
	struct loom_message *messages = calloc(n, sizeof *messages);
	assert_non_null(messages);
	for (size_t i = 0; i < n; i++) {
		uint32_t source = (uint32_t)(loom_splitmix64(seed) % n_tasks);
		uint32_t destination = (uint32_t)(loom_splitmix64(seed) % n_tasks);
		messages[i] = (struct loom_message){
			.source = source, .destination = destination, .flits = (uint32_t)abs(most_flits)};
		if (most_flits > 0)
			messages[i].flits = 1 + (uint32_t)(loom_splitmix64(seed) % (uint32_t)most_flits);
	}
	assert_int_equal(loom_pattern_from_messages(&p, "random", n_nodes, messages, n, NULL), 0);
	free(messages);
	return p;
}

uint64_t placed_flits_slowly(const struct loom_plan *plan)
{
	uint64_t *flits = NULL, sum = 0;
	uint32_t n = loom_topo_channels(&plan->topo);
	assert_int_equal(loom_plan_flits(&flits, plan, NULL), 0);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		uint64_t most = 0;
		for (uint32_t c = 0; c < n; c++)
			if (!loom_topo_is_local(&plan->topo, c) && flits[(size_t)pass * n + c] > most)
				most = flits[(size_t)pass * n + c];
		sum += most;
	}
	free(flits);
	return sum;
}
