// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Objective cycles on networks so small that all maps, rules, routes and orders of passes can be tried one by one: what the search
// finds is the least of all, and the bound is never above it.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/machine.h>
#include <flitloom/planner.h>

#include "base/rng.h"
#include "plan/back_to_back_internal.h"
#include "plan/cycles/cycles_least.h"
#include "unit/help/plans_by_hand.h"

#define NODES 4
#define MESSAGES 5

static void draw(struct loom_message *out, size_t n, uint32_t most, struct loom_rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		out[i] = (struct loom_message){.source = (uint32_t)loom_rng_below(rng, NODES),
		                               .flits = 1 + (uint32_t)loom_rng_below(rng, most)};
		do
			out[i].destination = (uint32_t)loom_rng_below(rng, NODES);
		while (out[i].destination == out[i].source);
	}
}

static void make(struct loom_plan *out, const char *fabric, const struct loom_message *messages, size_t n,
                 struct loom_plan_options options)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	assert_int_equal(loom_pattern_from_messages(&pattern, "list", topo.n_nodes, messages, n, &err), 0);
	if (loom_plan_make(out, &topo, &pattern, &options, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
	loom_pattern_free(&pattern);
}

// Returns the least cycles over all rules of the messages from i on.
static uint64_t least_of_rules(struct loom_plan *plan, size_t i)
{
	uint64_t least = LOOM_CYCLES_UNKNOWN;
	if (i == plan->n_messages)
		return loom_machine_cycles(&least, plan, LOOM_MACHINE_FAST, NULL) == 0 ? least : LOOM_CYCLES_UNKNOWN;
	for (uint8_t rule = 0; rule < 2; rule++) {
		plan->messages[i].rule = rule;
		uint64_t cycles = least_of_rules(plan, i + 1);
		least = cycles < least ? cycles : least;
	}
	return least;
}

// Returns the least cycles over all maps of the processors from v on.
static uint64_t least_of_maps(struct loom_plan *plan, uint32_t v)
{
	uint64_t least = LOOM_CYCLES_UNKNOWN;
	if (v == NODES)
		return least_of_rules(plan, 0);
	for (uint32_t w = v; w < NODES; w++) {
		const uint32_t a = plan->map[v], b = plan->map[w];
		plan->map[v] = b;
		plan->map[w] = a;
		uint64_t cycles = least_of_maps(plan, v + 1);
		least = cycles < least ? cycles : least;
		plan->map[v] = a;
		plan->map[w] = b;
	}
	return least;
}

// *n_best: how often the search found the least. A bound that is met proves it.
static void check_small(unsigned *n_best, unsigned *n_met, const char *fabric, const char *map, struct loom_rng *rng)
{
	struct loom_message messages[MESSAGES];
	struct loom_plan plan, plain;
	uint64_t bound;
	draw(messages, MESSAGES, 12, rng);
	make(&plain, fabric, messages, MESSAGES, (struct loom_plan_options){.planner = "direct", .map = map});
	make(&plan, fabric, messages, MESSAGES,
	     (struct loom_plan_options){.planner = "direct", .map = map, .objective = "cycles", .most_steps = 60000});
	const uint64_t least = map ? least_of_rules(&plain, 0) : least_of_maps(&plain, 0);
	assert_int_equal(loom_cycles_least(&bound, &plan, NULL), 0);
	assert_true(bound <= least);
	assert_true(plan.objective_value >= least);
	*n_best += plan.objective_value == least;
	*n_met += bound == least;
	loom_plan_free(&plan);
	loom_plan_free(&plain);
}

static void test_maps_and_rules(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:2", "line:4", "mesh:2x2", "ring:4v2"};
	unsigned n_best = 0, n_met = 0;
	struct loom_rng rng;
	loom_rng_init(&rng, 291);
	for (unsigned round = 0; round < 24; round++)
		check_small(&n_best, &n_met, fabrics[round % 4], NULL, &rng);
	assert_int_equal(n_best, 24);
	assert_in_range(n_met, 12, 24);
}

static void test_rules_alone(void **state)
{
	(void)state;
	unsigned n_best = 0, n_met = 0;
	struct loom_rng rng;
	loom_rng_init(&rng, 292);
	for (unsigned round = 0; round < 12; round++)
		check_small(&n_best, &n_met, round % 2 ? "cube:2" : "mesh:2x2", "identity", &rng);
	assert_int_equal(n_best, 12);
}

// On a multistage network the bound has all stages; one message meets it.
static void test_bound_by_hand(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		uint64_t bound;
	} rows[] = {{"omega:4", 8 + 10 + 2},
	            {"cube:2", 8 + 10 + 2},
	            {"benes:4", 8 + 10 + 2},
	            {"omega:16", 8 + 10 + 4},
	            {"otis-mesh:4", 8 + 10 + 2}};
	const struct loom_message messages[] = {{.source = 0, .destination = 1, .flits = 4},
	                                        {.source = 0, .destination = 2, .flits = 6},
	                                        {.source = 1, .destination = 2, .flits = 3}};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct loom_plan plan;
		uint64_t bound;
		make(&plan, rows[k].fabric, messages, 3, (struct loom_plan_options){.planner = "direct"});
		assert_int_equal(loom_cycles_least(&bound, &plan, NULL), 0);
		assert_int_equal(bound, rows[k].bound);
		loom_plan_free(&plan);
	}
}

// Returns the cycles of the plan if pass `last` is the last one.
static uint64_t cycles_with_last(const uint64_t *cycles, uint32_t n_passes, uint32_t last)
{
	uint64_t order[64];
	uint32_t n = 0;
	for (uint32_t pass = 0; pass < n_passes; pass++)
		if (pass != last)
			order[n++] = cycles[pass];
	order[n++] = cycles[last];
	return loom_back_to_back_cycles(order, n);
}

// With the map fixed nothing but the order of passes is open to planners of passes without contention. Planner mesh leaves the
// shortest pass anywhere.
static void test_passes(void **state)
{
	(void)state;
	unsigned n_better = 0;
	struct loom_rng rng;
	loom_rng_init(&rng, 293);
	for (unsigned round = 0; round < 40; round++) {
		struct loom_message messages[8];
		struct loom_plan plan, plain;
		uint64_t least = LOOM_CYCLES_UNKNOWN, before;
		draw(messages, 8, round % 2 ? 2 : 8, &rng);
		struct loom_plan_options options = {.planner = round % 4 < 2 ? "exact" : "mesh", .map = "identity"};
		make(&plain, round % 4 < 2 ? "line:4" : "mesh:2x2", messages, 8, options);
		options.objective = "cycles";
		make(&plan, round % 4 < 2 ? "line:4" : "mesh:2x2", messages, 8, options);
		assert_true(plain.n_passes <= 64 && plan.n_passes == plain.n_passes);
		for (uint32_t pass = 0; pass < plain.n_passes; pass++) {
			uint64_t cycles = cycles_with_last(plain.cycles, plain.n_passes, pass);
			least = cycles < least ? cycles : least;
		}
		assert_int_equal(loom_machine_cycles(&before, &plain, LOOM_MACHINE_FAST, NULL), 0);
		assert_int_equal(plan.objective_value, least);
		assert_int_equal(loom_plan_contention(&plan), loom_plan_contention(&plain));
		n_better += least < before;
		loom_plan_free(&plan);
		loom_plan_free(&plain);
	}
	assert_true(n_better > 0);
}

// Returns the bound that the ends of a member's messages and a way of one link give, node by node.
static uint64_t least_of_member_slowly(const struct loom_pattern *p, uint32_t member)
{
	uint64_t most = 0;
	for (uint32_t node = 0; node < p->n_nodes; node++) {
		uint64_t sent = 0, received = 0;
		for (size_t i = 0; i < p->n_messages; i++) {
			const struct loom_message *m = &p->messages[i];
			if (m->member != member || m->source == m->destination)
				continue;
			sent += m->source == node ? m->flits : 0;
			received += m->destination == node ? m->flits : 0;
		}
		most = sent > most ? sent : most;
		most = received > most ? received : most;
	}
	return most ? most + 2 : 0; // behind the first flit; injection, link and ejection
}

// The bound of a set is that of its members one after the other, the last of which is the one whose end saves most.
static void test_bound_of_sets(void **state)
{
	(void)state;
	struct loom_rng rng;
	unsigned n_short = 0;
	loom_rng_init(&rng, 294);
	for (unsigned round = 0; round < 60; round++) {
		const uint32_t n_members = 1 + round % 5;
		struct loom_topo topo = cube_of(2);
		struct loom_pattern pattern = pattern_by_hand(&rng, topo.n_nodes, 2 * n_members, n_members);
		uint64_t least[5], bound, wanted = LOOM_CYCLES_UNKNOWN;
		for (size_t i = 0; i < pattern.n_messages && round % 2; i++)
			pattern.messages[i].flits = 1 + pattern.messages[i].flits % 4;
		for (uint32_t member = 0; member < n_members; member++) {
			least[member] = least_of_member_slowly(&pattern, member);
			n_short += least[member] == 0;
		}
		for (uint32_t last = 0; last < n_members; last++) {
			const uint64_t cycles = cycles_with_last(least, n_members, last);
			wanted = cycles < wanted ? cycles : wanted;
		}
		struct loom_plan plan = make_plan(&topo, &pattern, "identity", "direct", NULL);
		assert_int_equal(plan.n_members, n_members);
		assert_int_equal(loom_cycles_least(&bound, &plan, NULL), 0);
		assert_int_equal(bound, wanted);
		loom_plan_free(&plan);
		loom_pattern_free(&pattern);
	}
	assert_in_range(n_short, 1, 60); // members whose messages all stay where they are
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_maps_and_rules), cmocka_unit_test(test_rules_alone),
	                                   cmocka_unit_test(test_bound_by_hand), cmocka_unit_test(test_passes),
	                                   cmocka_unit_test(test_bound_of_sets)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
