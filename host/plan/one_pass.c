// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks if a permutation can be sent in one pass without contention.
#include <stdlib.h>
#include <string.h>

#include <flitloom/plan.h>

#define NONE UINT32_MAX

// Fills in to[v], the processor to which v sends in the end, or NONE. Returns false if the plan is not a partial
// permutation.
static bool find_permutation(uint32_t *to, bool *is_relayed, bool *receives, const struct loom_plan *plan)
{
	memset(to, 0xff, plan->topo.n_nodes * sizeof *to);
	for (size_t i = 0; i < plan->n_messages; i++)
		if (plan->messages[i].from_slot)
			is_relayed[plan->messages[i].origin] = true;
	for (size_t i = 0; i < plan->n_messages; i++) {
		uint32_t source = plan->messages[loom_plan_root(plan, i)].source,
			 to_whom = plan->messages[i].destination;
		if (is_relayed[i])
			continue;
		if (to[source] != NONE || receives[to_whom])
			return false;
		to[source] = to_whom;
		receives[to_whom] = true;
	}
	return true;
}

// True if the fabric has this rule and it gives other routes than the previous rules.
static bool is_of_its_own(const struct loom_topo *t, unsigned rule)
{
	bool other_order = rule & LOOM_RULE_DESCENDING;
	if (rule >= loom_topo_rules_count(t))
		return false;
	return !other_order || (loom_topo_links(t) ? t->n_dims > 1 : t->kind->two_directions);
}

// True if no two messages use one channel. Ends at the first channel that is used twice.
static bool passes_by(bool *used, const struct loom_plan *plan, const uint32_t *to, enum loom_rule rule)
{
	const struct loom_topo *t = &plan->topo;
	uint32_t channel;
	memset(used, 0, loom_topo_channels(t) * sizeof *used);
	for (uint32_t v = 0; v < t->n_nodes; v++) {
		struct loom_route route;
		if (to[v] == NONE || (to[v] == v && !t->kind->self_uses_network))
			continue;
		for (loom_route_begin(&route, t, plan->map[v], plan->map[to[v]], rule);
		     loom_route_next(&route, &channel);) {
			if (used[channel])
				return false;
			used[channel] = true;
		}
	}
	return true;
}

int loom_plan_one_pass(unsigned *rules, bool *is_permutation, const struct loom_plan *plan, struct loom_err *err)
{
	uint32_t *to = calloc(plan->topo.n_nodes, sizeof *to);
	bool *is_relayed = calloc(plan->n_messages + 1, sizeof *is_relayed);
	bool *used = calloc(loom_topo_channels(&plan->topo), sizeof *used);
	bool done = to && is_relayed && used;
	*rules = 0;
	*is_permutation =
		done && plan->n_members == 1 && plan->n_messages && find_permutation(to, is_relayed, used, plan);
	for (unsigned rule = 0; *is_permutation && rule < LOOM_RULES_MAX; rule++)
		if (is_of_its_own(&plan->topo, rule) && passes_by(used, plan, to, (enum loom_rule)rule))
			*rules |= 1U << rule;
	free(to);
	free(is_relayed);
	free(used);
	return done ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages", plan->n_messages);
}
