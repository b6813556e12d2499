// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs two passes with the data relayed in between.
#include "e2e.h"

#define MANY 64 // nodes

static bool takes_relays(const struct loom_topo *topo)
{
	return has_order(topo) && topo->n_nodes <= MANY;
}

// Turns the one pass of the plan into two: first from x to g(x), lowest dimension first, where slot 1 + x mod 3 keeps
// the data, then on to f(x), highest dimension first.
static void relay(struct loom_plan *plan, const uint32_t *g, uint32_t flits)
{
	uint32_t nodes = loom_topo_hosts(&plan->topo), count = 0;
	const uint8_t up = LOOM_RULE_ASCENDING, down = LOOM_RULE_DESCENDING;
	struct loom_plan_message *m = calloc(2 * (size_t)nodes, sizeof *m);
	uint32_t *members = calloc(2, sizeof *members);
	uint32_t *first = calloc(nodes, sizeof *first); // the number of the message from x in the first pass
	if (!m || !members || !first)
		abort();
	for (uint32_t x = 0; x < nodes; x++)
		if (g[x] != x) {
			first[x] = count;
			m[count] = (struct loom_plan_message){0, x, g[x], flits, up, 0, (uint8_t)(1 + x % 3), count, 0};
			count++;
		}
	for (uint32_t x = 0; x < nodes; x++, count++) {
		uint32_t f = plan->messages[x].destination;
		if (g[x] == x)
			m[count] = (struct loom_plan_message){1, x, f, flits, down, 0, 0, count, 0};
		else
			m[count] = (struct loom_plan_message){1, g[x],     f, flits, down, (uint8_t)(1 + x % 3),
			                                      0, first[x], 0};
	}
	for (uint32_t i = 0; i < count; i++) // the map is the identity
		m[i].rule = (uint8_t)loom_topo_rule(&plan->topo, m[i].source, m[i].destination, m[i].rule);
	free(first);
	free(plan->messages);
	free(plan->member_of_pass);
	plan->messages = m;
	plan->n_messages = count;
	plan->member_of_pass = members;
	plan->n_passes = 2;
}

static void test_relays(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	uint32_t g[MANY];
	struct run run = {0};
	struct loom_err err = {0};
	if (parse(t, &run, rig, "random-perm", 9, loom_rng_next(rng) >> 1) &&
	    plan(t, &run, rig, "direct", "identity")) {
		shuffle(rng, g, loom_topo_hosts(&rig->topo));
		relay(&run.plan, g, 9);
		if (check(t, loom_plan_predict(&run.plan, &err) == 0, "relay on %s: %s", rig->fabric, err.text) &&
		    check(t, rig_run_plan(rig, &run, LOOM_MACHINE_FAST, t->seed), "relay on %s does not run",
		          rig->fabric))
			check_verdict(t, &run, "relay", 0);
	}
	run_free(&run);
}

static bool passes_both_ways(const struct loom_topo *topo)
{
	return topo->kind->two_directions;
}

// Runs any permutation through an inverse omega and an omega network.
static void test_two_passes(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	uint32_t n = rig->topo.n_nodes, *to = calloc(n, sizeof *to);
	if (!to)
		abort();
	for (unsigned i = 0; i < t->two; i++) {
		struct run run = {0};
		shuffle(rng, to, n);
		if (permutation(t, &run, to, n, 1 + (uint32_t)loom_rng_below(rng, 30)) &&
		    plan(t, &run, rig, NULL, NULL) &&
		    check(t, rig_run_plan(rig, &run, i % 2 ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST, i),
		          "%s did not run", rig->fabric)) {
			check_verdict(t, &run, "two passes", i);
			check(t,
			      run.plan.n_passes == 2 && run.verdict.blocked_cycles == 0 &&
			              !strcmp(run.plan.planner, "two_pass"),
			      "%s: %u passes, blocked %" PRIu64 ", planner %s", rig->fabric, run.plan.n_passes,
			      run.verdict.blocked_cycles, run.plan.planner);
			check(t,
			      run.verdict.measured_back_to_back_cycles > run.verdict.measured_cycles &&
			              run.verdict.measured_back_to_back_cycles ==
			                      run.verdict.predicted_back_to_back_cycles,
			      "%s: back to back in %" PRIu64 " cycles, not %" PRIu64, rig->fabric,
			      run.verdict.measured_back_to_back_cycles, run.verdict.predicted_back_to_back_cycles);
		}
		run_free(&run);
	}
	free(to);
}

const struct subject relays = {"relays", takes_relays, test_relays};
const struct subject two_passes = {"two passes", passes_both_ways, test_two_passes};
