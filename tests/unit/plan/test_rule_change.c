// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Objective cycles tries other rules for messages where rules lead them other ways, and where the request leaves that open.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/planner.h>

#include "plan/cycles/cycles.h"

static bool is_open(const char *fabric, unsigned takes, const char *rule, size_t n_routes)
{
	struct loom_plan plan = {.routes = {.n = n_routes}};
	struct loom_err err = {0};
	const struct loom_planner planner = {.takes = takes};
	const struct loom_plan_options options = {.rule = rule};
	if (loom_topo_parse(&plan.topo, fabric, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
	const struct loom_cycles_search s = {.plan = &plan, .options = &options, .planner = &planner};
	const bool open = loom_rule_change_is_open(&s);
	loom_topo_free(&plan.topo);
	return open;
}

static void test_fabrics(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		bool open;
	} rows[] = {
		{"line:6", false}, // there is one way
		{"cube:1", false},
		{"ring:6", true}, // the short way or round
		{"ring:6v2", true},
		{"mesh:3x3", true}, // columns or rows first
		{"torus:3x3", true},
		{"cube:2", true},
		{"table-mesh:3x3", true},
		{"table-mesh:3x3v2", true},
		{"graph:tests/e2e/graphs/chords.txt", false},
		{"graph:tests/e2e/graphs/chords.txt:v2", false}, // the ends of a message set its rule
		{"table-cube:1", false},
		{"table-cube:1v2", true}, // in one lane or the other
		{"table-cube:1v4", true},
		{"omega:8", false},
		{"benes:8", false},
		{"otis-mesh:4", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (is_open(rows[i].fabric, LOOM_TAKES_RULES, NULL, 0) != rows[i].open)
			fail_msg("%s is %s", rows[i].fabric, rows[i].open ? "closed" : "open");
}

static void test_requests(void **state)
{
	(void)state;
	assert_true(is_open("mesh:3x3", LOOM_TAKES_RULES | LOOM_TAKES_TIMING, NULL, 0));
	assert_false(is_open("mesh:3x3", LOOM_TAKES_TIMING, NULL, 0));
	assert_false(is_open("mesh:3x3", LOOM_TAKES_RULES, "ascending", 0));
	assert_false(is_open("mesh:3x3", LOOM_TAKES_RULES, NULL, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_fabrics), cmocka_unit_test(test_requests)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
