// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions on a single message of a plan, which need no checks or predictions.
#include <flitloom/plan.h>
#include <flitloom/routes/via.h>

#include "plan/plan_internal.h"

bool loom_plan_uses_network(const struct loom_plan *plan, const struct loom_plan_message *message)
{
	return message->source != message->destination || plan->topo.kind->self_uses_network;
}

bool loom_plan_has_vias(const struct loom_plan *plan)
{
	return plan->n_messages > 0 && loom_rule_has_via(plan->messages[0].rule);
}

void loom_plan_settle_rules(struct loom_plan *plan)
{
	for (size_t i = 0; loom_topo_rules_by_ends(&plan->topo) && plan->routes.n == 0 && i < plan->n_messages; i++) {
		struct loom_plan_message *m = &plan->messages[i];
		m->rule =
			(uint8_t)loom_topo_rule(&plan->topo, plan->map[m->source], plan->map[m->destination], m->rule);
	}
}

void loom_plan_route_begin(struct loom_route *out, const struct loom_plan *plan, size_t i)
{
	const struct loom_plan_message *m = &plan->messages[i];
	loom_route_begin(out, &plan->topo, plan->map[m->source], plan->map[m->destination], (enum loom_rule)m->rule);
	if (loom_rule_has_via(m->rule))
		loom_route_go_by(out, m->via);
	if (plan->routes.n) {
		out->chosen = plan->routes.channel + plan->routes.first[i];
		out->chosen_end = plan->routes.channel + plan->routes.first[i + 1];
	}
	out->arrived = !loom_plan_uses_network(plan, m);
}

uint32_t loom_plan_route_length(const struct loom_plan *plan, size_t i)
{
	const struct loom_plan_message *m = &plan->messages[i];
	if (!loom_plan_uses_network(plan, m))
		return 0;
	if (loom_rule_has_via(m->rule)) {
		struct loom_route route;
		for (loom_plan_route_begin(&route, plan, i); loom_route_next(&route, &(uint32_t){0});)
			;
		return route.step;
	}
	return plan->routes.n ? (uint32_t)(plan->routes.first[i + 1] - plan->routes.first[i]) + 2
	                      : loom_route_length(&plan->topo, plan->map[m->source], plan->map[m->destination],
	                                          (enum loom_rule)m->rule);
}

bool loom_plan_is_of_moves(const struct loom_plan *plan)
{
	const uint32_t one_hop = 3; // channels: injection, a link, ejection
	if (plan->topo.kind->router != LOOM_ROUTER_OTIS || plan->free_running)
		return false;
	for (size_t i = 0; i < plan->n_messages; i++)
		if (loom_plan_route_length(plan, i) > one_hop)
			return false;
	return true;
}

size_t loom_plan_root(const struct loom_plan *plan, size_t i)
{
	while (plan->messages[i].from_slot)
		i = plan->messages[i].origin;
	return i;
}
