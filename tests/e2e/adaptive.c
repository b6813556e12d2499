// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs random lists of messages on adaptive routers, by each rule that the network has, with any selection and in
// either timing. Compares every message's cycles and every channel's counts with the slow reference machine and with
// the library's machine.
#include "against_reference.h"
#include "e2e.h"

#include <flitloom/link/image.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>

#include "unit/help/random_turns.h"

#define LONGEST 24 // flits

static bool has_rule(const struct loom_topo *topo, unsigned rule)
{
	struct loom_err why = {0};
	if (rule < LOOM_RULE_NEGATIVE_FIRST)
		return rule < loom_topo_rules_count(topo) && has_order(topo);
	return loom_rule_check(topo, rule, &why) == 0;
}

static bool has_via_rule(const struct loom_topo *topo, unsigned rule)
{
	struct loom_err why = {0};
	return loom_via_check(topo, rule, &why) == 0;
}

static bool serves(const struct loom_topo *topo)
{
	return topo->kind->router == LOOM_ROUTER_ORDER;
}

// Draws a list of messages that are all released at once; in two of three lists half of the messages come from one node
// or go to one.
static bool random_list(struct e2e *t, struct run *run, const struct rig *rig, struct loom_rng *rng)
{
	const uint32_t nodes = rig->topo.n_nodes, focus = (uint32_t)loom_rng_below(rng, nodes);
	const uint64_t style = loom_rng_below(rng, 3);
	const size_t n = 1 + loom_rng_below(rng, nodes <= 16 ? 200 : 400);
	struct loom_err err = {0};
	struct loom_message *messages = calloc(n, sizeof *messages);
	if (!messages)
		abort();
	for (size_t k = 0; k < n; k++) {
		bool burst = loom_rng_below(rng, 2);
		messages[k].source = style == 1 && burst ? focus : (uint32_t)loom_rng_below(rng, nodes);
		messages[k].destination = style == 2 && burst ? focus : (uint32_t)loom_rng_below(rng, nodes);
		messages[k].flits = 1 + (uint32_t)loom_rng_below(rng, LONGEST);
	}
	int code = loom_pattern_from_messages(&run->pattern, "random list", nodes, messages, n, &err);
	free(messages);
	return check(t, code == 0, "%s", err.text);
}

// Plans all messages in one pass by one rule. A rule that gives each message one way is the same on these routers as on
// others.
static bool plan_by_rule(struct e2e *t, struct run *run, const struct rig *rig, unsigned rule, unsigned select)
{
	const struct loom_plan_options options = {.planner = "direct",
	                                          .map = "identity",
	                                          .rule = loom_rule_name(rule),
	                                          .select = select,
	                                          .seed = t->seed};
	struct loom_err err = {0};
	if (rule < LOOM_RULE_NEGATIVE_FIRST)
		return plan_by_hand(t, run, rig, (enum loom_rule)rule);
	return check(t, loom_plan_make(&run->plan, &rig->topo, &run->pattern, &options, &err) == 0, "%s on %s: %s",
	             loom_rule_name(rule), rig->fabric, err.text);
}

static void test_rule(struct e2e *t, struct rig *rig, unsigned rule, struct loom_rng *rng)
{
	const bool is_slow = rig->topo.link_delay > 0 || rig->topo.router_delay > 0;
	for (unsigned i = 0; i < t->lists; i++) {
		struct run run = {0};
		if (rule == LOOM_RULE_TURNS)
			random_turns(&rig->topo, rng);
		const enum loom_machine machine = any_machine(rng);
		const unsigned any = (unsigned)loom_rng_below(rng,
		                                              is_slow ? LOOM_SELECT_CREDITS : LOOM_SELECT_CREDITS + 1),
			       select = loom_rule_has_via(rule) ? LOOM_SELECT_FIXED : any;
		const struct loom_image_options options = {
			.machine = machine, .seed = loom_rng_next(rng), .select = select};
		if (random_list(t, &run, rig, rng) && plan_by_rule(t, &run, rig, rule, select) &&
		    check(t, rig_run_image(rig, &run, &options), "list %u by rule %s does not run on %s, seed %" PRIu64,
		          i, loom_rule_name(rule), rig->fabric, t->seed)) {
			struct disagreement d = loom_rule_has_via(rule) ? against_reference(&run, machine)
			                                                : against_adaptive(&run, machine);
			check_verdict(t, &run, "list", i);
			check(t, d.code == 0 && d.messages == 0 && d.channels == 0,
			      "list %u of %zu messages on %s, rule %s, select %s, %s, seed %" PRIu64
			      ": the reference ends with %d; %zu messages at other cycles, %zu channels count "
			      "otherwise",
			      i, run.plan.n_messages, rig->fabric, loom_rule_name(rule), loom_select_name(select),
			      machine == LOOM_MACHINE_PAPER ? "paper" : "fast", t->seed, d.code, d.messages,
			      d.channels);
		}
		run_free(&run);
	}
}

static void test_lists(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	for (unsigned rule = 0; rule < LOOM_RULES_NAMED; rule++)
		if (has_rule(&rig->topo, rule))
			test_rule(t, rig, rule, rng);
}

static void test_via_lists(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	for (unsigned rule = 0; rule < LOOM_RULES_NAMED; rule++)
		if (has_via_rule(&rig->topo, rule))
			test_rule(t, rig, rule, rng);
}

static bool serves_turns(const struct loom_topo *topo)
{
	return topo->kind->router == LOOM_ROUTER_ORDER || topo->kind->router == LOOM_ROUTER_TABLE;
}

static void test_turn_lists(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	test_rule(t, rig, LOOM_RULE_TURNS, rng);
}

const struct subject turn_lists = {"lists by turns", serves_turns, test_turn_lists};
const struct subject via_lists = {"lists through nodes", serves, test_via_lists};
const struct subject adaptive_lists = {"lists on adaptive routers", serves, test_lists};
