// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planner order: the same messages in one pass, never slower than as listed, and on small lists as fast as the best of all orders.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/machine.h>
#include <flitloom/planner.h>

#include "base/rng.h"
#include "unit/help/plans_by_hand.h"

static void make(struct loom_plan *out, const char *fabric, const struct loom_message *messages, size_t n,
                 const char *planner, uint64_t steps)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	const struct loom_plan_options options = {.planner = planner, .most_steps = steps, .seed = 5};
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	assert_int_equal(loom_pattern_from_messages(&pattern, "list", topo.n_nodes, messages, n, &err), 0);
	if (loom_plan_make(out, &topo, &pattern, &options, &err) != 0)
		fail_msg("%s by %s: %s", fabric, planner, err.text);
	loom_pattern_free(&pattern);
}

static uint64_t cycles_of(const struct loom_plan *plan)
{
	uint64_t cycles;
	assert_int_equal(loom_machine_cycles(&cycles, plan, LOOM_MACHINE_FAST, NULL), 0);
	return cycles;
}

static void draw(struct loom_message *out, size_t n, uint32_t n_nodes, uint32_t n_senders, uint32_t most,
                 struct loom_rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		out[i] = (struct loom_message){.source = (uint32_t)loom_rng_below(rng, n_senders),
		                               .flits = 1 + (uint32_t)loom_rng_below(rng, most)};
		do
			out[i].destination = (uint32_t)loom_rng_below(rng, n_nodes);
		while (out[i].destination == out[i].source);
	}
}

static int by_ends(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct loom_message));
}

// Checks that the plan's messages are those of the list, all in pass 0.
static void check_messages(const struct loom_plan *plan, const struct loom_message *messages, size_t n)
{
	struct loom_message *have = calloc(n + 1, sizeof *have), *want = calloc(n + 1, sizeof *want);
	assert_true(have && want && plan->n_messages == n && plan->n_passes == 1);
	for (size_t i = 0; i < n; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		assert_true(m->pass == 0 && m->origin == i && m->from_slot == 0 && m->keep_slot == 0);
		have[i] = (struct loom_message){.source = m->source, .destination = m->destination, .flits = m->flits};
		want[i] = messages[i];
	}
	qsort(have, n, sizeof *have, by_ends);
	qsort(want, n, sizeof *want, by_ends);
	assert_memory_equal(have, want, n * sizeof *have);
	free(have);
	free(want);
}

static void test_lists(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:3", "mesh:3x4", "omega:8", "line:6", "ring:8v2", "torus:3x3v2"};
	struct loom_message messages[120];
	struct loom_rng rng;
	uint64_t sum = 0, sum_listed = 0;
	loom_rng_init(&rng, 281);
	for (unsigned round = 0; round < 24; round++) {
		const char *fabric = fabrics[round % 6];
		const size_t n = 1 + (size_t)loom_rng_below(&rng, 120);
		struct loom_plan listed, plan;
		draw(messages, n, 6, 6, round % 2 ? 30 : 4, &rng);
		make(&listed, fabric, messages, n, "direct", 0);
		make(&plan, fabric, messages, n, "order", 50000);
		check_messages(&plan, messages, n);
		assert_true(cycles_of(&plan) <= cycles_of(&listed));
		sum += cycles_of(&plan);
		sum_listed += cycles_of(&listed);
		loom_plan_free(&listed);
		loom_plan_free(&plan);
	}
	assert_true(sum < sum_listed);
}

// Returns the least cycles over all orders of each sender's messages, from message k on.
static uint64_t least_of_all(struct loom_plan *plan, size_t k)
{
	uint64_t least = LOOM_CYCLES_UNKNOWN;
	if (k == plan->n_messages)
		return cycles_of(plan);
	for (size_t i = k; i < plan->n_messages; i++) {
		if (plan->messages[i].source != plan->messages[k].source)
			continue;
		const struct loom_plan_message a = plan->messages[i], b = plan->messages[k];
		plan->messages[i] = b;
		plan->messages[k] = a;
		uint64_t cycles = least_of_all(plan, k + 1);
		least = cycles < least ? cycles : least;
		plan->messages[i] = a;
		plan->messages[k] = b;
	}
	return least;
}

static void test_small(void **state)
{
	(void)state;
	struct loom_rng rng;
	unsigned n_worse = 0;
	loom_rng_init(&rng, 282);
	for (unsigned round = 0; round < 20; round++) {
		struct loom_message messages[6];
		struct loom_plan plan;
		draw(messages, 6, 4, 2, 12, &rng);
		make(&plan, round % 2 ? "line:4" : "cube:2", messages, 6, "order", 100000);
		const uint64_t found = cycles_of(&plan), least = least_of_all(&plan, 0);
		assert_true(found >= least);
		n_worse += found > least;
		loom_plan_free(&plan);
	}
	assert_int_equal(n_worse, 0);
}

static bool stop(void *asked)
{
	++*(unsigned *)asked;
	return true;
}

static void test_ended(void **state)
{
	(void)state;
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_plan plan;
	unsigned asked = 0;
	const struct loom_plan_options options = {.planner = "order", .stopped = stop, .user = &asked};
	assert_int_equal(loom_topo_parse(&topo, "mesh:4x4", NULL), 0);
	assert_int_equal(
		loom_pattern_parse(&pattern, "all-to-others", 16, &(struct loom_pattern_options){.flits = 9}, NULL), 0);
	assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &options, NULL), 0);
	assert_true(asked > 0);
	assert_int_equal(plan.n_messages, 240);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
}

// The same seed and steps, the same plan.
static void test_repeated(void **state)
{
	(void)state;
	struct loom_message messages[60];
	struct loom_rng rng;
	struct loom_plan a, b;
	loom_rng_init(&rng, 283);
	draw(messages, 60, 9, 9, 8, &rng);
	make(&a, "mesh:3x3", messages, 60, "order", 40000);
	make(&b, "mesh:3x3", messages, 60, "order", 40000);
	check_same_messages(&a, &b);
	loom_plan_free(&a);
	loom_plan_free(&b);
}

// --- The orders to begin with, one by one ---------------------------------------------------------------------------

enum { ORDERS = 6, STEPS = 300 }; // what a run of a short list costs the search

static uint64_t key_slowly(const struct loom_topo *t, const struct loom_message *m, unsigned order)
{
	const uint32_t length = loom_route_length(t, m->source, m->destination, LOOM_RULE_ASCENDING);
	const uint64_t keys[ORDERS] = {0,
	                               1000 - length,
	                               length,
	                               (m->destination + t->n_nodes - m->source) % t->n_nodes,
	                               m->source ^ m->destination,
	                               1000 - m->flits};
	return keys[order];
}

// Sorts each sender's messages, at the places where it has some, by exchanging neighbours.
static void sort_slowly(struct loom_message *out, size_t n, const struct loom_topo *t, unsigned order)
{
	for (size_t round = 0; round < n; round++)
		for (size_t i = 0; i < n; i++) {
			size_t next = i + 1;
			while (next < n && out[next].source != out[i].source)
				next++;
			if (next == n || key_slowly(t, &out[i], order) <= key_slowly(t, &out[next], order))
				continue;
			const struct loom_message m = out[i];
			out[i] = out[next];
			out[next] = m;
		}
}

// With steps for k orders the plan is the first of these that takes the fewest cycles.
static void check_orders(unsigned *n_best, const char *fabric, const struct loom_message *messages, size_t n)
{
	struct loom_message best[40];
	struct loom_topo topo;
	uint64_t least = LOOM_CYCLES_UNKNOWN;
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	for (unsigned order = 0; order < ORDERS; order++) {
		struct loom_message sorted[40];
		struct loom_plan as_sorted, plan;
		memcpy(sorted, messages, n * sizeof *messages);
		sort_slowly(sorted, n, &topo, order);
		make(&as_sorted, fabric, sorted, n, "direct", 0);
		const uint64_t cycles = cycles_of(&as_sorted);
		loom_plan_free(&as_sorted);
		if (cycles < least) {
			memcpy(best, sorted, n * sizeof *sorted);
			n_best[order]++;
			least = cycles;
		}
		make(&plan, fabric, messages, n, "order", order * STEPS + 1);
		for (size_t i = 0; i < n; i++) {
			const struct loom_plan_message *m = &plan.messages[i];
			assert_true(m->source == best[i].source && m->destination == best[i].destination &&
			            m->flits == best[i].flits);
		}
		loom_plan_free(&plan);
	}
	loom_topo_free(&topo);
}

static void test_orders(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:3", "mesh:3x4", "ring:8v2", "omega:8"};
	struct loom_rng rng;
	unsigned n_best[ORDERS] = {0};
	loom_rng_init(&rng, 284);
	for (unsigned round = 0; round < 80; round++) {
		struct loom_message messages[40];
		const size_t n = 1 + (size_t)loom_rng_below(&rng, 40);
		draw(messages, n, 8, 1 + round % 8, round % 2 ? 30 : 4, &rng);
		check_orders(n_best, fabrics[round % 4], messages, n);
	}
	for (unsigned order = 0; order < ORDERS; order++)
		assert_true(n_best[order] > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists), cmocka_unit_test(test_small),
	                                   cmocka_unit_test(test_ended), cmocka_unit_test(test_repeated),
	                                   cmocka_unit_test(test_orders)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
