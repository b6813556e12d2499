// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The change "a message goes by another rule". Messages by several rules can lock, so each such plan is checked.
#include <flitloom/routes/deadlock.h>

#include "plan/cycles/cycles.h"
#include "plan/plan_internal.h"

bool loom_rule_change_is_open(const struct loom_cycles_search *s)
{
	const struct loom_topo *t = &s->plan->topo;
	const bool has_ways = t->n_dims > 1 || t->kind->wraps || loom_topo_rules_count(t) > LOOM_RULE_ONE_WAY ||
	                      (t->kind->router == LOOM_ROUTER_TABLE && t->n_vcs > 1);
	return s->planner->takes & LOOM_TAKES_RULES && !s->options->rule && s->plan->routes.n == 0 &&
	       (t->kind->router == LOOM_ROUTER_ORDER || t->kind->router == LOOM_ROUTER_TABLE) && has_ways &&
	       !loom_topo_rules_by_ends(t) && loom_topo_rules_count(t) > 1;
}

static int make(bool *is_made, void *user, struct loom_rng *rng, struct loom_err *err)
{
	struct loom_rule_change *c = user;
	struct loom_plan *plan = c->plan;
	(void)err;
	*is_made = plan->n_messages > 0;
	if (!*is_made)
		return 0;
	c->message = (size_t)loom_rng_below(rng, plan->n_messages);
	struct loom_plan_message *m = &plan->messages[c->message];
	const uint8_t rule = (uint8_t)loom_rng_below(rng, loom_topo_rules_count(&plan->topo));
	*is_made = rule != m->rule && loom_plan_uses_network(plan, m);
	c->rule = m->rule;
	if (*is_made)
		m->rule = rule;
	return 0;
}

static void undo(void *user)
{
	const struct loom_rule_change *c = user;
	c->plan->messages[c->message].rule = c->rule;
}

static int check(bool *may_stay, void *user, struct loom_err *err)
{
	const struct loom_rule_change *c = user;
	struct loom_err why = {0};
	int code = c->plan->timing ? loom_plan_check_timing(c->plan, &why)
	                           : 0; // what goes between two nodes keeps its order
	if (code == 0)
		code = loom_deadlock_check(c->plan, &why);
	*may_stay = code == 0;
	return code == 0 || code == LOOM_EINPUT ? 0 : loom_fail(err, code, "%s", why.text);
}

struct loom_change loom_rule_change(struct loom_rule_change *change)
{
	return (struct loom_change){.make = make, .undo = undo, .check = check, .user = change};
}
