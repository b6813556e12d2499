// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verdict on a run back to back beside the one pass by pass.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/verdict.h>

#include "unit/help/plan_reference.h"
#include "unit/help/verdict_scene.h"

// The two passes once more from one start. Their last tails arrive in cycles 7 and 17: pass 1 begins 8 + (7 + 3) + 8
// cycles after the start.
static struct loom_trace *set_up_back_to_back(struct scene *s)
{
	scene_two_passes(s);
	const struct loom_trace *t = &s->trace;
	struct loom_trace *b = calloc(1, sizeof *b);
	assert_non_null(b);
	*b = *t;
	b->began = 26;
	b->arrivals = calloc(ROOM, sizeof *b->arrivals);
	b->counts = calloc(t->n_channels, sizeof *b->counts);
	b->sent = calloc(t->n_nodes, sizeof *b->sent);
	b->corrupt = calloc(t->n_nodes, sizeof *b->corrupt);
	assert_true(b->arrivals && b->counts && b->sent && b->corrupt);
	memcpy(b->arrivals, t->arrivals, t->n_arrivals * sizeof *t->arrivals);
	memcpy(b->counts, t->counts + t->n_channels, t->n_channels * sizeof *t->counts);
	memcpy(b->sent, t->sent, t->n_nodes * sizeof *t->sent);
	s->trace.back_to_back = b;
	return b;
}

static void test_back_to_back(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace *b = set_up_back_to_back(&s);
	scene_judge(&s, NO_MORE);
	assert_int_equal(s.verdict.predicted_back_to_back_cycles, 43);
	assert_int_equal(s.verdict.measured_back_to_back_cycles, 43);
	assert_int_equal(s.verdict.delivered_messages, 6); // not twice
	assert_int_equal(s.verdict.delivered_flits, 32);

	b->began = 25;
	scene_judge(&s, "back to back: the last tail arrived in cycle 42 of the run; its passes and barriers take 43",
	            NO_MORE);
	assert_int_equal(s.verdict.measured_back_to_back_cycles, 42);
	b->began = 26;

	b->counts[3 * 4 + 1].blocked_cycles = 2; // node 3, dim1
	scene_judge(&s,
	            "back to back: headers waited 2 cycles for channel 3->1 (dim 1) in the last pass; pass by pass it "
	            "was 5",
	            NO_MORE);
	b->counts[3 * 4 + 1].flits = 14;
	scene_judge(&s,
	            "back to back: channel 3->1 (dim 1) carried 2 messages and 14 flits in the last pass; pass by pass "
	            "it was 2 and 15",
	            "back to back: headers waited 2 cycles for channel 3->1 (dim 1) in the last pass; pass by pass it "
	            "was 5",
	            NO_MORE);
	b->counts[3 * 4 + 1].flits = 15;
	b->counts[3 * 4 + 1].blocked_cycles = 5;

	b->arrivals[4].first_cycle += 2;
	b->arrivals[4].last_cycle += 2;
	scene_judge(&s, "back to back: the header of message 5 (1 to 3, pass 1) arrived in cycle 5 instead of 3",
	            "back to back: message 5 (1 to 3, pass 1) was complete in cycle 10 instead of 8", NO_MORE);
	b->arrivals[2].last_cycle++; // with it the run is longer
	scene_judge(&s, "back to back: message 3 (0 to 3, pass 1) was complete in cycle 18 instead of 17",
	            "back to back: the header of message 5 (1 to 3, pass 1) arrived in cycle 5 instead of 3",
	            "back to back: message 5 (1 to 3, pass 1) was complete in cycle 10 instead of 8", NO_MORE);
	scene_tear_down(&s);

	b = set_up_back_to_back(&s);
	b->n_arrivals--; // the second to last tail is also missing: pass 1 still ends in cycle 17
	scene_judge(&s, "back to back: message 5 (1 to 3, pass 1) never arrived", NO_MORE);
	b->sent[3] = 0;
	b->corrupt[2] = 3;
	scene_judge(&s, "back to back: node 3 sent 0 messages instead of 1",
	            "back to back: message 5 (1 to 3, pass 1) never arrived",
	            "back to back: channel eject 2 delivered 3 corrupted flits", NO_MORE);
	scene_tear_down(&s);

	b = set_up_back_to_back(&s); // the first of each kind of difference
	b->counts[0].blocked_cycles++;
	scene_judge(&s,
	            "back to back: headers waited 1 cycles for channel 0->1 (dim 0) in the last pass; pass by pass it "
	            "was 0",
	            NO_MORE);
	b->counts[0].blocked_cycles--;
	const struct loom_arrival late = s.trace.arrivals[4];
	s.trace.arrivals[4] = b->arrivals[4] = s.trace.arrivals[0];
	s.trace.arrivals[0] = b->arrivals[0] = late;
	scene_judge(&s, NO_MORE);
	b->arrivals[0].first_cycle += 2;
	b->arrivals[0].last_cycle += 2;
	scene_judge(&s, "back to back: the header of message 5 (1 to 3, pass 1) arrived in cycle 5 instead of 3",
	            "back to back: message 5 (1 to 3, pass 1) was complete in cycle 10 instead of 8", NO_MORE);
	b->arrivals[0].first_cycle -= 2;
	b->arrivals[0].last_cycle -= 2;
	// A node may log messages that come at the same time in another order.
	const struct loom_arrival first = b->arrivals[0];
	b->arrivals[0] = b->arrivals[1];
	b->arrivals[1] = first;
	scene_judge(
		&s,
		"back to back: node 2 received message 0 of node 1 in pass 0; pass by pass it was message 0 of node 3 "
		"in pass 1, at node 1",
		"back to back: node 1 received message 0 of node 3 in pass 1; pass by pass it was message 0 of node 1 "
		"in pass 0, at node 2",
		NO_MORE);
	scene_tear_down(&s);

	b = set_up_back_to_back(&s); // late only when the passes ran one by one
	s.trace.arrivals[4].first_cycle++;
	scene_judge(
		&s, "the header of message 5 (1 to 3, pass 1) arrived in cycle 4 instead of 3",
		"back to back: node 1 received message 0 of node 3 in pass 1, cycles 3 to 8; pass by pass it was in "
		"cycles 4 to 8",
		NO_MORE);
	scene_tear_down(&s);

	b = set_up_back_to_back(&s); // late in both, with another difference
	s.trace.arrivals[4].first_cycle++;
	b->arrivals[4].first_cycle++;
	s.trace.sent[0] = 3;
	b->sent[3] = 0;
	scene_judge(&s, "node 0 sent 3 messages instead of 0", "back to back: node 3 sent 0 messages instead of 1",
	            "the header of message 5 (1 to 3, pass 1) arrived in cycle 4 instead of 3",
	            "back to back: the header of message 5 (1 to 3, pass 1) arrived in cycle 4 instead of 3", NO_MORE);
	scene_tear_down(&s);

	b = set_up_back_to_back(&s); // only the passes one by one had one too many
	scene_add_arrival(&s, s.trace.arrivals[0]);
	scene_judge(&s, "message 0 (0 to 1, pass 0) arrived 2 times, again at node 3", NO_MORE);
	scene_tear_down(&s);

	b = set_up_back_to_back(&s); // a trace of the wrong shape
	b->n_passes = 1;
	assert_int_equal(loom_verdict_make(&s.verdict, &s.plan, &s.trace, &s.err), LOOM_EINTERNAL);
	scene_tear_down(&s);

	scene_two_passes(&s); // the plan did not run back to back
	scene_judge(&s, NO_MORE);
	assert_int_equal(s.verdict.measured_back_to_back_cycles, 0);
	scene_tear_down(&s);
}

// Differences beyond those that are kept are counted, those of this run too.
static void test_many_back_to_back(void **state)
{
	(void)state;
	for (uint32_t n = LOOM_MISMATCHES_KEPT - 1; n <= LOOM_MISMATCHES_KEPT + 30; n++) {
		struct scene s;
		struct loom_trace *b = set_up_back_to_back(&s);
		while (b->n_arrivals < s.trace.n_arrivals + n)
			b->arrivals[b->n_arrivals++] = (struct loom_arrival){.node = 1,
			                                                     .source = UINT32_MAX,
			                                                     .number = (uint32_t)b->n_arrivals,
			                                                     .destination = UINT32_MAX,
			                                                     .pass = UINT32_MAX,
			                                                     .flits = UINT32_MAX};
		assert_int_equal(loom_verdict_make(&s.verdict, &s.plan, &s.trace, &s.err), 0);
		assert_int_equal(s.verdict.n_mismatches, n);
		for (uint32_t i = 0; i < n && i < LOOM_MISMATCHES_KEPT; i++)
			assert_non_null(
				strstr(s.verdict.mismatches[i], "back to back: node 1 received, in pass 4294967295"));
		scene_tear_down(&s);
	}
}

// The prediction is the cycle of the last tail (see above) of the machine's passes, in both timings.
static void test_predicted(void **state)
{
	(void)state;
	struct scene s;
	struct loom_verdict v;
	struct plan_reference r;
	scene_two_passes(&s);
	assert_int_equal(loom_verdict_predict(&v, &s.plan, LOOM_MACHINE_FAST, NULL), 0);
	assert_int_equal(v.predicted_back_to_back_cycles, 43);
	assert_int_equal(v.measured_back_to_back_cycles, 0);
	assert_int_equal(v.predicted_cycles, 24);
	loom_verdict_free(&v);
	assert_int_equal(plan_reference_make(&r, &s.plan, LOOM_MACHINE_PAPER), 0);
	assert_true(r.last[1] > 17);
	assert_int_equal(loom_verdict_predict(&v, &s.plan, LOOM_MACHINE_PAPER, NULL), 0);
	assert_int_equal(v.predicted_back_to_back_cycles, 26 + r.last[1]);
	loom_verdict_free(&v);
	plan_reference_free(&r);
	scene_tear_down(&s);
	// One pass, and a free run, always have one start. Otherwise a pass lasts at least nine cycles.
	static const uint32_t map[] = {0, 1};
	static const unsigned order[] = {0};
	static const struct loom_plan_message messages[] = {{.source = 0, .destination = 1, .flits = 3},
	                                                    {.pass = 1, .source = 0, .destination = 1, .flits = 3}};
	for (uint32_t n = 1; n <= 2; n++) {
		scene_set_up(&s, "cube:1", map, 1, order, messages, n, n);
		for (int is_free = 0; is_free <= 1; is_free++) {
			s.plan.free_running = is_free;
			assert_int_equal(loom_verdict_predict(&v, &s.plan, LOOM_MACHINE_FAST, NULL), 0);
			assert_int_equal(v.predicted_back_to_back_cycles, n == 2 && !is_free ? 8 + 9 + 8 + 5 : 0);
			assert_int_equal(v.predicted_cycles, n == 1 ? 5 : is_free ? 8 : 10);
			loom_verdict_free(&v);
		}
		scene_tear_down(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_back_to_back),
		cmocka_unit_test(test_many_back_to_back),
		cmocka_unit_test(test_predicted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
