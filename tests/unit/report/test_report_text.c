// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of a map: whole, shortened where there are many nodes, and cut where there is little room.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/plan.h>

#include "report/report_text.h"

static void check(const char *fabric, const char *map, size_t size, const char *words)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_err err = {0};
	char out[80];
	const struct loom_plan_options options = {.map = map};
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	assert_int_equal(loom_pattern_parse(&pattern, "random-perm", topo.n_nodes,
	                                    &(struct loom_pattern_options){.flits = 5}, &err),
	                 0);
	if (loom_plan_make(&plan, &topo, &pattern, &options, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
	memset(out, '#', sizeof out);
	loom_report_map(out, size, &plan);
	assert_string_equal(out, words);
	for (size_t i = size; i < sizeof out; i++)
		assert_int_equal(out[i], '#');
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
}

static void test_map(void **state)
{
	(void)state;
	check("mesh:2x2", "0,1,2,3", 80, "identity");
	check("mesh:2x2", "0,1,3,2", 80, "0,1,3,2");
	check("mesh:4x2", "7,6,5,4,3,2,1,0", 80, "7,6,5,4,3,2,1,0");
	check("mesh:3x3", "8,7,6,5,4,3,2,1,0", 80, "8,7,6,5,4,3,2,1,... (9 nodes)");
	check("mesh:3x3", "8,7,6,5,4,3,2,1,0", 20, "8,7,6,5,4,3,2,1,...");
	check("mesh:3x3", "8,7,6,5,4,3,2,1,0", 16, "8,7,6,5,4,3,2,1");
	check("mesh:3x3", "8,7,6,5,4,3,2,1,0", 4, "8,7");
}

// Orders of a cube's dimensions are never shortened: there are few.
static void test_order(void **state)
{
	(void)state;
	check("cube:3", "0,1,2", 80, "identity");
	check("cube:3", "2,0,1", 80, "2,0,1");
	check("cube:9", "8,7,6,5,4,3,2,1,0", 80, "8,7,6,5,4,3,2,1,0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_map), cmocka_unit_test(test_order)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
