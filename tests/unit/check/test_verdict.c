// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verdict without differences, with very many, and on a trace of another shape.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/verdict.h>

#include "unit/help/plan_reference.h"
#include "unit/help/verdict_scene.h"

static void test_equal(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	// In pass 1 message 5 holds 3->1 from cycle 2 to 7, and the header of message 3 waits for it from 3 on.
	assert_int_equal(scene_count_at(&s, 1, 3, 1)->blocked_cycles, 5);
	scene_judge(&s, NO_MORE);
	assert_int_equal(s.verdict.nodes, s.plan.topo.n_nodes);
	assert_int_equal(s.verdict.messages, 6);
	assert_int_equal(s.verdict.flits, 32);
	assert_int_equal(s.verdict.delivered_messages, 6);
	assert_int_equal(s.verdict.delivered_flits, 32);
	assert_int_equal(s.verdict.corrupt_flits, 0);
	assert_int_equal(s.verdict.blocked_cycles, 5);
	assert_int_equal(s.verdict.predicted_blocked_cycles, 5);
	// Nodes: 2 to 3, 1 to 0 to 2; then 2 to 3 to 1, 2 to 0, 3 to 1: the channel 3->1 carries two.
	assert_int_equal(s.verdict.n_groups, 4);
	for (int measured = 0; measured < 2; measured++) {
		const struct loom_group_count *group = measured ? s.verdict.measured : s.verdict.predicted;
		assert_group(&group[0], "dim0", 1, 3);
		assert_group(&group[1], "dim1", 2, 4);
		assert_group(&group[2], "inject", 2, 5);
		assert_group(&group[3], "eject", 2, 5);
	}
	assert_int_equal(s.verdict.predicted_contention, 2);
	assert_int_equal(s.verdict.measured_contention, 2);
	assert_int_equal(s.verdict.predicted_cycles, 7 + 17);
	assert_int_equal(s.verdict.measured_cycles, 7 + 17);
	scene_tear_down(&s);
}

static void test_equal_without_contention(void **state)
{
	(void)state;
	static const uint32_t map[] = {0, 2, 1, 3};
	static const unsigned order[] = {1, 0};
	static const struct loom_plan_message messages[] = {
		{.source = 0, .destination = 3, .flits = 3},
		{.source = 3, .destination = 0, .flits = 8},
		{.source = 1, .destination = 1, .flits = 100},
	};
	struct scene s;
	scene_set_up(&s, "cube:2", map, 2, order, messages, 3, 1);
	scene_judge(&s, NO_MORE);
	assert_int_equal(s.verdict.predicted_cycles, 11);
	assert_int_equal(s.verdict.measured_cycles, 11); // a message to its own node takes no cycles
	assert_int_equal(s.verdict.delivered_flits, 111);
	assert_int_equal(s.verdict.measured_contention, 1);
	scene_tear_down(&s);
}

static void test_equal_without_network(void **state)
{
	(void)state;
	static const uint32_t map[] = {1, 0};
	static const unsigned order[] = {0};
	static const struct loom_plan_message messages[] = {{.source = 0, .destination = 0, .flits = 3},
	                                                    {.source = 1, .destination = 1, .flits = 4}};
	struct scene s;
	for (size_t n = 0; n <= 2; n++) {
		scene_set_up(&s, "cube:1", map, 0, order, messages, n, 1);
		scene_judge(&s, NO_MORE);
		assert_int_equal(s.verdict.delivered_messages, n);
		assert_int_equal(s.verdict.delivered_flits, n == 2 ? 7 : 3 * n);
		assert_int_equal(s.verdict.measured_contention, 0);
		assert_int_equal(s.verdict.measured_cycles, 0);
		// A message that is not in the plan.
		scene_add_arrival(
			&s, (struct loom_arrival){
				    .node = 1, .destination = 1, .number = UINT32_MAX, .flits = 3, .intact = true});
		scene_judge(
			&s,
			"node 1 received, in pass 0, message 4294967295 of node 0 for node 1, which the plan does not "
			"have",
			NO_MORE);
		scene_tear_down(&s);
	}
}

static void test_predict(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	assert_int_equal(loom_verdict_predict(&s.verdict, &s.plan, LOOM_MACHINE_FAST, &s.err), 0);
	assert_int_equal(s.verdict.n_mismatches, 0);
	assert_int_equal(s.verdict.messages, 6);
	assert_int_equal(s.verdict.flits, 32);
	assert_int_equal(s.verdict.predicted_contention, 2);
	assert_group(&s.verdict.predicted[1], "dim1", 2, 4);
	assert_group(&s.verdict.measured[1], "dim1", 0, 0);
	assert_int_equal(s.verdict.delivered_messages, 0);
	assert_int_equal(s.verdict.measured_cycles, 0);
	assert_int_equal(s.verdict.predicted_cycles, 7 + 17);
	assert_int_equal(s.verdict.predicted_blocked_cycles, 5);
	assert_int_equal(s.verdict.blocked_cycles, 0);
	loom_verdict_free(&s.verdict);
	// With timing paper the header of message 3 waits until the buffer behind 3->1 is empty.
	assert_int_equal(loom_verdict_predict(&s.verdict, &s.plan, LOOM_MACHINE_PAPER, &s.err), 0);
	struct plan_reference r;
	assert_int_equal(plan_reference_make(&r, &s.plan, LOOM_MACHINE_PAPER), 0);
	assert_true(r.cycles > 7 + 17);
	assert_int_equal(s.verdict.predicted_cycles, r.cycles);
	assert_int_equal(s.verdict.predicted_blocked_cycles, r.blocked);
	plan_reference_free(&r);
	scene_tear_down(&s);
	loom_verdict_free(NULL);
}

// The trace names the timing of its cycles.
static void test_timing(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	s.trace.machine = LOOM_MACHINE_PAPER;
	loom_verdict_free(&s.verdict);
	assert_int_equal(loom_verdict_make(&s.verdict, &s.plan, &s.trace, &s.err), 0);
	assert_true(s.verdict.n_mismatches > 0);
	assert_non_null(strstr(s.verdict.mismatches[0], "the header of message 3 (0 to 3, pass 1) arrived in cycle 9"));
	assert_true(s.verdict.predicted_cycles > 7 + 17);
	s.trace.machine = LOOM_MACHINE_FAST;
	scene_judge(&s, NO_MORE);
	scene_tear_down(&s);
}

static void test_many(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	while (s.trace.n_arrivals < 5 + 100)
		scene_add_arrival(&s, (struct loom_arrival){.node = 1,
		                                            .source = UINT32_MAX,
		                                            .number = (uint32_t)s.trace.n_arrivals,
		                                            .destination = UINT32_MAX,
		                                            .pass = UINT32_MAX,
		                                            .flits = UINT32_MAX});
	assert_int_equal(loom_verdict_make(&s.verdict, &s.plan, &s.trace, &s.err), 0);
	assert_int_equal(s.verdict.n_mismatches, 100);
	for (unsigned i = 0; i < LOOM_MISMATCHES_KEPT; i++) {
		char text[200];
		(void)snprintf(text, sizeof text,
		               "node 1 received, in pass 4294967295, message %u of node 4294967295 for node "
		               "4294967295, which the plan does not have",
		               5 + i);
		assert_string_equal(s.verdict.mismatches[i], text);
	}
	scene_tear_down(&s);
}

static void test_shapes(void **state)
{
	(void)state;
	struct scene s;
	struct loom_verdict before;
	scene_two_passes(&s);
	memset(&before, 0xa5, sizeof before);
	for (int i = 0; i < 6; i++) {
		struct loom_trace other = s.trace;
		uint32_t *field = i < 2 ? &other.n_nodes : i < 4 ? &other.n_channels : &other.n_passes;
		*field += i % 2 ? 1u : UINT32_MAX;
		struct loom_verdict v = before;
		memset(&s.err, 0, sizeof s.err);
		assert_int_equal(loom_verdict_make(&v, &s.plan, &other, &s.err), LOOM_EINTERNAL);
		assert_int_equal(s.err.code, LOOM_EINTERNAL);
		char says[120];
		(void)snprintf(says, sizeof says, "%u nodes, %u channels, %u passes; the plan 4, 16, 2", other.n_nodes,
		               other.n_channels, other.n_passes);
		assert_non_null(strstr(s.err.text, says));
		assert_memory_equal(&v, &before, sizeof v);
		assert_int_equal(loom_verdict_make(&v, &s.plan, &other, NULL), LOOM_EINTERNAL);
	}
	scene_tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_equal_without_contention),
		cmocka_unit_test(test_equal_without_network),
		cmocka_unit_test(test_predict),
		cmocka_unit_test(test_timing),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_shapes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
