// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Passes change places: each keeps its messages and their routes. If memory runs out nothing leaks, and the plan still
// has all of its messages.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/machine.h>
#include <flitloom/planner.h>

#include "plan/cycles/cycles.h"
#include "plan/plan_internal.h"
#include "unit/help/memory/failing_memory.h"

enum { PASSES = 4, MESSAGES = 9 };

// In the shortest pass, which is not the last one, a message of one flit goes to a neighbour.
static const struct loom_message messages[MESSAGES] = {
	{.source = 0, .destination = 8, .flits = 40}, {.source = 3, .destination = 5, .flits = 30},
	{.source = 7, .destination = 6, .flits = 1},  {.source = 2, .destination = 6, .flits = 20},
	{.source = 8, .destination = 0, .flits = 50}, {.source = 4, .destination = 4, .flits = 9},
	{.source = 1, .destination = 7, .flits = 60}, {.source = 6, .destination = 2, .flits = 70},
	{.source = 5, .destination = 3, .flits = 25}};
static const uint32_t pass_of[MESSAGES] = {0, 0, 1, 2, 2, 2, 3, 3, 3};

static void make(struct loom_plan *out, const char *fabric, const char *planner)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	const struct loom_plan_options options = {.planner = planner, .map = "identity"};
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	assert_int_equal(loom_pattern_from_messages(&pattern, "list", topo.n_nodes, messages, MESSAGES, &err), 0);
	if (loom_plan_make(out, &topo, &pattern, &options, &err) != 0)
		fail_msg("%s %s: %s", fabric, planner, err.text);
	loom_pattern_free(&pattern);
	for (size_t i = 0; i < MESSAGES; i++)
		out->messages[i].pass = pass_of[i];
	out->n_passes = PASSES;
	free(out->member_of_pass);
	out->member_of_pass = calloc(PASSES, sizeof *out->member_of_pass);
	assert_non_null(out->member_of_pass);
	if (loom_plan_predict(out, &err) != 0)
		fail_msg("%s %s: %s", fabric, planner, err.text);
}

// Finds the message of `plan` with the ends of a message of `plain`; a node sends one alone.
static size_t find(const struct loom_plan *plan, const struct loom_plan_message *m)
{
	size_t i = 0;
	while (i < plan->n_messages && plan->messages[i].source != m->source)
		i++;
	assert_true(i < plan->n_messages);
	return i;
}

static void check_messages(const struct loom_plan *plan, const struct loom_plan *plain, const uint32_t *pass_after)
{
	assert_int_equal(plan->n_messages, MESSAGES);
	assert_int_equal(plan->routes.n, plain->routes.n);
	for (size_t i = 0; i < MESSAGES; i++) {
		const struct loom_plan_message *m = &plain->messages[i];
		const size_t k = find(plan, m);
		struct loom_plan_message expected = *m;
		expected.pass = pass_after ? pass_after[m->pass] : plan->messages[k].pass;
		expected.origin = pass_after ? (uint32_t)k : plan->messages[k].origin;
		assert_memory_equal(&plan->messages[k], &expected, sizeof expected);
		assert_true(k == 0 || plan->messages[k - 1].pass <= plan->messages[k].pass);
		if (!plan->routes.n)
			continue;
		const size_t *a = &plan->routes.first[k], *b = &plain->routes.first[i];
		assert_int_equal(a[1] - a[0], b[1] - b[0]);
		if (a[1] > a[0])
			assert_memory_equal(plan->routes.channel + a[0], plain->routes.channel + b[0],
			                    (a[1] - a[0]) * sizeof *plan->routes.channel);
	}
}

// Orders the passes while the n-th allocation fails, 0 none. Returns whether one failed.
static bool order(const char *fabric, const char *planner, const struct loom_plan *plain, size_t n)
{
	static const uint32_t shortest_last[PASSES] = {0, 3, 2, 1};
	struct loom_plan plan;
	struct loom_err err = {0};
	make(&plan, fabric, planner);
	struct loom_cycles_search s = {.plan = &plan};
	s.descent.plan = &plan;
	assert_int_equal(loom_descent_count(&s.descent.cycles, &s.descent, NULL), 0);
	const uint64_t before = s.descent.cycles;
	memory_arm(n, false);
	const int code = loom_cycles_order_passes(&s, &err);
	const bool failed = memory_disarm();
	assert_int_equal(code, failed ? LOOM_ENOMEM : 0);
	if (failed && !strstr(err.text, "memory for"))
		fail_msg("allocation %zu fails: %s", n, err.text);
	check_messages(&plan, plain, failed ? NULL : shortest_last);
	uint64_t cycles;
	assert_int_equal(loom_descent_count(&cycles, &s.descent, NULL), 0);
	if (!failed)
		assert_true(cycles == s.descent.cycles && cycles < before);
	loom_plan_free(&plan);
	assert_int_equal(memory_live(), 0);
	return failed;
}

static void test_memory(void **state)
{
	(void)state;
	static const struct {
		const char *fabric, *planner;
	} rows[] = {{"mesh:3x3", "direct"}, {"mesh:3x3", "reroute"}};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct loom_plan plain;
		make(&plain, rows[k].fabric, rows[k].planner);
		assert_int_equal(plain.routes.n, k == 0 ? 0 : MESSAGES);
		size_t n = 1;
		while (order(rows[k].fabric, rows[k].planner, &plain, n))
			n++;
		assert_true(n > 4);
		loom_plan_free(&plain);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
