// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Any permutation in two passes without conflict, the data relayed in between ([Youssef93], section 4; [Benes65]): on a
// cube first under e-cube and then under e^-1-cube, on a multistage network that can be passed both ways first backward
// (inverse omega) and then forward (omega).
#include <stdlib.h>

#include <flitloom/benes.h>
#include "plan/planners/permutation.h"
#include "plan/planners/planners.h"

#define RELAY_SLOT 1

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return (topo->kind->complements_bits || topo->kind->two_directions) && pattern->n_messages == topo->n_nodes &&
	       loom_planner_is_permutation(pattern);
}

// On a cube one pass is the rule, and two are what somebody asks for.
static bool volunteers(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)pattern;
	return topo->kind->two_directions;
}

// Messages of the first pass, then those of the second. On a cube one message is enough where
// the node in the middle is the source or the destination. first_of: room for a number per message of the pattern.
static size_t make_messages(struct loom_plan_message *out, const struct loom_plan *plan, const uint32_t *g,
                            const uint32_t *virtual_of, size_t *first_of)
{
	bool self_uses_network = plan->topo.kind->self_uses_network;
	size_t n = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint32_t middle = virtual_of[g[plan->map[m->source]]];
		bool stays = !self_uses_network && middle == m->source && m->source != m->destination;
		first_of[i] = SIZE_MAX;
		if (stays)
			continue;
		first_of[i] = n;
		bool ends = !self_uses_network && middle == m->destination;
		out[n] = (struct loom_plan_message){.source = m->source,
		                                    .destination = middle,
		                                    .flits = m->flits,
		                                    .rule = LOOM_RULE_ASCENDING,
		                                    .keep_slot = ends ? 0 : RELAY_SLOT,
		                                    .origin = (uint32_t)n};
		n++;
	}
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		bool stays = first_of[i] == SIZE_MAX;
		if (!stays && out[first_of[i]].keep_slot == 0)
			continue;
		out[n] = (struct loom_plan_message){.pass = 1,
		                                    .source = stays ? m->source : out[first_of[i]].destination,
		                                    .destination = m->destination,
		                                    .flits = m->flits,
		                                    .rule = LOOM_RULE_DESCENDING,
		                                    .from_slot = stays ? 0 : RELAY_SLOT,
		                                    .origin = (uint32_t)(stays ? n : first_of[i])};
		n++;
	}
	return n;
}

static int plan_two_pass(struct loom_plan *plan, const struct loom_pattern *pattern, const char *objective,
                         bool map_is_free, struct loom_err *err)
{
	(void)pattern;
	(void)objective;
	(void)map_is_free;
	uint32_t n = plan->topo.n_nodes, *f = calloc(4 * (size_t)n, sizeof *f);
	uint32_t *g = f + n, *h = f + 2 * (size_t)n, *virtual_of = f + 3 * (size_t)n;
	size_t n_messages = 0, *first_of = calloc(plan->n_messages, sizeof *first_of);
	struct loom_plan_message *messages = calloc(2 * plan->n_messages, sizeof *messages);
	uint32_t *member_of_pass = calloc(2, sizeof *member_of_pass);
	unsigned k = 0;
	int rc =
		f && first_of && messages && member_of_pass
			? 0
			: loom_fail(err, LOOM_ENOMEM, "out of memory for two passes of %zu messages", plan->n_messages);
	while (UINT32_C(1) << k < n)
		k++;
	for (uint32_t v = 0; rc == 0 && v < n; v++)
		virtual_of[plan->map[v]] = v;
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		f[plan->map[plan->messages[i].source]] = plan->map[plan->messages[i].destination];
	if (rc == 0)
		rc = loom_benes_two_pass(g, h, f, k, err);
	if (rc == 0)
		n_messages = make_messages(messages, plan, g, virtual_of, first_of);
	free(f);
	free(first_of);
	if (rc != 0) {
		free(messages);
		free(member_of_pass);
		return rc;
	}
	free(plan->messages);
	free(plan->member_of_pass);
	plan->messages = messages;
	plan->n_messages = n_messages;
	plan->member_of_pass = member_of_pass;
	plan->n_passes = 2;
	rc = loom_plan_predict(plan, err);
	if (rc == 0)
		plan->lower_bound = loom_plan_contention(plan);
	return rc;
}

const struct loom_planner loom_planner_two_pass = {
	.name = "two_pass",
	.help = "any permutation in two passes without conflict, relayed in between: on a cube or a benes network",
	.accepts = accepts,
	.volunteers = volunteers,
	.plan = plan_two_pass,
	.bound = LOOM_BOUND_ANY,
};
