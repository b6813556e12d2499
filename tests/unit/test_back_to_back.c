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

#include <flitloom/back_to_back.h>
#include <flitloom/device.h>
#include <flitloom/image.h>
#include <flitloom/planner.h>
#include <flitloom/verdict.h>

#include "base/rng.h"
#include "networks.h"
#include "random_plans.h"
#include "trace_chip.h"

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
	// The chip turns a network round for each pass or never.
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

// What the chip counts from START is what the plan says, where it says anything; and no run so without being asked.
static void test_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
		struct loom_plan plan;
		struct loom_trace flawless, trace;
		struct loom_image image;
		struct loom_device *device;
		struct loom_verdict verdict;
		struct loom_image_options image_options = {.seed = 3};
		struct loom_run_options options = {.back_to_back = true, .max_cycles = 1000};
		plan_on(&plan, plans[i].fabric, plans[i].pattern, plans[i].planner, NULL, 6, 1);
		assert_int_equal(loom_back_to_back_possible(&plan), plans[i].possible);
		flawless_trace(&flawless, &plan);
		struct trace_chip *chip = trace_chip_new(&plan, &flawless);
		struct loom_link link = trace_chip_link(chip);
		assert_int_equal(loom_device_open(&device, &link, NULL), 0);
		assert_int_equal(loom_image_make(&image, &plan, loom_device_chip(device), &image_options, NULL), 0);
		for (int asked = 0; asked < 2; asked++) {
			options.back_to_back = asked;
			assert_int_equal(loom_device_load(device, &image, NULL), 0);
			assert_int_equal(loom_device_run(device, &image, &options, &trace, NULL), 0);
			assert_int_equal(trace.back_to_back != NULL, asked && plans[i].possible);
			assert_int_equal(loom_verdict_make(&verdict, &plan, &trace, NULL), 0);
			assert_int_equal(verdict.predicted_back_to_back_cycles != 0, plans[i].possible);
			assert_int_equal(verdict.measured_back_to_back_cycles != 0, trace.back_to_back != NULL);
			if (trace.back_to_back) {
				assert_int_equal(trace.back_to_back->n_arrivals, trace.n_arrivals);
				assert_memory_equal(trace.back_to_back->arrivals, trace.arrivals,
				                    trace.n_arrivals * sizeof *trace.arrivals);
				assert_memory_equal(trace.back_to_back->counts,
				                    trace.counts + (size_t)(trace.n_passes - 1) * trace.n_channels,
				                    trace.n_channels * sizeof *trace.counts);
			}
			if (trace.back_to_back && verdict.predicted_back_to_back_cycles != LOOM_CYCLES_UNKNOWN)
				assert_int_equal(verdict.measured_back_to_back_cycles,
				                 verdict.predicted_back_to_back_cycles);
			loom_verdict_free(&verdict);
			loom_trace_free(&trace);
		}
		loom_image_free(&image);
		loom_device_close(device);
		trace_chip_free(chip);
		loom_trace_free(&flawless);
		loom_plan_free(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_possible),
		cmocka_unit_test(test_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
