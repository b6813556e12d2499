// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Worms on the OTIS-Mesh. For every pair of nodes, the measured hops must be those of Theorem 1 of [Sahni97], and the
// delay that of the light. All messages from every node to every node in one pass are compared with the reference
// machine.
#include "e2e.h"

#define WORMS_MOST 1024 // nodes of the largest chip

static bool is_otis(const struct loom_topo *topo)
{
	return topo->kind->router == LOOM_ROUTER_OTIS;
}

static bool is_otis_with_lanes(const struct loom_topo *topo)
{
	return is_otis(topo) && topo->n_vcs > 1;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

static uint32_t distance(uint32_t side, uint32_t p, uint32_t q)
{
	return apart(p % side, q % side) + apart(p / side, q / side);
}

// Returns the hops of Theorem 1. n_optical: the number of optical ones among them.
static uint32_t theorem(uint32_t *n_optical, uint32_t side, uint32_t from, uint32_t to)
{
	uint32_t n = side * side, g1 = from / n, p1 = from % n, g2 = to / n, p2 = to % n;
	uint32_t even = distance(side, p1, p2) + distance(side, g1, g2) + 2;
	uint32_t odd = distance(side, p1, g2) + distance(side, p2, g1) + 1;
	*n_optical = g1 == g2 ? 0 : even < odd ? 2 : 1;
	return *n_optical == 0 ? distance(side, p1, p2) : even < odd ? even : odd;
}

// Checks that header and tail of each message arrived in the cycles of the formula, which are those without waiting.
static void check_distances(struct e2e *t, const struct run *run, uint64_t *n_pairs)
{
	const struct loom_topo *topo = &run->plan.topo;
	uint32_t l = topo->light_cycles, w = topo->light_ratio, n_other = 0;
	for (size_t i = 0; i < run->trace.n_arrivals; i++) {
		const struct loom_arrival *a = &run->trace.arrivals[i];
		uint32_t optical, hops = theorem(&optical, topo->extent[0], a->source, a->node);
		uint32_t header = hops + 2 + optical * (l + w - 1);
		uint32_t tail = a->flits + hops + 1 + optical * (l + w - 1) + (optical ? (a->flits - 1) * (w - 1) : 0);
		n_other += a->first_cycle != header || a->last_cycle != tail;
	}
	check(t, n_other == 0, "%s on %s: %u messages arrive in other cycles than Theorem 1 and light make it",
	      run->pattern.name, topo->name, n_other);
	*n_pairs += run->trace.n_arrivals;
}

// Every node sends to the one `step` further, in passes without contention, for each step: together all pairs.
static void test_distances(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	uint32_t n = rig->topo.n_nodes, to[WORMS_MOST];
	uint64_t n_pairs = 0;
	for (uint32_t step = 1; step < n; step++) {
		struct run run = {0};
		enum loom_machine machine = any_machine(rng);
		enum loom_rule rule = any_rule(rig, rng);
		for (uint32_t u = 0; u < n; u++)
			to[u] = (u + step) % n;
		if (permutation(t, &run, to, n, 1 + (uint32_t)loom_rng_below(rng, 12)) &&
		    plan_by_hand(t, &run, rig, rule) && cut_into_passes(t, &run) &&
		    check(t, rig_run_plan(rig, &run, machine, t->seed), "step %u does not run on %s", step,
		          rig->fabric)) {
			check_verdict(t, &run, "step", step);
			check_distances(t, &run, &n_pairs);
		}
		run_free(&run);
	}
	check(t, n_pairs == (uint64_t)n * (n - 1), "%s: only %" PRIu64 " pairs", rig->fabric, n_pairs);
}

// Sends over the same optical link in pass after pass, from node 1 to its partner and back: the state that one pass
// leaves must not delay the next.
static void test_again(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	const struct loom_plan_options greedy = {.planner = "greedy", .map = "identity"};
	uint32_t groups = rig->topo.extent[0] * rig->topo.extent[0];
	for (unsigned i = 0; i < 8; i++) {
		struct loom_message messages[8];
		struct run run = {0};
		struct loom_err err = {0};
		for (unsigned k = 0; k < 8; k++)
			messages[k] = (struct loom_message){.source = k % 2 ? 1 : groups,
			                                    .destination = k % 2 ? groups : 1,
			                                    .flits = 1 + (uint32_t)loom_rng_below(rng, 1 + i)};
		if (check(t,
		          loom_pattern_from_messages(&run.pattern, "again", rig->topo.n_nodes, messages, 8, &err) ==
		                          0 &&
		                  loom_plan_make(&run.plan, &rig->topo, &run.pattern, &greedy, &err) == 0,
		          "again on %s: %s", rig->fabric, err.text) &&
		    check(t, rig_run_plan(rig, &run, i % 2 ? LOOM_MACHINE_FAST : LOOM_MACHINE_PAPER, i),
		          "again does not run on %s", rig->fabric)) {
			check_verdict(t, &run, "again", i);
			check(t, run.plan.n_passes == 4 && run.verdict.blocked_cycles == 0,
			      "again on %s: %u passes, headers wait", rig->fabric, run.plan.n_passes);
		}
		run_free(&run);
	}
}

// Runs the pattern in one pass. Returns the cycles in which headers waited.
static uint64_t run_at_once(struct e2e *t, struct rig *rig, const char *spec, uint32_t flits, enum loom_rule rule,
                            enum loom_machine machine, uint64_t seed)
{
	struct run run = {0};
	uint64_t blocked = 0;
	if (parse(t, &run, rig, spec, flits, seed) && plan_by_hand(t, &run, rig, rule) &&
	    check(t, rig_run_plan(rig, &run, machine, seed), "%s does not run on %s", spec, rig->fabric)) {
		check_verdict(t, &run, spec, flits);
		blocked = run.verdict.blocked_cycles;
		check_reference(t, &run, machine, spec, flits);
	}
	run_free(&run);
	return blocked;
}

static void test_at_once(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	uint64_t blocked = 0;
	for (unsigned i = 0; i < t->perms; i++)
		blocked += run_at_once(t, rig, "random-perm", 2 + (uint32_t)loom_rng_below(rng, 30), any_rule(rig, rng),
		                       any_machine(rng), loom_rng_next(rng) >> 1);
	for (unsigned i = 0; i < 4; i++)
		blocked += run_at_once(t, rig, "all-to-others", i < 2 ? 1 : 4,
		                       i % 2 ? LOOM_RULE_DESCENDING : LOOM_RULE_ASCENDING,
		                       i == 0 || i == 3 ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST, i);
	check(t, blocked > 1000, "%s: headers waited %" PRIu64 " cycles", rig->fabric, blocked);
}

// On links with one lane the planner refuses lists that could lock; the lists that it accepts run, with messages that
// wait for each other.
static void test_one_lane(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	enum { MOST = 16 };
	const struct loom_plan_options direct = {.planner = "direct", .map = "identity"};
	unsigned n_run = 0;
	uint64_t blocked = 0;
	for (unsigned i = 0; i < t->lists; i++) {
		struct loom_message messages[MOST];
		struct run run = {0};
		struct loom_err err = {0};
		enum loom_machine machine = any_machine(rng);
		size_t n = 2 + loom_rng_below(rng, MOST - 1);
		for (size_t k = 0; k < n; k++)
			messages[k] =
				(struct loom_message){.source = (uint32_t)loom_rng_below(rng, rig->topo.n_nodes),
			                              .destination = (uint32_t)loom_rng_below(rng, rig->topo.n_nodes),
			                              .flits = 1 + (uint32_t)loom_rng_below(rng, 40)};
		if (loom_pattern_from_messages(&run.pattern, "list", rig->topo.n_nodes, messages, n, &err) == 0 &&
		    loom_plan_make(&run.plan, &rig->topo, &run.pattern, &direct, &err) == 0 &&
		    check(t, rig_run_plan(rig, &run, machine, loom_rng_next(rng)), "list %u does not run on %s", i,
		          rig->fabric)) {
			check_verdict(t, &run, "list", i);
			check_reference(t, &run, machine, "list", i);
			blocked += run.verdict.blocked_cycles;
			n_run++;
		}
		run_free(&run);
	}
	check(t, n_run >= t->lists / 4 && (n_run < 4 || blocked > 0),
	      "%s: %u of %u lists run, headers wait %" PRIu64 " cycles", rig->fabric, n_run, t->lists, blocked);
}

static bool is_otis_with_one_lane(const struct loom_topo *topo)
{
	return is_otis(topo) && topo->n_vcs == 1;
}

const struct subject otis_one_lane = {"lists on one lane", is_otis_with_one_lane, test_one_lane};
const struct subject otis_again = {"the same light again", is_otis, test_again};
const struct subject otis_distances = {"all pairs in passes", is_otis, test_distances};
const struct subject otis_at_once = {"permutations and all-to-all at once", is_otis_with_lanes, test_at_once};
