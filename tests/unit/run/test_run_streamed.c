// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans that are fed to a chip while it runs: messages that meet nowhere, more than a node's program holds, on a chip which goes wrong where
// it is asked to.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/run.h>

#include "unit/help/stream_link.h"

enum { EACH = 1500, FLITS = 3 };

struct scene {
	struct stream_link chip;
	struct loom_link link;
	struct loom_device *device;
	struct loom_plan plan;
	struct loom_trace trace;
	struct loom_verdict verdict;
	struct loom_err err;
};

// Each node of a cube sends to its neighbour in dimension 0, so no message waits.
static void set_up(struct scene *s)
{
	memset(s, 0, sizeof *s);
	stream_link_set_up(&s->chip, &s->link, "cube:3");
	assert_int_equal(loom_device_open(&s->device, &s->link, &s->err), 0);
	const uint32_t n = s->chip.topo.n_nodes;
	struct loom_message *messages = calloc((size_t)n * EACH, sizeof *messages);
	for (uint32_t i = 0; i < n * EACH; i++)
		messages[i] = (struct loom_message){.source = i % n, .destination = (i % n) ^ 1, .flits = FLITS};
	struct loom_pattern pattern;
	const struct loom_plan_options options = {.planner = "direct", .map = "identity"};
	assert_int_equal(loom_pattern_from_messages(&pattern, "many", n, messages, (size_t)n * EACH, &s->err), 0);
	assert_int_equal(loom_plan_make(&s->plan, &s->chip.topo, &pattern, &options, &s->err), 0);
	loom_pattern_free(&pattern);
	free(messages);
}

static int run(struct scene *s)
{
	const struct loom_image_options image = {.seed = 5};
	return loom_run_plan(&s->trace, &s->verdict, s->device, &s->plan, &image, NULL, &s->err);
}

static void tear_down(struct scene *s)
{
	loom_verdict_free(&s->verdict);
	loom_trace_free(&s->trace);
	loom_plan_free(&s->plan);
	loom_device_close(s->device);
	stream_link_tear_down(&s->chip);
}

static void test_good(void **unused)
{
	(void)unused;
	struct scene s;
	set_up(&s);
	if (run(&s) != 0)
		fail_msg("%s", s.err.text);
	// This chip's headers are a cycle early; tails come when they should.
	if (s.verdict.n_mismatches > s.verdict.n_mismatches_of_cycles)
		fail_msg("%s", s.verdict.mismatches[0]);
	for (size_t i = 0; i < s.trace.n_arrivals; i++)
		assert_int_equal(s.trace.arrivals[i].last_cycle,
		                 s.trace.arrivals[i].number * FLITS + s.trace.arrivals[0].last_cycle);
	assert_int_equal(s.trace.n_arrivals, 8 * EACH);
	tear_down(&s);
}

static void test_faults(void **unused)
{
	(void)unused;
	static const enum stream_fault faults[] = {
		STREAM_LOSE,      STREAM_TWICE,     STREAM_ELSEWHERE, STREAM_READDRESSED,
		STREAM_NO_SOURCE, STREAM_CORRUPT,   STREAM_SIGNATURE, STREAM_SHORT,
		STREAM_OVERTAKEN, STREAM_WORM_MORE, STREAM_FLIT_LESS, STREAM_STUCK,
		STREAM_CLOSED,    STREAM_ENDLESS,   STREAM_LOG_FULL,  STREAM_BROKEN};
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		struct scene s;
		set_up(&s);
		s.chip.fault = faults[i];
		s.chip.fault_at = 2000;
		const int rc = run(&s);
		if (rc == 0 && s.verdict.n_mismatches == s.verdict.n_mismatches_of_cycles)
			fail_msg("fault %d is not noticed", (int)faults[i]);
		tear_down(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_faults)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
