// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/cycles/cycles_least.h"

#include <stdlib.h>
#include <string.h>

#include "plan/back_to_back_internal.h"

#define NEXT_DOOR 3u // channels of a message to a neighbour: injection, a link, ejection

// Returns the fewest channels that a message can take: those to a neighbour, or all stages of a multistage network.
static uint32_t fewest_channels(const struct loom_topo *t)
{
	return loom_topo_links(t) > 0 ? NEXT_DOOR : loom_route_length(t, 0, t->n_nodes - 1, LOOM_RULE_ASCENDING);
}

// Returns a lower bound of the cycles of one member's pass. Relayed data count at their first sender and their last
// receiver. flits: scratch, 2 n_nodes.
static uint64_t least_of_member(const struct loom_plan *plan, uint32_t member, uint64_t *flits)
{
	const uint32_t n = plan->topo.n_nodes;
	uint64_t most = 0;
	memset(flits, 0, 2 * (size_t)n * sizeof *flits);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (plan->member_of_pass[m->pass] != member || !loom_plan_uses_network(plan, m))
			continue;
		flits[m->source] += m->from_slot ? 0 : m->flits;
		flits[n + m->destination] += m->keep_slot ? 0 : m->flits;
	}
	for (size_t k = 0; k < 2 * (size_t)n; k++)
		most = flits[k] > most ? flits[k] : most;
	return most ? most + fewest_channels(&plan->topo) - 1 : 0;
}

int loom_cycles_least(uint64_t *out, const struct loom_plan *plan, struct loom_err *err)
{
	const uint64_t none = 0;
	uint64_t sum = loom_back_to_back_cycles(&none, 1), most_saved = 0; // no barrier follows the last one
	uint64_t *flits = calloc(2 * (size_t)plan->topo.n_nodes, sizeof *flits);
	if (!flits)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a bound on %u nodes", plan->topo.n_nodes);
	for (uint32_t member = 0; member < plan->n_members; member++) {
		const uint64_t least = least_of_member(plan, member, flits), step = loom_back_to_back_step(least);
		sum += step;
		most_saved = step - least > most_saved ? step - least : most_saved;
	}
	free(flits);
	*out = sum - most_saved;
	return 0;
}
