// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans whose messages go by a rule that lets routers choose. Such a message has no fixed route. So the plan gives the
// least and the largest load of each channel, and the machine computes the actual load.
#include "plan/plan_adaptive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_internal.h"
#include "plan/rule_ways.h"

bool loom_plan_is_adaptive(const struct loom_plan *plan)
{
	return plan->n_messages > 0 && loom_rule_chooses_on(&plan->topo, plan->messages[0].rule);
}

// --- Options ---------------------------------------------------------------------------------------------------------

int loom_plan_ask_adaptive(struct loom_plan_options *out, bool *takes_map, const struct loom_topo *topo,
                           const struct loom_plan_options *options, struct loom_err *err)
{
	const unsigned rule = options->rule ? loom_rule_by_name(options->rule) : LOOM_RULES_NAMED;
	const char *what = options->half_duplex ? "half duplex: that needs to know which way each link is used"
	                   : options->objective ? "an objective: it weighs loads"
	                   : options->load      ? "a load to keep low: routes are chosen for that"
	                   : options->detours   ? "detours: its ways are shortest ones"
	                   : options->cost      ? "costs of moves"
	                   : options->tables    ? "tables: messages go by these"
	                   : options->planner && strcmp(options->planner, "best") == 0
	                           ? "planner best: it compares plans by their routes"
	                           : NULL;
	const bool is_adaptive = loom_rule_is_adaptive(rule);
	*takes_map = is_adaptive || loom_rule_has_via(rule);
	*out = *options;
	if (!is_adaptive && options->select != LOOM_SELECT_FIXED)
		return loom_fail(err, LOOM_EINPUT,
		                 "select %s: it is for a rule that lets routers choose, such as duato",
		                 loom_select_name(options->select));
	if (!*takes_map)
		return 0;
	int rc = is_adaptive ? loom_rule_check(topo, rule, err) : loom_via_check(topo, rule, err);
	if (rc == 0)
		rc = loom_select_check(topo, options->select, err);
	if (rc == 0 && what)
		rc = loom_fail(err, LOOM_EINPUT, "rule %s %s, and does not go with %s", loom_rule_name(rule),
		               is_adaptive ? "lets routers choose" : "draws the way of each message", what);
	out->rule = NULL;
	const bool wants_map = options->map && strcmp(options->map, "best") == 0;
	out->planner = options->planner || wants_map ? options->planner : "direct";
	return rc;
}

int loom_select_check(const struct loom_topo *topo, unsigned select, struct loom_err *err)
{
	if (!loom_select_name(select))
		return loom_fail(err, LOOM_EINPUT, "select %u: 0 to 3, which are fixed, random, lru, credits", select);
	if (select == LOOM_SELECT_CREDITS && topo->link_delay + topo->router_delay > 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "select credits on %.120s: a router sees the room at the end of a link without "
		                 "delays; fixed, random and lru look at none",
		                 topo->name);
	return 0;
}

// --- Invariants ------------------------------------------------------------------------------------------------------

int loom_plan_check_adaptive(const struct loom_plan *plan, struct loom_err *err)
{
	const char *name;
	for (size_t i = 1; i < plan->n_messages; i++)
		if (plan->messages[i].rule != plan->messages[0].rule &&
		    (loom_plan_is_adaptive(plan) || loom_rule_chooses_on(&plan->topo, plan->messages[i].rule)))
			return loom_fail(err, LOOM_EINPUT,
			                 "message %zu goes by rule %u and message 0 by rule %u: if routers choose, all "
			                 "messages of a plan go by one rule",
			                 i, plan->messages[i].rule, plan->messages[0].rule);
	if (!loom_plan_is_adaptive(plan))
		return plan->select == LOOM_SELECT_FIXED
		               ? 0
		               : loom_fail(err, LOOM_EINPUT, "select %u, and no message leaves routers a choice",
		                           plan->select);
	name = loom_rule_name(plan->messages[0].rule);
	int rc = loom_rule_check(&plan->topo, plan->messages[0].rule, err);
	if (rc == 0)
		rc = loom_select_check(&plan->topo, plan->select, err);
	if (rc == 0 && (plan->free_running || plan->half_duplex || plan->routes.n))
		rc = loom_fail(err, LOOM_EINPUT, "rule %s lets routers choose, and the plan %s", name,
		               plan->free_running  ? "runs freely from pass to pass"
		               : plan->half_duplex ? "is half duplex"
		                                   : "has routes");
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		if (plan->messages[i].from_slot && plan->messages[0].rule == LOOM_RULE_ODD_EVEN)
			rc = loom_fail(err, LOOM_EINPUT,
			               "message %zu is sent on, and rule odd-even goes by the source in its header, "
			               "which is where its data comes from",
			               i);
	return rc;
}

int loom_plan_check_via(const struct loom_plan *plan, struct loom_err *err)
{
	const unsigned rule = plan->n_messages ? plan->messages[0].rule : LOOM_RULE_ASCENDING;
	int rc = loom_rule_has_via(rule) ? loom_via_check(&plan->topo, rule, err) : 0;
	if (rc == 0 && loom_rule_has_via(rule) && (plan->free_running || plan->half_duplex || plan->routes.n))
		rc = loom_fail(err, LOOM_EINPUT, "rule %s draws the way of each message, and the plan %s",
		               loom_rule_name(rule),
		               plan->free_running  ? "runs freely from pass to pass"
		               : plan->half_duplex ? "is half duplex"
		                                   : "has routes");
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->rule != rule && (loom_rule_has_via(rule) || loom_rule_has_via(m->rule)))
			rc = loom_fail(err, LOOM_EINPUT,
			               "message %zu goes by rule %u and message 0 by rule %u: if ways are drawn, all "
			               "messages of a plan go by one rule",
			               i, m->rule, rule);
		else if (loom_rule_has_via(rule) ? loom_plan_uses_network(plan, m) &&
		                                           !loom_via_fits(&plan->topo, rule, plan->map[m->source],
		                                                          plan->map[m->destination], m->via)
		                                 : m->via != 0)
			rc = loom_fail(err, LOOM_EINPUT,
			               "message %zu goes from node %" PRIu32 " to node %" PRIu32
			               " through node %" PRIu32 ", which rule %s does not draw for it",
			               i, plan->map[m->source], plan->map[m->destination], m->via,
			               loom_rule_name(m->rule));
	}
	return rc;
}

// --- Least and largest loads -----------------------------------------------------------------------------------------

struct may {
	uint32_t *least, *most; // of the pass; either may be NULL
	uint64_t *flits;        // the least flits of each channel of the pass; may be NULL
	uint32_t of_message;    // the flits of the message
};

static void add(void *user, uint32_t channel, bool is_only)
{
	const struct may *may = user;
	if (may->most)
		may->most[channel]++;
	if (may->least)
		may->least[channel] += is_only;
	if (may->flits)
		may->flits[channel] += is_only ? may->of_message : 0;
}

static int add_all(const struct may *all, const struct loom_plan *plan, struct loom_err *err)
{
	const size_t n = loom_topo_channels(&plan->topo);
	struct loom_rule_ways ways;
	int rc = loom_rule_ways_begin(&ways, &plan->topo, err);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		struct may may = {.least = all->least ? all->least + m->pass * n : NULL,
		                  .most = all->most ? all->most + m->pass * n : NULL,
		                  .flits = all->flits ? all->flits + m->pass * n : NULL,
		                  .of_message = m->flits};
		if (loom_plan_uses_network(plan, m))
			loom_rule_ways_visit(&ways, m->rule, plan->map[m->source], plan->map[m->destination], add,
			                     &may);
	}
	loom_rule_ways_end(&ways);
	return rc;
}

int loom_plan_may_load(uint32_t *least, uint32_t *most, const struct loom_plan *plan, struct loom_err *err)
{
	return add_all(&(struct may){.least = least, .most = most}, plan, err);
}

int loom_plan_may_carry(uint64_t *flits, const struct loom_plan *plan, struct loom_err *err)
{
	return add_all(&(struct may){.flits = flits}, plan, err);
}

uint32_t loom_plan_most_contention(const struct loom_plan *plan)
{
	const uint32_t n_channels = loom_topo_channels(&plan->topo);
	uint32_t most = 0;
	for (size_t at = 0; plan->most && at < (size_t)plan->n_passes * n_channels; at++)
		if (plan->most[at] > most && !loom_topo_is_local(&plan->topo, (uint32_t)(at % n_channels)))
			most = plan->most[at];
	return most;
}
