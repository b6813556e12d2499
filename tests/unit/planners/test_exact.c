// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planner exact: messages that conflict pair by pair need a pass each, even if no channel has all of them; the planner
// proves that without a search.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <flitloom/plan.h>

// Round a ring of 9 three messages of four links overlap in one link each; others, the other way round, meet nobody.
static void test_clique(void **state)
{
	(void)state;
	static const struct loom_message all[] = {{.source = 0, .destination = 4, .flits = 4},
	                                          {.source = 3, .destination = 7, .flits = 4},
	                                          {.source = 6, .destination = 1, .flits = 4},
	                                          {.source = 1, .destination = 0, .flits = 4},
	                                          {.source = 5, .destination = 3, .flits = 4}};
	for (size_t n = 3; n <= 5; n++)
		for (uint64_t steps = 0; steps < 2; steps++) {
			struct loom_topo topo;
			struct loom_pattern pattern;
			struct loom_plan plan;
			const struct loom_plan_options by = {.planner = "exact", .most_steps = steps};
			assert_int_equal(loom_topo_parse(&topo, "ring:9", NULL), 0);
			assert_int_equal(loom_pattern_from_messages(&pattern, "list", 9, all, n, NULL), 0);
			assert_int_equal(loom_plan_make(&plan, &topo, &pattern, &by, NULL), 0);
			assert_int_equal(plan.n_passes, 3);
			enum loom_proof proof;
			assert_true(loom_plan_is_optimal(&plan));
			assert_int_equal(loom_plan_passes_least(&proof, &plan), 3);
			assert_string_equal(loom_proof_name(proof), "clique");
			loom_plan_free(&plan);
			loom_pattern_free(&pattern);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_clique)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
