// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Rules by which a permutation would pass at once: if memory runs out, the call fails and does not say that there are
// none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plan/plan_internal.h"
#include "unit/help/memory/failing_memory.h"

static void test_memory(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:3", "ring:8", "omega:8"};
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++) {
		struct loom_topo topo;
		struct loom_pattern pattern;
		struct loom_plan plan;
		unsigned rules, all_rules;
		bool is_permutation, failed = true;
		const struct loom_pattern_options of_pattern = {.flits = 5};
		const struct loom_plan_options by = {.planner = "direct"};
		assert_int_equal(loom_topo_parse(&topo, fabrics[f], NULL), 0);
		assert_int_equal(loom_pattern_parse(&pattern, "complement", topo.n_nodes, &of_pattern, NULL), 0);
		assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &by, NULL), 0);
		assert_int_equal(loom_plan_one_pass(&all_rules, &is_permutation, &plan, NULL), 0);
		assert_true(is_permutation);
		size_t n = 1;
		for (; failed; n++) {
			struct loom_err err = {0};
			const size_t live = memory_live();
			memory_arm(n, false);
			const int code = loom_plan_one_pass(&rules, &is_permutation, &plan, &err);
			failed = memory_disarm();
			assert_int_equal(memory_live(), live);
			assert_int_equal(code, failed ? LOOM_ENOMEM : 0);
			assert_int_equal(failed, strstr(err.text, "out of memory for the routes of") != NULL);
		}
		assert_true(n > 3);
		assert_int_equal(rules, all_rules);
		assert_true(is_permutation);
		loom_plan_free(&plan);
		loom_pattern_free(&pattern);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
