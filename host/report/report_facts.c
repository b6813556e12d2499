// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_facts.h"

#include <stdbool.h>
#include <stdlib.h>

#include <flitloom/planner.h>

#include "plan/cycles/cycles_least.h"
#include "plan/cycles/objective.h"
#include "plan/light.h"
#include "report/report_text.h"
#include "topo/topo_otis.h"

uint32_t loom_report_own_channels(const struct loom_plan *plan, const struct loom_verdict *verdict,
                                  const struct loom_group_count *groups)
{
	uint32_t most = 0;
	for (unsigned g = 0; g < verdict->n_groups; g++)
		if (loom_report_group_is_local(&plan->topo, g) && groups[g].max > most)
			most = groups[g].max;
	return most;
}

static bool can_be_one_pass(const struct loom_plan *plan)
{
	bool can = plan->n_passes > 1 && plan->n_members == 1 && !plan->free_running &&
	           loom_plan_cycles(plan) != LOOM_CYCLES_UNKNOWN && loom_planner_named(plan->planner);
	for (size_t i = 0; can && i < plan->n_messages; i++)
		can = plan->messages[i].from_slot == 0 && plan->messages[i].keep_slot == 0;
	return can;
}

// The properties that all messages on a channel share.
struct channel {
	uint64_t flits;
	uint64_t before, after; // the least cycles that any message takes before and after this channel
};

int loom_report_one_pass_cycles(uint64_t *out, const struct loom_plan *plan, struct loom_err *err)
{
	const struct loom_topo *topo = &plan->topo;
	uint32_t n_channels = loom_topo_channels(topo), channel;
	uint64_t most = 0;
	*out = 0;
	if (!can_be_one_pass(plan))
		return 0;
	struct channel *channels = calloc(n_channels, sizeof *channels);
	if (!channels)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the loads of one pass");
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (!loom_plan_uses_network(plan, m))
			continue;
		uint64_t n = loom_plan_route_length(plan, i) + loom_plan_light(plan, i).delay, k = 0;
		struct loom_route route;
		loom_plan_route_begin(&route, plan, i);
		for (; loom_route_next(&route, &channel); k += 1 + loom_light_late(topo, channel)) {
			struct channel *c = &channels[channel];
			c->before = c->flits == 0 || k < c->before ? k : c->before;
			c->after = c->flits == 0 || n - 1 - k < c->after ? n - 1 - k : c->after;
			c->flits += m->flits;
		}
	}
	// The first flit crosses the channel no earlier than in cycle before + 1, the others follow, each as soon as it can, and
	// the last of them has `after` cycles to go.
	for (uint32_t c = 0; c < n_channels; c++) {
		const struct channel *on = &channels[c];
		uint64_t flits = on->flits ? 1 + (on->flits - 1) * loom_otis_pace(topo, c) : 0;
		uint64_t cycles = flits ? on->before + flits + on->after : 0;
		most = cycles > most ? cycles : most;
	}
	free(channels);
	*out = most < loom_plan_cycles(plan) ? most : 0;
	return 0;
}

bool loom_report_has_members(const struct loom_plan *plan, const struct loom_report_facts *facts)
{
	return plan->n_members > 1 || (plan->objective[0] && !facts->cycles_least);
}

int loom_report_facts_make(struct loom_report_facts *out, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_report_facts f = {.optimal = loom_plan_is_optimal(plan)};
	f.passes_least = loom_plan_passes_least(&f.proof, plan);
	int rc = loom_report_one_pass_cycles(&f.one_pass_cycles, plan, err);
	if (rc == 0)
		rc = loom_plan_cycles_bound(&f.cycles_bound, plan, err);
	if (rc == 0 && loom_objective_is_cycles(plan->objective))
		rc = loom_cycles_least(&f.cycles_least, plan, err);
	for (size_t i = 1; i < plan->n_messages; i++)
		f.lengths_differ = f.lengths_differ || plan->messages[i].flits != plan->messages[0].flits;
	if (rc == 0)
		rc = loom_plan_contention_flits(&f.contention_flits, plan, err);
	if (rc == 0)
		rc = loom_plan_one_pass(&f.one_pass_rules, &f.is_permutation, plan, err);
	if (rc == 0)
		*out = f;
	return rc;
}
