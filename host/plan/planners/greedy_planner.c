// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Any messages on a direct network, on the routes that they have, in as few passes without contention as colouring their
// conflict graph finds ([Youssef93], section 3). What it makes cannot lock.
#include <stdlib.h>

#include "plan/planners/conflicts.h"
#include "plan/planners/member_passes.h"
#include "plan/planners/planners.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	return loom_topo_links(topo) != 0 && pattern->n_messages != 0;
}

// It is asked for by name: a pass with contention is what a user who names no planner wants to see where it can run.
static bool volunteers(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	(void)pattern;
	return false;
}

static void begin_route(struct loom_route *route, const struct loom_plan *plan, const struct loom_plan_message *m)
{
	loom_route_begin(route, &plan->topo, plan->map[m->source], plan->map[m->destination], (enum loom_rule)m->rule);
}

// What each message crosses, injection and ejection included; one to oneself crosses nothing. false: out of memory.
static bool make_conflicts(struct loom_conflicts *out, const struct loom_plan *plan, size_t first, size_t n)
{
	struct loom_route route;
	uint32_t channel;
	size_t *at = malloc((n + 1) * sizeof *at), n_hops = 0;
	for (size_t i = 0; at && i < n; i++) {
		const struct loom_plan_message *m = &plan->messages[first + i];
		at[i] = n_hops;
		if (loom_plan_uses_network(plan, m))
			n_hops += loom_route_length(&plan->topo, plan->map[m->source], plan->map[m->destination],
			                            (enum loom_rule)m->rule);
	}
	uint32_t *hop = malloc((n_hops + 1) * sizeof *hop);
	if (!at || !hop) {
		free(at);
		free(hop);
		return false;
	}
	at[n] = n_hops;
	for (size_t i = 0; i < n; i++) {
		uint32_t *next = hop + at[i];
		if (!loom_plan_uses_network(plan, &plan->messages[first + i]))
			continue;
		for (begin_route(&route, plan, &plan->messages[first + i]); loom_route_next(&route, &channel);)
			*next++ = channel;
	}
	return loom_conflicts_make(out, n, at, hop, loom_topo_channels(&plan->topo));
}

static int schedule(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan, size_t first, size_t n,
                    struct loom_err *err)
{
	struct loom_conflicts g = {0};
	*n_passes = 0;
	bool done = make_conflicts(&g, plan, first, n) && loom_conflicts_colour(pass, n_passes, &g);
	loom_conflicts_free(&g);
	return done ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
}

static int plan_greedy(struct loom_plan *plan, const struct loom_pattern *pattern, const char *objective,
                       bool map_is_free, struct loom_err *err)
{
	(void)map_is_free;
	return loom_plan_in_member_passes(plan, pattern, objective, schedule, err);
}

const struct loom_planner loom_planner_greedy = {
	.name = "greedy",
	.help = "any messages on a direct network, in few passes without contention (colouring)",
	.accepts = accepts,
	.volunteers = volunteers,
	.plan = plan_greedy,
	.bound = LOOM_BOUND_PLACEMENT,
	.takes_rules = true,
};
