// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Random messages: lists with contention, and permutations cut into passes in which no channel carries two messages.
#include "e2e.h"

#define LONGEST 300 // flits
#define MANY 64     // nodes: in the short run larger fabrics get a quarter of the lists and permutations

static unsigned share(const struct e2e *t, const struct rig *rig, unsigned count)
{
	return loom_topo_hosts(&rig->topo) > MANY && !t->all ? (count + 3) / 4 : count;
}

// True if no messages at all can wait for each other in a circle on this network.
static bool takes_lists(const struct loom_topo *topo)
{
	return has_order(topo) || (is_multistage(topo) && !topo->kind->two_directions);
}

static bool has_no_lock(const struct loom_topo *topo)
{
	return has_order(topo) || topo->kind->spare_label_bits != 0;
}

// Uniform, bursts to one node, or bursts from one node.
enum style { UNIFORM, TO_ONE, FROM_ONE, STYLES };

static bool random_list(struct e2e *t, struct run *run, const struct rig *rig, enum style style, struct loom_rng *rng)
{
	uint32_t nodes = loom_topo_hosts(&rig->topo), focus = (uint32_t)loom_rng_below(rng, nodes);
	uint32_t longest = loom_rng_below(rng, 4) ? 24 : LONGEST;
	size_t n = 1 + loom_rng_below(rng, nodes <= 16 ? 200 : nodes <= 32 ? 400 : 800);
	struct loom_err err = {0};
	struct loom_message *messages = calloc(n, sizeof *messages);
	if (!messages)
		abort();
	for (size_t k = 0; k < n; k++) {
		bool burst = loom_rng_below(rng, 2);
		messages[k].source = style == FROM_ONE && burst ? focus : (uint32_t)loom_rng_below(rng, nodes);
		messages[k].destination = style == TO_ONE && burst ? focus : (uint32_t)loom_rng_below(rng, nodes);
		messages[k].flits = 1 + (uint32_t)loom_rng_below(rng, longest);
	}
	int code = loom_pattern_from_messages(&run->pattern, "random list", nodes, messages, n, &err);
	free(messages);
	return check(t, code == 0, "%s", err.text);
}

static void test_lists(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	for (unsigned i = 0; i < share(t, rig, t->lists); i++) {
		struct run run = {0};
		// On multistage networks every third list runs in passes without contention; bursts would need too many
		// passes.
		bool in_passes = is_multistage(&rig->topo) && i % 3 == 0;
		enum style style = in_passes ? UNIFORM : (enum style)loom_rng_below(rng, STYLES);
		enum loom_machine machine = any_machine(rng);
		enum loom_rule rule = any_rule(rig, rng);
		if (random_list(t, &run, rig, style, rng) &&
		    (rule != LOOM_RULE_ASCENDING && !is_multistage(&rig->topo)
		             ? plan_by_hand(t, &run, rig, rule)
		             : plan(t, &run, rig, in_passes ? "min_passes" : "direct", "identity")) &&
		    check(t, rig_run_plan(rig, &run, machine, loom_rng_next(rng)),
		          "list %u does not run on %s, seed %" PRIu64, i, rig->fabric, t->seed)) {
			check_verdict(t, &run, "list", i);
			check_reference(t, &run, machine, "list", i);
		}
		run_free(&run);
	}
}

static bool is_direct(const struct loom_topo *topo)
{
	return !is_multistage(topo);
}

static void test_perms(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	for (unsigned i = 0; i < share(t, rig, t->perms); i++) {
		struct run run = {0};
		enum loom_machine machine = any_machine(rng);
		enum loom_rule rule = any_rule(rig, rng);
		uint32_t flits = 1 + (uint32_t)loom_rng_below(rng, 40);
		if (parse(t, &run, rig, "random-perm", flits, loom_rng_next(rng) >> 1) &&
		    plan_by_hand(t, &run, rig, rule) && cut_into_passes(t, &run) &&
		    check(t, rig_run_plan(rig, &run, machine, t->seed), "permutation %u does not run on %s", i,
		          rig->fabric)) {
			check_verdict(t, &run, "permutation", i);
			check_reference(t, &run, machine, "permutation", i);
			check(t, run.verdict.blocked_cycles == 0,
			      "permutation %u on %s, seed %" PRIu64 ": %" PRIu64 " blocked cycles", i, rig->fabric,
			      t->seed, run.verdict.blocked_cycles);
		}
		run_free(&run);
	}
}

// Plans a long list of messages between random nodes, released at once, so that as many as possible wait. The verdict
// shows that all arrived: if some locked, the watchdog would end the run.
static bool plan_heavy(struct e2e *t, struct run *run, const struct rig *rig, struct loom_rng *rng)
{
	enum { MOST = 1024 };
	bool has_tables = rig->topo.kind->spare_label_bits != 0;
	struct loom_message messages[MOST];
	struct loom_err err = {0};
	const size_t most = loom_topo_hosts(&rig->topo) <= MANY ? 320 : MOST;
	size_t n = most / 4 + loom_rng_below(rng, most * 3 / 4);
	for (size_t k = 0; k < n; k++)
		messages[k] =
			(struct loom_message){.source = (uint32_t)loom_rng_below(rng, loom_topo_hosts(&rig->topo)),
		                              .destination = (uint32_t)loom_rng_below(rng, loom_topo_hosts(&rig->topo)),
		                              .flits = 1 + (uint32_t)loom_rng_below(rng, 24)};
	if (!check(t,
	           loom_pattern_from_messages(&run->pattern, "heavy list", loom_topo_hosts(&rig->topo), messages, n,
	                                      &err) == 0,
	           "%s", err.text))
		return false;
	return has_tables ? plan_routes(t, run, rig, messages, n, rng) : plan_by_hand(t, run, rig, any_rule(rig, rng));
}

static void test_heavy(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	uint64_t blocked = 0;
	for (unsigned i = 0; i < t->lists; i++) {
		struct run run = {0};
		enum loom_machine machine = any_machine(rng);
		if (plan_heavy(t, &run, rig, rng) &&
		    check(t, rig_run_plan(rig, &run, machine, loom_rng_next(rng)),
		          "list %u does not run on %s, seed %" PRIu64, i, rig->fabric, t->seed)) {
			check_verdict(t, &run, "heavy list", i);
			blocked += run.verdict.blocked_cycles;
		}
		run_free(&run);
	}
	fprintf(stderr, "e2e: %s, heavy lists: %" PRIu64 " cycles in which headers waited\n", rig->fabric, blocked);
}

const struct subject random_lists = {"random lists", takes_lists, test_lists};
const struct subject random_perms = {"random permutations in passes", is_direct, test_perms};
const struct subject heavy_lists = {"heavy lists", has_no_lock, test_heavy};
