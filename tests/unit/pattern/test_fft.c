// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The parallel FFT of [Hou01], section 6.2: its times in cycles, its programs, what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/timing.h>
#include <flitloom/math/fft.h>

#include "unit/help/golden_file.h"

static const struct loom_fft_costs hou = LOOM_FFT_COSTS_DEFAULT;

static void succeed(int rc, const struct loom_err *err)
{
	if (rc != 0)
		fail_msg("%s", err->text);
}

static unsigned bits_of(uint32_t x)
{
	unsigned n = 0;
	for (; x; x &= x - 1)
		n++;
	return n;
}

// No message waits for a channel: one of F flits over h hops arrives F + h cycles after the cycle in which it begins.
static void play_alone(uint64_t *tail, const uint64_t *begin, const struct loom_pattern *p)
{
	for (size_t i = 0; i < p->n_messages; i++) {
		const struct loom_message *m = &p->messages[i];
		unsigned hops = bits_of(m->source ^ m->destination);
		tail[i] = hops == 0 ? 0 : begin[i] + m->flits + hops;
	}
}

static uint64_t largest(const uint64_t *end, uint32_t n)
{
	uint64_t most = 0;
	for (uint32_t v = 0; v < n; v++)
		most = end[v] > most ? end[v] : most;
	return most;
}

// The times follow from tails, and these from the times: from any start they settle after as many rounds as there are stages.
static uint64_t settle(const struct loom_fft *fft)
{
	size_t n = LOOM_FFT_MESSAGES(fft);
	uint64_t *begin = calloc(n, sizeof *begin), *tail = calloc(n, sizeof *tail),
		 *end = calloc(fft->n_nodes, sizeof *end);
	assert_true(begin && tail && end);
	for (unsigned round = 0; round <= fft->n_dims + 1; round++) {
		struct loom_err err;
		struct loom_pattern p;
		loom_fft_begin(begin, end, fft, tail);
		succeed(loom_fft_pattern(&p, fft, begin, end, &err), &err);
		play_alone(tail, begin, &p);
		loom_pattern_free(&p);
	}
	uint64_t total = largest(end, fft->n_nodes);
	free(begin);
	free(tail);
	free(end);
	return total;
}

// Free of contention: [Hou01]'s Table 2 after mapping, to the cycle.
static void test_golden(void **state)
{
	json_t *file = golden_json("000_wormhole.json"), *table = json_object_get(file, "fft_no_barrier"),
	       *totals = json_object_get(table, "total_cycles_mapping");
	(void)state;
	assert_int_equal(json_array_size(totals), 4);
	for (unsigned d = 0; d < 4; d++) {
		struct loom_err err;
		struct loom_fft fft;
		succeed(loom_fft_make(&fft, 256, UINT64_C(256) << 2 * d, &hou, &err), &err);
		assert_int_equal(fft.flits, (16U << 2 * d) + 1);
		assert_int_equal(settle(&fft), golden_element(totals, d));
	}
	json_decref(file);
}

// Programs, entry by entry, of 8 processors with 4 points each: d is 1.
static void test_program(void **state)
{
	struct loom_err err;
	struct loom_fft fft;
	struct loom_pattern p;
	uint64_t begin[32], end[8], tail[32] = {0};
	(void)state;
	succeed(loom_fft_make(&fft, 8, 32, &hou, &err), &err);
	assert_int_equal(fft.n_dims, 3);
	assert_int_equal(fft.n_local, 1);
	assert_int_equal(fft.software, 288);
	assert_int_equal(fft.local, 18);  // 2 * 5.12 / 0.57 = 17.96
	assert_int_equal(fft.remote, 32); // 4 * 4.47 / 0.57 = 31.4
	assert_int_equal(fft.computing, 2 * 18 + 3 * 32);
	tail[3] = 500; // to processor 6, for 110 is 011 backwards
	loom_fft_begin(begin, end, &fft, tail);
	assert_int_equal(begin[3], 289);
	assert_int_equal(begin[8 + 6], 500 + 18 + 288 + 1);
	assert_int_equal(begin[8 + 7], begin[8 + 6]); // its partner in bit 0
	assert_int_equal(begin[8 + 4], 18 + 288 + 1);
	succeed(loom_fft_pattern(&p, &fft, begin, end, &err), &err);
	assert_int_equal(p.n_messages, 32);
	const size_t *first = p.timing->first;
	const struct loom_gate *gate = p.timing->gate;
	assert_int_equal(first[3 + 1] - first[3], 1);
	assert_int_equal(gate[first[3]].kind, LOOM_GATE_AT);
	assert_int_equal(gate[first[3]].value, 289);
	assert_int_equal(first[8 + 6 + 1] - first[8 + 6], 2);
	assert_int_equal(gate[first[8 + 6]].kind, LOOM_GATE_WAIT);
	assert_int_equal(gate[first[8 + 6]].source, 3);
	assert_int_equal(gate[first[8 + 6]].value, 1);
	assert_int_equal(first[8 + 7 + 1] - first[8 + 7], 1); // its bit reversal was to itself
	assert_int_equal(first[32 + 5 + 1] - first[32 + 5], 2);
	assert_int_equal(gate[first[32 + 5]].source, 5 ^ 4);
	assert_int_equal(gate[first[32 + 5] + 1].value, end[5]);
	loom_pattern_free(&p);
}

// If nothing takes any time, the programs are still ones that can be run: before all tails are known some end in cycle
// 0.
static void test_nothing_takes_time(void **state)
{
	struct loom_err err;
	struct loom_fft fft;
	struct loom_pattern p;
	uint64_t begin[32], end[8];
	const uint64_t tail[32] = {0};
	(void)state;
	succeed(loom_fft_make(&fft, 8, 8, &hou, &err), &err);
	fft.software = fft.local = fft.remote = 0;
	loom_fft_begin(begin, end, &fft, tail);
	assert_int_equal(begin[0], 1);
	assert_int_equal(end[0], 0);
	succeed(loom_fft_pattern(&p, &fft, begin, end, &err), &err);
	succeed(loom_timing_check(p.timing, p.n_nodes, p.messages, p.n_messages, &err), &err);
	loom_pattern_free(&p);
}

static void test_costs(void **state)
{
	static const char *const bad[] = {"",
	                                  "flit",
	                                  "flit=0",
	                                  "flit=1.5",
	                                  "cycle=0",
	                                  "cycle=0.0000009",
	                                  "software=-1",
	                                  "half=1,half=2",
	                                  "whole=3",
	                                  "point=1000001",
	                                  "point=0"};
	struct loom_fft_costs c = hou;
	struct loom_err err;
	(void)state;
	succeed(loom_fft_costs_parse(&c, "flit=4,software=0,cycle=0.5", &err), &err);
	assert_int_equal(c.flit_bytes, 4);
	assert_true(c.software_us == 0 && c.cycle_us == 0.5 && c.half_us == 4.47 && c.point_bytes == 16);
	succeed(loom_fft_costs_parse(&c, "cycle=0.000001", &err), &err); // the least
	for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
		struct loom_fft_costs same = hou;
		if (loom_fft_costs_parse(&same, bad[k], &err) != LOOM_EINPUT)
			fail_msg("\"%s\" is taken", bad[k]);
		assert_true(strstr(err.text, "costs: ") == err.text);
		assert_true(same.flit_bytes == 1 && same.point_bytes == 16 && same.half_us == 4.47);
	}
}

static void test_refused(void **state)
{
	static const struct {
		uint32_t nodes;
		uint64_t points;
	} bad[] = {{1, 0}, {6, 0}, {8, 16}, {8, 4}, {8, 24}, {8, UINT64_C(1) << 41}, {2, UINT64_C(1) << 39}};
	struct loom_fft fft = {0};
	struct loom_err err;
	(void)state;
	for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
		assert_int_equal(loom_fft_make(&fft, bad[k].nodes, bad[k].points, &hou, &err), LOOM_EINPUT);
	assert_int_equal(fft.n_nodes, 0);
	succeed(loom_fft_make(&fft, 2, 0, &hou, &err), &err);
	assert_int_equal(fft.points, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_nothing_takes_time),
		cmocka_unit_test(test_costs),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
