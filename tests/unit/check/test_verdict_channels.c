// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verdict on channels: a trace made by hand, with one count wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/verdict.h>

#include "unit/help/verdict_scene.h"

static void test_channel_messages(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	scene_count_at(&s, 1, 3, 1)->worms = 3;
	scene_judge(&s, "channel 3->1 (dim 1) carried 3 messages in pass 1 instead of 2", NO_MORE);
	assert_int_equal(s.verdict.measured_contention, 3);
	assert_int_equal(s.verdict.predicted_contention, 2);
	assert_group(&s.verdict.measured[1], "dim1", 3, 5);
	scene_count_at(&s, 1, 3, 1)->worms = 1;
	scene_judge(&s, "channel 3->1 (dim 1) carried 1 messages in pass 1 instead of 2", NO_MORE);
	assert_int_equal(s.verdict.measured_contention, 1);
	scene_count_at(&s, 1, 3, 1)->worms = 2;
	scene_count_at(&s, 0, 0, 0)->worms = 1; // a channel that no message uses
	scene_judge(&s, "channel 0->1 (dim 0) carried 1 messages in pass 0 instead of 0", NO_MORE);
	scene_count_at(&s, 0, 0, 0)->worms = 0;
	scene_count_at(&s, 0, 3, 2)->worms = 0;
	scene_count_at(&s, 1, 2, 3)->worms = 9; // the nodes' own channels are checked, but do not count as contention
	scene_judge(&s, "channel eject 3 carried 0 messages in pass 0 instead of 1",
	            "channel inject 2 carried 9 messages in pass 1 instead of 2", NO_MORE);
	assert_int_equal(s.verdict.measured_contention, 2);
	scene_tear_down(&s);
}

static void test_channel_flits(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	scene_count_at(&s, 1, 3, 1)->flits--;
	scene_count_at(&s, 0, 0, 0)->flits++;
	scene_judge(&s, "channel 0->1 (dim 0) carried 1 flits in pass 0 instead of 0",
	            "channel 3->1 (dim 1) carried 14 flits in pass 1 instead of 15", NO_MORE);
	scene_tear_down(&s);
}

// The counts of two neighbours are exchanged: a checker that reads the wrong channel would not notice.
static void test_channels_exchanged(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	struct loom_count *a = scene_count_at(&s, 0, 0, 0), *b = scene_count_at(&s, 0, 0, 1), c = *a;
	*a = *b;
	*b = c;
	scene_judge(&s, "channel 0->1 (dim 0) carried 1 messages in pass 0 instead of 0",
	            "channel 0->1 (dim 0) carried 4 flits in pass 0 instead of 0",
	            "channel 0->2 (dim 1) carried 0 messages in pass 0 instead of 1",
	            "channel 0->2 (dim 1) carried 0 flits in pass 0 instead of 4", NO_MORE);
	scene_tear_down(&s);
}

static void test_passes_exchanged(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	struct loom_count *a = scene_count_at(&s, 0, 2, 1), *b = scene_count_at(&s, 1, 2, 1), c = *a;
	*a = *b;
	*b = c;
	scene_judge(&s, "channel 2->0 (dim 1) carried 1 messages in pass 0 instead of 0",
	            "channel 2->0 (dim 1) carried 1 flits in pass 0 instead of 0",
	            "channel 2->0 (dim 1) carried 0 messages in pass 1 instead of 1",
	            "channel 2->0 (dim 1) carried 0 flits in pass 1 instead of 1", NO_MORE);
	scene_tear_down(&s);
}

static void test_blocked(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	scene_count_at(&s, 0, 1, 0)->blocked_cycles = 2; // where no header waits
	scene_count_at(&s, 1, 3, 1)->blocked_cycles = 4; // where messages contend
	scene_judge(&s, "headers waited 2 cycles for channel 1->0 (dim 0) in pass 0 instead of 0",
	            "headers waited 4 cycles for channel 3->1 (dim 1) in pass 1 instead of 5", NO_MORE);
	assert_int_equal(s.verdict.blocked_cycles, 6);
	assert_int_equal(s.verdict.predicted_blocked_cycles, 5);
	scene_count_at(&s, 0, 1, 0)->blocked_cycles = 0;
	scene_count_at(&s, 1, 3, 1)->blocked_cycles = UINT32_MAX;
	scene_judge(&s, "headers waited 4294967295 cycles for channel 3->1 (dim 1) in pass 1 instead of 5", NO_MORE);
	scene_count_at(&s, 0, 3, 1)->blocked_cycles = 5; // in the other pass
	scene_count_at(&s, 1, 3, 1)->blocked_cycles = 0;
	scene_judge(&s, "headers waited 5 cycles for channel 3->1 (dim 1) in pass 0 instead of 0",
	            "headers waited 0 cycles for channel 3->1 (dim 1) in pass 1 instead of 5", NO_MORE);
	scene_tear_down(&s);
}

static void test_theory(void **state)
{
	(void)state;
	struct scene s;
	scene_two_passes(&s);
	// dim0, dim1, inject, eject of each pass. Nothing is said of channels that carry nothing.
	static const uint32_t theory[] = {1, 1, 1, 1, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX};
	s.plan.n_theory = 8;
	s.plan.theory = malloc(sizeof theory);
	assert_non_null(s.plan.theory);
	memcpy(s.plan.theory, theory, sizeof theory);
	scene_judge(&s, NO_MORE);
	s.plan.theory[1] = 2;
	scene_judge(&s, "channel 0->2 (dim 1) carried 1 messages in pass 0; the theorem says 2 for dim1", NO_MORE);
	s.plan.theory[1] = 0;
	scene_judge(&s, "channel 0->2 (dim 1) carried 1 messages in pass 0; the theorem says 0 for dim1", NO_MORE);
	s.plan.theory[1] = 1;
	s.plan.theory[7] = 1;
	scene_judge(&s, "channel eject 1 carried 2 messages in pass 1; the theorem says 1 for eject", NO_MORE);
	s.plan.theory[7] = UINT32_MAX;
	scene_count_at(&s, 0, 2, 0)->worms = 2; // differs from plan and theorem
	scene_judge(&s, "channel 2->3 (dim 0) carried 2 messages in pass 0 instead of 1",
	            "channel 2->3 (dim 0) carried 2 messages in pass 0; the theorem says 1 for dim0", NO_MORE);
	scene_tear_down(&s);
}

// All messages are late, and there is another difference: the verdict names that one first, and counts all.
static void test_structure_first(void **state)
{
	(void)state;
	static const uint32_t map[] = {0, 2, 1, 3};
	enum { N = 3 * 4 * 3 };
	struct loom_plan_message messages[N];
	for (uint32_t i = 0; i < N; i++)
		messages[i] = (struct loom_plan_message){
			.pass = i / 12, .source = i / 3 % 4, .destination = (i / 3 + i % 3 + 1) % 4, .flits = 4};
	const unsigned order[] = {1, 0};
	for (size_t n_late = 0; n_late <= N; n_late++) {
		struct scene s;
		scene_set_up(&s, "cube:2", map, 2, order, messages, N, 3);
		assert_int_equal(s.trace.n_arrivals, N);
		scene_remove_arrival(&s, N - 1);
		for (size_t i = 0; i < n_late && i < N - 1; i++) {
			scene_arrival_of(&s, i)->first_cycle++;
			scene_arrival_of(&s, i)->last_cycle++;
		}
		const size_t n_of_cycles = 2 * (n_late < N - 1 ? n_late : N - 1) + (n_late == N);
		scene_count_at(&s, 2, 3, 3)->flits++;
		if (n_late == N)
			scene_count_at(&s, 0, 0, 0)->blocked_cycles++;
		assert_int_equal(loom_verdict_make(&s.verdict, &s.plan, &s.trace, &s.err), 0);
		assert_string_equal(s.verdict.mismatches[0], "message 35 (3 to 2, pass 2) never arrived");
		assert_string_equal(s.verdict.mismatches[1],
		                    "channel inject 3 carried 13 flits in pass 2 instead of 12");
		assert_int_equal(s.verdict.n_mismatches, 2 + n_of_cycles);
		assert_int_equal(s.verdict.n_mismatches_of_cycles, n_of_cycles);
		for (size_t i = 0; i < n_of_cycles && i < LOOM_MISMATCHES_KEPT - 2;
		     i++) { // in the order in which they were found
			char says[60];
			(void)snprintf(says, sizeof says, i == 2 * (N - 1) ? "headers waited" : "message %zu (", i / 2);
			if (!strstr(s.verdict.mismatches[2 + i], says))
				fail_msg("\"%s\" does not say \"%s\"", s.verdict.mismatches[2 + i], says);
		}
		scene_tear_down(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_channel_messages),
		cmocka_unit_test(test_channel_flits),
		cmocka_unit_test(test_channels_exchanged),
		cmocka_unit_test(test_passes_exchanged),
		cmocka_unit_test(test_blocked),
		cmocka_unit_test(test_theory),
		cmocka_unit_test(test_structure_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
