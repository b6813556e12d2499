// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/demand.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

int loom_demand_init(struct loom_demand *out, uint32_t n, struct loom_err *err)
{
	if (n < 1 || n > LOOM_DEMAND_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "a demand of %" PRIu32 " nodes: it can have 1 to %u", n,
		                 LOOM_DEMAND_NODES_MAX);
	uint32_t *flits = calloc((size_t)n * n, sizeof *flits);
	if (!flits)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the demand of %" PRIu32 " nodes", n);
	*out = (struct loom_demand){.n = n, .flits = flits};
	return 0;
}

void loom_demand_free(struct loom_demand *demand)
{
	if (!demand)
		return;
	free(demand->flits);
	*demand = (struct loom_demand){0};
}

static uint64_t line(const struct loom_demand *d, uint32_t i, bool column)
{
	uint64_t sum = 0;
	for (uint32_t j = 0; j < d->n; j++)
		sum += d->flits[column ? (size_t)j * d->n + i : (size_t)i * d->n + j];
	return sum;
}

int loom_demand_check(const struct loom_demand *demand, struct loom_err *err)
{
	if (demand->n < 1 || demand->n > LOOM_DEMAND_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "a demand of %" PRIu32 " nodes: it can have 1 to %u", demand->n,
		                 LOOM_DEMAND_NODES_MAX);
	for (uint32_t i = 0; i < demand->n; i++) {
		if (demand->flits[(size_t)i * demand->n + i] != 0)
			return loom_fail(err, LOOM_EINPUT,
			                 "demand: node %" PRIu32 " sends %" PRIu32
			                 " flits to itself, which no switch carries: 0 is right",
			                 i, demand->flits[(size_t)i * demand->n + i]);
		for (unsigned column = 0; column < 2; column++) {
			const uint64_t sum = line(demand, i, column);
			if (sum > LOOM_DEMAND_LINE_MOST)
				return loom_fail(err, LOOM_EINPUT,
				                 "demand: node %" PRIu32 " %s %" PRIu64
				                 " flits in all; 2^31 are the most",
				                 i, column ? "receives" : "sends", sum);
		}
	}
	return 0;
}
