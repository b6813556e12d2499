// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planners that make other messages: these are put in order with what they say of one another, and relayed as the network needs it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/planner.h>

#include "base/rng.h"
#include "unit/help/networks.h"

// Each message is told by its length. It keeps its place within its pass, and finds the same message that brought its data.
static void test_order(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 5);
	for (unsigned round = 0; round < 200; round++) {
		struct loom_plan plan;
		plan_on(&plan, "cube:3", "bit-reverse", "direct", "identity", 5, 1);
		uint32_t n = (uint32_t)loom_rng_below(&rng, 20), n_passes = 1 + (uint32_t)loom_rng_below(&rng, 6);
		const bool in_place = round % 2;
		uint32_t origin_flits[20], seen = 0;
		struct loom_plan_message *m = calloc(n + 1, sizeof *m);
		assert_non_null(m);
		for (uint32_t i = 0; i < n; i++) {
			m[i].flits = i + 1;
			m[i].pass = (uint32_t)loom_rng_below(&rng, n_passes);
			m[i].from_slot = (uint8_t)loom_rng_below(&rng, 2);
			m[i].origin = (uint32_t)loom_rng_below(&rng, n);
			origin_flits[i] = m[i].from_slot ? m[i].origin + 1 : i + 1;
		}
		if (in_place) {
			free(plan.messages);
			plan.messages = m;
		}
		assert_int_equal(loom_planner_set_messages(&plan, m, n, n_passes, NULL), 0);
		assert_int_equal(plan.n_messages, n);
		assert_int_equal(plan.n_passes, n_passes);
		for (uint32_t i = 0; i < n; i++) {
			const struct loom_plan_message *a = &plan.messages[i];
			assert_true(i == 0 || a[-1].pass < a->pass ||
			            (a[-1].pass == a->pass && a[-1].flits < a->flits));
			assert_int_equal(plan.messages[a->origin].flits, origin_flits[a->flits - 1]);
			seen |= 1u << a->flits;
		}
		assert_int_equal(seen, (2u << n) - 2);
		for (uint32_t p = 0; p < n_passes; p++)
			assert_int_equal(plan.member_of_pass[p], 0);
		loom_plan_free(&plan);
	}
}

// With more passes than a plan can have it does not change.
static void test_too_many(void **state)
{
	(void)state;
	struct loom_plan plan, before;
	struct loom_err err = {0};
	plan_on(&plan, "cube:3", "bit-reverse", "direct", "identity", 5, 1);
	before = plan;
	struct loom_plan_message *m = calloc(1, sizeof *m);
	assert_int_equal(loom_planner_set_messages(&plan, m, 1, UINT32_MAX, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "passes on cube:3: 1 to"));
	assert_int_equal(loom_planner_set_messages(&plan, plan.messages, plan.n_messages, UINT32_MAX, NULL),
	                 LOOM_EINPUT);
	assert_memory_equal(&plan, &before, sizeof plan);
	loom_plan_free(&plan);
}

// Any middle, any slot: the plan holds, and delivers what it did. Messages to oneself may go through others.
static void test_relays(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:2", "omega:4"};
	for (unsigned f = 0; f < 2; f++)
		for (uint32_t source = 0; source < 4; source++)
			for (uint32_t destination = 0; destination < 4; destination++)
				for (uint32_t middle = 0; middle < 4; middle++) {
					struct loom_plan plan;
					plan_on(&plan, fabrics[f], "complement", "direct", "identity", 5, 1);
					const struct loom_plan_message asked = {
						.source = source, .destination = destination, .flits = 7, .rule = 0};
					struct loom_plan_message *m = calloc(3, sizeof *m);
					assert_non_null(m);
					m[0] = (struct loom_plan_message){
						.source = 1, .destination = 2, .flits = 3, .pass = 1};
					size_t n = loom_planner_relay(m, 1, &plan, &asked, middle, 4, 2);
					const bool one = f == 0 && (middle == destination || middle == source);
					assert_int_equal(n, one ? 1 : 2);
					assert_int_equal(m[1].source, source);
					assert_int_equal(m[1].destination, one ? destination : middle);
					assert_int_equal(m[1].pass, one && middle != destination ? 5 : 4);
					assert_int_equal(m[n].destination, destination);
					assert_int_equal(m[1].keep_slot, one ? 0 : 2);
					assert_int_equal(m[n].from_slot, one ? 0 : 2);
					assert_int_equal(m[n].flits, 7);
					assert_int_equal(loom_planner_set_messages(&plan, m, 1 + n, 6, NULL), 0);
					assert_int_equal(loom_plan_root(&plan, n), 1);
					struct loom_err err = {0};
					if (loom_plan_predict(&plan, &err) != 0)
						fail_msg("%s: %u to %u by %u: %s", fabrics[f], source, destination,
						         middle, err.text);
					loom_plan_free(&plan);
				}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_relays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
