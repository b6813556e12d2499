// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// How long passes back to back take, against a clock that counts their cycles one by one; which plans can be run so; and a
// run of them on a chip of registers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/device.h>
#include <flitloom/link/image.h>
#include <flitloom/planner.h>
#include <flitloom/link/regmap.h>
#include <flitloom/verdict.h>

#include "base/rng.h"
#include "plan/back_to_back_internal.h"
#include "unit/help/networks.h"
#include "unit/help/random_plans.h"
#include "unit/help/trace_chip.h"

// The chip, cycle by cycle: it waits eight before a pass; the pass ends when it has run for nine, and for three after its
// last tail.
static uint64_t play(const uint64_t *cycles, uint32_t n_passes)
{
	uint64_t now = 0;
	for (uint32_t pass = 0; pass < n_passes; pass++) {
		for (int wait = 0; wait < 8; wait++)
			now++;
		for (uint64_t cycle = 1;; cycle++) {
			if (pass == n_passes - 1 && cycles[pass] < cycle)
				break;
			if (cycle > 9 && cycle > cycles[pass] + 3)
				break;
			now++;
		}
	}
	return now;
}

static void test_cycles(void **state)
{
	(void)state;
	uint64_t cycles[20];
	struct loom_rng rng;
	loom_rng_init(&rng, 11);
	assert_int_equal(loom_back_to_back_cycles(NULL, 0), 0);
	for (uint64_t last = 0; last < 30; last++) {
		cycles[0] = last;
		assert_int_equal(loom_back_to_back_cycles(cycles, 1), 8 + last);
		cycles[1] = 5;
		assert_int_equal(loom_back_to_back_cycles(cycles, 2), play(cycles, 2));
	}
	for (unsigned round = 0; round < 2000; round++) {
		uint32_t n = 1 + (uint32_t)loom_rng_below(&rng, 20);
		for (uint32_t i = 0; i < n; i++)
			cycles[i] = loom_rng_below(&rng, 40);
		assert_int_equal(loom_back_to_back_cycles(cycles, n), play(cycles, n));
		cycles[loom_rng_below(&rng, n)] = LOOM_CYCLES_UNKNOWN;
		assert_true(loom_back_to_back_cycles(cycles, n) == LOOM_CYCLES_UNKNOWN);
	}
}

static const struct {
	const char *fabric, *pattern, *planner;
	bool possible;
} plans[] = {
	{"cube:3", "all-to-all", "exchange", true},    {"cube:3", "all-to-all", "direct", false}, // one pass
	{"cube:3", "random-perm", "two_pass", true},   {"cube:3", "fft", "lcc_set", true},
	{"omega:8", "all-to-all", "min_passes", true}, {"omega:8", "all-to-all", "latin", false}, // free
	{"benes:8", "random-perm", "two_pass", true},                                             // both ways in turn
};

static void test_possible(void **state)
{
	(void)state;
	struct loom_plan plan = {.n_passes = 16384};
	assert_int_equal(loom_topo_parse(&plan.topo, "cube:3", NULL), 0);
	assert_true(loom_back_to_back_possible(&plan));
	plan.n_passes++; // a log has 14 bits of them
	assert_false(loom_back_to_back_possible(&plan));
	// The chip changes the direction of a network with each pass, or never.
	struct loom_plan_message m[3] = {{.pass = 0}, {.pass = 1}, {.pass = 2}};
	plan.n_passes = 4;
	plan.messages = m;
	assert_int_equal(loom_topo_parse(&plan.topo, "benes:8", NULL), 0);
	for (unsigned way = 0; way < 8; way++)
		for (plan.n_messages = 0; plan.n_messages < 4; plan.n_messages++) {
			for (unsigned i = 0; i < 3; i++)
				m[i].rule = way >> i & 1;
			bool odd_one_out = (way != 0 && way != 7 && way != 2 && way != 5) && plan.n_messages == 3;
			assert_int_equal(loom_back_to_back_possible(&plan), !odd_one_out);
		}
	m[1].pass = 2; // nothing goes in pass 1
	plan.n_messages = 2;
	m[0].rule = m[1].rule = 1;
	assert_true(loom_back_to_back_possible(&plan));
	m[0].rule = 0;
	assert_false(loom_back_to_back_possible(&plan));
}

// A plan, a chip that runs it without a fault, and the results of the run.
struct scene {
	struct loom_plan plan;
	struct loom_trace flawless, trace;
	struct trace_chip *chip;
	struct loom_link link;
	struct loom_device *device;
	struct loom_image image;
	struct loom_verdict verdict;
};

static void set_up(struct scene *s, size_t i, uint32_t history_runs)
{
	static const struct loom_image_options options = {.seed = 0};
	const struct loom_transfer histories = {.address = LOOM_REG_HISTORY_RUNS, .n_words = 1, .write = &history_runs};
	memset(s, 0, sizeof *s);
	plan_on(&s->plan, plans[i].fabric, plans[i].pattern, plans[i].planner, NULL, 6, 1);
	flawless_trace(&s->flawless, &s->plan, LOOM_MACHINE_FAST);
	s->chip = trace_chip_new(&s->plan, &s->flawless);
	s->link = trace_chip_link(s->chip);
	if (!s->plan.free_running)
		assert_int_equal(s->link.kind->transfer(&s->link, &histories, 1, 1, NULL), 0);
	assert_int_equal(loom_device_open(&s->device, &s->link, NULL), 0);
	assert_int_equal(loom_image_make(&s->image, &s->plan, loom_device_chip(s->device), &options, NULL), 0);
}

static void run(struct scene *s, bool back_to_back)
{
	const struct loom_run_options options = {.back_to_back = back_to_back, .max_cycles = 100000};
	loom_verdict_free(&s->verdict);
	loom_trace_free(&s->trace);
	assert_int_equal(loom_device_load(s->device, &s->image, NULL), 0);
	assert_int_equal(loom_device_run(s->device, &s->image, &options, &s->trace, NULL), 0);
	assert_int_equal(loom_verdict_make(&s->verdict, &s->plan, &s->trace, NULL), 0);
}

static void tear_down(struct scene *s)
{
	loom_verdict_free(&s->verdict);
	loom_trace_free(&s->trace);
	loom_image_free(&s->image);
	loom_device_close(s->device);
	trace_chip_free(s->chip);
	loom_trace_free(&s->flawless);
	loom_plan_free(&s->plan);
}

static void check_back_to_back(const struct scene *s)
{
	const struct loom_trace *t = &s->trace, *b = t->back_to_back;
	const struct loom_count *last = t->counts + (size_t)(t->n_passes - 1) * t->n_channels;
	assert_int_equal(b->n_arrivals, t->n_arrivals);
	assert_memory_equal(b->arrivals, t->arrivals, t->n_arrivals * sizeof *t->arrivals);
	assert_memory_equal(b->sent, t->sent, t->n_nodes * sizeof *t->sent);
	assert_memory_equal(b->counts, last, t->n_channels * sizeof *t->counts);
	if (s->verdict.predicted_back_to_back_cycles != LOOM_CYCLES_UNKNOWN)
		assert_int_equal(s->verdict.measured_back_to_back_cycles, s->verdict.predicted_back_to_back_cycles);
}

// Runs plans from one START: the chip's count equals the plan's, where the plan predicts one, and nothing runs so unasked. Where
// histories have room for the passes that is the only run; either way the trace is the same.
static void test_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
		for (unsigned way = 0; way < 3; way++) {
			struct scene s;
			set_up(&s, i, way == 0 ? 0 : 512);
			const bool asked = way < 2, both = asked && plans[i].possible;
			assert_int_equal(loom_back_to_back_possible(&s.plan), plans[i].possible);
			run(&s, asked);
			assert_int_equal(trace_chip_starts(s.chip), both && way == 1      ? 1
			                                            : s.plan.free_running ? 1
			                                                                  : s.plan.n_passes + both);
			assert_int_equal(s.trace.back_to_back != NULL, both);
			if (s.verdict.n_mismatches)
				fail_msg("%s %s: %s", s.plan.topo.name, s.plan.pattern, s.verdict.mismatches[0]);
			assert_int_equal(s.trace.n_arrivals, s.flawless.n_arrivals);
			assert_memory_equal(s.trace.counts, s.flawless.counts,
			                    (size_t)s.trace.n_passes * s.trace.n_channels * sizeof *s.trace.counts);
			assert_int_equal(s.verdict.predicted_back_to_back_cycles != 0, plans[i].possible);
			assert_int_equal(s.verdict.measured_back_to_back_cycles != 0, both);
			if (both)
				check_back_to_back(&s);
			tear_down(&s);
		}
}

// Histories that may not have counted all of it: passes one by one then, after a reset, and what they bring.
static void test_full(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
		for (unsigned which = 0; plans[i].possible && which < 4; which++) {
			struct scene s;
			set_up(&s, i, 512);
			struct loom_count *c = &s.flawless.counts[s.flawless.n_channels + 1]; // of pass 1
			uint32_t *const counts[] = {&c->worms, &c->flits, &c->blocked_cycles, &c->flits};
			*counts[which] = which == 3 ? 65534 : 65535;
			run(&s, true);
			assert_int_equal(trace_chip_starts(s.chip), which == 3 ? 1 : 1 + s.plan.n_passes);
			assert_memory_equal(s.trace.counts, s.flawless.counts,
			                    (size_t)s.trace.n_passes * s.trace.n_channels * sizeof *s.trace.counts);
			assert_true(s.verdict.n_mismatches > 0); // not as planned
			check_back_to_back(&s);
			tear_down(&s);
		}
}

// A free run has no other witness than its histories: a count that may have stopped is an error that names it, not a
// difference, not even where it is what is planned.
static void test_full_free(void **state)
{
	(void)state;
	const size_t latin = 5;
	for (unsigned which = 0; which < 3; which++)
		for (uint32_t most = 65534; most <= 65535; most++) {
			struct scene s;
			struct loom_err err = {0};
			const struct loom_run_options options = {0};
			set_up(&s, latin, 512);
			assert_true(s.plan.free_running);
			struct loom_count *c = &s.flawless.counts[3 * (size_t)s.flawless.n_channels + 2 * 4 + 1];
			uint32_t *const counts[] = {&c->worms, &c->flits, &c->blocked_cycles};
			*counts[which] = most;
			assert_int_equal(loom_device_load(s.device, &s.image, NULL), 0);
			int code = loom_device_run(s.device, &s.image, &options, &s.trace, &err);
			if (most == 65534) {
				assert_int_equal(code, 0);
				assert_int_equal(loom_verdict_make(&s.verdict, &s.plan, &s.trace, NULL), 0);
				assert_true(s.verdict.n_mismatches > 0);
			} else {
				assert_int_equal(code, LOOM_EFIT);
				assert_string_equal(err.text,
				                    "a count of pass 3 in the history of channel 2.1 stopped at 65535, "
				                    "the most that it holds: send shorter messages, or use a "
				                    "planner with barriers between passes");
			}
			tear_down(&s);
		}
}

// Each count of each pass, wrong by one in the histories, is noticed.
static void test_wrong_count(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
		struct scene s;
		if (!plans[i].possible)
			continue;
		set_up(&s, i, 512);
		for (uint32_t pass = 0; pass < s.plan.n_passes; pass++)
			for (unsigned which = 0; which < 3; which++) {
				const uint32_t channel = pass % s.flawless.n_channels;
				struct loom_count *c =
					&s.flawless.counts[(size_t)pass * s.flawless.n_channels + channel];
				uint32_t *const counts[] = {&c->worms, &c->flits, &c->blocked_cycles};
				++*counts[which];
				run(&s, true);
				assert_int_equal(trace_chip_starts(s.chip), pass * 3 + which + 1);
				const bool may_wait = which == 2 && s.plan.cycles[pass] == LOOM_CYCLES_UNKNOWN;
				assert_true(may_wait || s.verdict.n_mismatches > 0);
				--*counts[which];
			}
		tear_down(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cycles), cmocka_unit_test(test_possible),  cmocka_unit_test(test_run),
		cmocka_unit_test(test_full),   cmocka_unit_test(test_full_free), cmocka_unit_test(test_wrong_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
