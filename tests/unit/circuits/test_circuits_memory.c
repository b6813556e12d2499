// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules of circuits, by each planner, with and without relays: every allocation fails once. The call reports it and
// leaks nothing, and in the end the schedule is that of a call without failures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/circuits.h>

#include "unit/help/demands.h"
#include "unit/help/memory/failing_memory.h"

static void check(const struct loom_demand *d, const struct loom_circuit_options *o)
{
	struct loom_circuit_schedule all, some;
	struct loom_err err = {0};
	bool failed = true;
	size_t n = 1;
	assert_int_equal(loom_circuit_plan(&all, d, o, &err), 0);
	for (; failed; n++) {
		const size_t live = memory_live();
		memory_arm(n, false);
		const int code = loom_circuit_plan(&some, d, o, &err);
		failed = memory_disarm();
		if (code != (failed ? LOOM_ENOMEM : 0) || (failed && memory_live() != live))
			fail_msg("%s, allocation %zu: %d, %s", o->planner, n, code, err.text);
	}
	assert_true(n > 5);
	assert_true(some.makespan == all.makespan && some.n_parcels == all.n_parcels);
	assert_int_equal(loom_circuit_check(&some, d, &err), 0);
	loom_circuit_schedule_free(&some);
	loom_circuit_schedule_free(&all);
}

static void test_memory(void **state)
{
	(void)state;
	for (unsigned run = 0; run < 6; run++) {
		struct loom_demand d;
		struct loom_circuit_options o = {.n_switches = 1 + run % 2,
		                                 .dark = 3,
		                                 .relay = run % 3 == 2,
		                                 .relay_cycles = 4,
		                                 .seed = run,
		                                 .budget = 2000};
		random_demand(&d, 4 + run, 2, 20, run);
		for (size_t k = 0; (o.planner = loom_circuit_planner_name(k)); k++)
			check(&d, &o);
		loom_demand_free(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
