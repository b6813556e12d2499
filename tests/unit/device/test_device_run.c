// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Devices run pass by pass: what comes back, limits, chips that get stuck, and a link that fails at each call in turn.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/device.h>
#include <flitloom/link/regmap.h>

#include "unit/help/fake_device.h"

static void test_run(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	fake_set_up(&s);
	// Header: destination 0xd, source 0x6, rule 1, slot 3, number 0x15555 (21 bits).
	fake_put_log(&s, 1, 0, 0xdu | 6u << 4 | 1u << 8 | 3u << 9 | 0x15555u << 11, 17u | 0x2abcu << 16 | 3u << 30, 4,
	             21);
	fake_put_log(&s, 1, 1, 0xffffffff, 0xffffu | 1u << 16, 5, 0xfffffffe);
	fake_put_log(&s, 3, 0, 0, 1u | 1u << 31, 2, 2);
	for (uint32_t v = 0; v < N_NODES; v++) {
		s.fake.node[v][LOOM_WINDOW_SENT_COUNT & 0xffff] = 10 + v;
		s.fake.node[v][LOOM_WINDOW_CORRUPT_COUNT & 0xffff] = 0x80000000u + v;
		for (uint32_t i = 0; i < 4 * N_CHANNELS; i++)
			s.fake.counts[v][i] = 1000 * v + i;
	}
	assert_int_equal(loom_device_run(s.device, &fake_image, NULL, &t, &s.err), 0);
	assert_int_equal(t.n_nodes, N_NODES);
	assert_int_equal(t.n_channels, N_NODES * N_CHANNELS);
	assert_int_equal(t.n_passes, 2);
	for (uint32_t c = 0; c < 2 * t.n_channels; c++) {
		uint32_t first = 1000 * (c % t.n_channels / N_CHANNELS) + 4 * (c % N_CHANNELS);
		assert_int_equal(t.counts[c].worms, first);
		assert_int_equal(t.counts[c].flits, first + 1);
		assert_int_equal(t.counts[c].blocked_cycles, first + 2);
	}
	for (uint32_t v = 0; v < N_NODES; v++) {
		assert_int_equal(t.sent[v], 10 + v);
		assert_int_equal(t.corrupt[v], 0x80000000u + v);
	}
	assert_int_equal(t.n_arrivals, 3);
	const struct loom_arrival expected[] = {
		{.node = 1,
	         .source = 6,
	         .number = 0x15555,
	         .destination = 0xd,
	         .pass = 0x2abc,
	         .flits = 17,
	         .first_cycle = 4,
	         .last_cycle = 21,
	         .intact = true},
		{.node = 1,
	         .source = 15,
	         .number = 0x1fffff,
	         .destination = 15,
	         .pass = 1,
	         .flits = 0xffff,
	         .first_cycle = 5,
	         .last_cycle = 0xfffffffe,
	         .intact = false},
		{.node = 3, .flits = 1, .first_cycle = 2, .last_cycle = 2, .intact = true},
	};
	for (size_t i = 0; i < 3; i++) {
		const struct loom_arrival *a = &t.arrivals[i], *e = &expected[i];
		assert_int_equal(a->node, e->node);
		assert_int_equal(a->source, e->source);
		assert_int_equal(a->number, e->number);
		assert_int_equal(a->destination, e->destination);
		assert_int_equal(a->pass, e->pass);
		assert_int_equal(a->flits, e->flits);
		assert_int_equal(a->first_cycle, e->first_cycle);
		assert_int_equal(a->last_cycle, e->last_cycle);
		assert_int_equal(a->intact, e->intact);
		assert_int_equal(a->logged_pass, e->pass);
		assert_int_equal(a->signature, fake_signature(a->node, i == 1));
	}
	loom_trace_free(&t);

	// Pass by pass.
	const struct write wanted[] = {{LOOM_REG_FIRST_PASS, 0}, {LOOM_REG_LAST_PASS, 0}, {LOOM_REG_CONTROL, 1},
	                               {LOOM_REG_FIRST_PASS, 1}, {LOOM_REG_LAST_PASS, 1}, {LOOM_REG_CONTROL, 1}};
	assert_int_equal(s.fake.n_writes, 6);
	assert_memory_equal(s.fake.writes, wanted, sizeof wanted);
	fake_tear_down(&s);
	loom_trace_free(NULL);
}

// Chips with other widths of flits and labels: bits above the flit, or that the log does not keep, do not belong to the
// number.
static void test_run_widths(void **state)
{
	(void)state;
	static const struct {
		uint32_t flit, label, rule, destination, source, number;
	} widths[] = {
		{16, 4, 1, 0xf, 0xf, 0x1f},     {64, 4, 1, 0xf, 0xf, 0x1fffff}, {64, 14, 1, 0x3fff, 0x3fff, 1},
		{36, 16, 1, 0xffff, 0xffff, 0}, {12, 4, 1, 0xf, 0xf, 1},        {22, 1, 1, 1, 1, 0x1ffff},
		{32, 4, 4, 0xf, 0xf, 0x3ffff},  {22, 5, 3, 0x1f, 0x1f, 0x7f},
	};
	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
		struct scene s;
		struct loom_trace t;
		fake_set_up_link(&s);
		s.fake.global[LOOM_REG_FLIT_BITS] = widths[i].flit;
		s.fake.global[LOOM_REG_LABEL_BITS] = widths[i].label;
		s.fake.global[LOOM_REG_RULE_BITS] = widths[i].rule;
		assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
		fake_put_log(&s, 0, 0, 0xffffffff, 0, 0, 0);
		assert_int_equal(loom_device_run(s.device, &fake_image, NULL, &t, &s.err), 0);
		assert_int_equal(t.n_arrivals, 1);
		assert_int_equal(t.arrivals[0].destination, widths[i].destination);
		assert_int_equal(t.arrivals[0].source, widths[i].source);
		assert_int_equal(t.arrivals[0].number, widths[i].number);
		if (2 * widths[i].label + widths[i].rule <= 32)
			assert_int_equal(t.arrivals[0].rule, (1u << widths[i].rule) - 1);
		loom_trace_free(&t);
		fake_tear_down(&s);
	}
}

static void test_run_long_logs(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	fake_set_up(&s);
	for (uint32_t v = 0; v < N_NODES; v++)
		for (uint32_t i = 0; i < LOG_DEPTH; i++)
			fake_put_log(&s, v, i, i << 11, v, i, i);
	s.fake.node[2][LOOM_WINDOW_LOG_COUNT & 0xffff] = LOG_DEPTH + 1; // the count goes on, but the log holds no more
	refuse_fake_run(&s, NULL, LOOM_EHARDWARE, "node 2 received 513 messages; its log holds 512");
	s.fake.node[2][LOOM_WINDOW_LOG_COUNT & 0xffff] = LOG_DEPTH;
	for (uint32_t v = 3; v < N_NODES; v++)
		s.fake.node[v][LOOM_WINDOW_LOG_COUNT & 0xffff] = 0;
	assert_int_equal(loom_device_run(s.device, &fake_image, NULL, &t, &s.err), 0);
	assert_int_equal(t.n_arrivals, 3 * LOG_DEPTH);
	for (uint32_t i = 0; i < 3 * LOG_DEPTH; i++) {
		assert_int_equal(t.arrivals[i].node, i / LOG_DEPTH);
		assert_int_equal(t.arrivals[i].number, i % LOG_DEPTH);
		assert_int_equal(t.arrivals[i].flits, i / LOG_DEPTH);
		assert_int_equal(t.arrivals[i].signature, fake_signature(i / LOG_DEPTH, i % LOG_DEPTH));
	}
	loom_trace_free(&t);
	loom_device_close(s.device); // a chip without signatures is not asked for them
	s.fake.global[LOOM_REG_SIGNATURE_BITS] = 0;
	assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
	s.fake.n_writes = 0;
	assert_int_equal(loom_device_run(s.device, &fake_image, NULL, &t, &s.err), 0);
	assert_int_equal(t.payload.signature_bits, 0);
	for (uint32_t i = 0; i < t.n_arrivals; i++)
		assert_int_equal(t.arrivals[i].signature, 0);
	loom_trace_free(&t);

	// A faulty image starts nothing: no passes, no nodes, or for another chip.
	const struct loom_image wrong[] = {
		{0}, {.n_nodes = N_NODES}, {.n_passes = 1, .n_nodes = N_NODES + 1}, {.n_passes = 1}};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char says[80];
		(void)snprintf(says, sizeof says, "an image of %u passes for %u nodes: one that", wrong[i].n_passes,
		               wrong[i].n_nodes);
		struct loom_trace before;
		memset(&t, 0x5a, sizeof t);
		memcpy(&before, &t, sizeof t);
		assert_fake_failed(&s, loom_device_run(s.device, &wrong[i], NULL, &t, &s.err), LOOM_EINPUT, says);
		assert_memory_equal(&t, &before, sizeof t);
	}
	assert_int_equal(s.fake.n_writes, 6);
	fake_tear_down(&s);
}

// Reads the arrivals of a run that was given up, and their passes.
static void test_logs(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	uint32_t pass = 77;
	fake_set_up(&s);
	const struct loom_run_options options = {.max_cycles = 50};
	s.fake.n_runs_of_pass = UINT32_MAX;
	fake_put_log(&s, 2, 0, 5u << 11 | 1u << 4 | 2u, 3u, 4, 6);
	refuse_fake_run(&s, &options, LOOM_ELIMIT, "pass 0 is not done");
	s.fake.global[LOOM_REG_PASS] = 1;
	assert_int_equal(loom_device_logs(s.device, &fake_image, &pass, &t, &s.err), 0);
	assert_int_equal(pass, 1);
	assert_int_equal(t.n_channels, 0);
	assert_int_equal(t.n_arrivals, 1);
	assert_int_equal(t.arrivals[0].number, 5);
	assert_int_equal(t.arrivals[0].signature, fake_signature(2, 0));
	assert_int_equal(t.payload.state_bits, 32);
	assert_int_equal(t.payload.flit_bits, 32);
	assert_int_equal(t.payload.label_bits, 4);
	assert_int_equal(t.payload.seed, fake_image.seed);
	loom_trace_free(&t);
	unsigned calls = s.fake.n_calls;
	for (unsigned k = 1; k <= 3; k++) {
		s.fake.fail_at = calls + k;
		s.fake.n_calls = calls;
		struct loom_trace before;
		memset(&before, 0xa5, sizeof before);
		t = before;
		pass = 77;
		assert_int_equal(loom_device_logs(s.device, &fake_image, &pass, &t, &s.err), LOOM_ELINK);
		assert_int_equal(pass, 77);
		assert_memory_equal(&t, &before, sizeof t);
	}
	fake_tear_down(&s);
}

// Reads what the channels have carried so far; on failure the output does not change.
static void test_counts(void **state)
{
	(void)state;
	struct scene s;
	struct loom_count counts[N_NODES * N_CHANNELS + 1], before[N_NODES * N_CHANNELS + 1];
	uint32_t pass = 77;
	fake_set_up(&s);
	s.fake.global[LOOM_REG_COUNT_BITS] = 12;
	loom_device_close(s.device);
	assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
	s.fake.global[LOOM_REG_PASS] = 1;
	for (uint32_t v = 0; v < N_NODES; v++)
		for (uint32_t i = 0; i < 4 * N_CHANNELS; i++)
			s.fake.counts[v][i] = 100 * v + i;
	memset(before, 0xa5, sizeof before);
	memcpy(counts, before, sizeof counts);
	s.fake.n_reads = 0;
	assert_int_equal(loom_device_counts(s.device, &pass, counts, &s.err), 0);
	assert_int_equal(pass, 1);
	assert_int_equal(s.fake.n_reads, 1 + 4 * N_NODES * N_CHANNELS);
	for (uint32_t c = 0; c < N_NODES * N_CHANNELS; c++) {
		assert_int_equal(counts[c].worms, 100 * (c / N_CHANNELS) + 4 * (c % N_CHANNELS));
		assert_int_equal(counts[c].flits, counts[c].worms + 1);
	}
	assert_memory_equal(&counts[N_NODES * N_CHANNELS], before, sizeof *counts);
	assert_int_equal(counts[2 * N_CHANNELS + 3].worms, 212);
	assert_int_equal(counts[2 * N_CHANNELS + 3].blocked_cycles, 214);
	memcpy(counts, before, sizeof counts);
	pass = 77;
	unsigned calls = s.fake.n_calls;
	for (unsigned k = 1; k <= 3; k++) {
		s.fake.fail_at = calls + k;
		s.fake.n_calls = calls;
		if (k == 3) // no failure of the link: a counter has stopped
			s.fake.counts[2][4 * 3 + 1] = 4095;
		assert_int_equal(loom_device_counts(s.device, &pass, counts, &s.err), k == 3 ? LOOM_EFIT : LOOM_ELINK);
		assert_int_equal(pass, 77);
		assert_memory_equal(counts, before, sizeof counts);
	}
	fake_tear_down(&s);
}

static void test_run_stuck(void **state)
{
	(void)state;
	struct scene s;
	fake_set_up(&s);
	s.fake.end = 3;
	refuse_fake_run(&s, NULL, LOOM_ESTUCK,
	                "stuck in pass 0: messages are outstanding and no flit moves; headers wait for no channel");
	assert_null(strchr(s.err.text, '.'));
	s.fake.counts[0][4 * 2 + 3] = 1;
	refuse_fake_run(&s, NULL, LOOM_ESTUCK, "headers wait for channels (tile.channel) 0.2");
	s.fake.counts[2][4 * 0 + 3] = 1;
	s.fake.counts[3][4 * 4 + 3] = 1;
	refuse_fake_run(&s, NULL, LOOM_ESTUCK, " 0.2, 2.0, 3.4");
	for (uint32_t c = 0; c < N_CHANNELS; c++)
		s.fake.counts[1][4 * c + 3] = 1;
	refuse_fake_run(&s, NULL, LOOM_ESTUCK, " 0.2, 1.0, 1.1, 1.2");
	assert_null(strstr(s.err.text, "1.3"));
	// The text depends on the last word of each channel alone.
	for (uint32_t i = 0; i < 4 * N_CHANNELS; i++)
		s.fake.counts[0][i] = s.fake.counts[1][i] = i % 4 != 3;
	s.fake.counts[2][3] = s.fake.counts[3][4 * 4 + 3] = 0;
	refuse_fake_run(&s, NULL, LOOM_ESTUCK, "headers wait for no channel");
	fake_tear_down(&s);
}

static void test_waiting(void **state)
{
	(void)state;
	struct scene s;
	uint32_t out[N_NODES * N_CHANNELS];
	size_t n = 77;
	fake_set_up(&s);
	assert_int_equal(loom_device_waiting(s.device, out, N_NODES * N_CHANNELS, &n, &s.err), 0);
	assert_int_equal(n, 0);
	for (uint32_t v = 0; v < N_NODES; v++)
		for (uint32_t c = 0; c < N_CHANNELS; c++)
			s.fake.counts[v][4 * c + 3] = 1;
	for (size_t max = 0; max <= N_NODES * N_CHANNELS; max++) {
		memset(out, 0xff, sizeof out);
		assert_int_equal(loom_device_waiting(s.device, out, max, &n, &s.err), 0);
		assert_int_equal(n, max);
		for (size_t i = 0; i < N_NODES * N_CHANNELS; i++)
			assert_int_equal(out[i], i < max ? i : UINT32_MAX);
	}
	s.fake.fail_at = s.fake.n_calls + 1;
	n = 77;
	int code = loom_device_waiting(s.device, out, N_NODES * N_CHANNELS, &n, &s.err);
	assert_fake_failed(&s, code, LOOM_ELINK, "fails");
	assert_int_equal(n, 77);
	fake_tear_down(&s);
}

static void test_run_stands_still(void **state)
{
	(void)state;
	struct scene s;
	const struct loom_run_options options = {.timeout_ms = 30};
	fake_set_up(&s);
	s.fake.n_runs_of_pass = UINT32_MAX;
	s.fake.cycles_per_run = 0;
	s.fake.sleep_ms = 1;
	refuse_fake_run(&s, &options, LOOM_ETIMEOUT, "pass 0 does not run: the chip is in state 1 at cycle 0");
	// While it counts it may take longer than that.
	s.fake.cycles_per_run = 1;
	s.fake.n_runs_of_pass = 100;
	struct loom_trace t;
	assert_int_equal(loom_device_run(s.device, &fake_image, &options, &t, &s.err), 0);
	loom_trace_free(&t);
	fake_tear_down(&s);
}

static void test_run_does_not_start(void **state)
{
	(void)state;
	struct scene s;
	fake_set_up(&s);
	s.fake.end = 0; // idle again, as after a reset
	refuse_fake_run(&s, NULL, LOOM_ETIMEOUT, "pass 0 does not run: the chip is in state 0");
	fake_tear_down(&s);
}

static void test_run_limit(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	struct loom_run_options options = {.max_cycles = 50};
	fake_set_up(&s);
	s.fake.n_runs_of_pass = 7; // calls of 20 cycles each
	refuse_fake_run(&s, &options, LOOM_ELIMIT, "pass 0 is not done after 120 cycles; the limit is 50");
	options.max_cycles = 80; // per pass; its last tail may have come 60 cycles before its end
	assert_int_equal(loom_device_run(s.device, &fake_image, &options, &t, &s.err), 0);
	loom_trace_free(&t);
	s.fake.n_runs_of_pass = UINT32_MAX;
	refuse_fake_run(&s, &options, LOOM_ELIMIT, "pass 0 is not done after 160 cycles; the limit is 80");

	// Exact to the cycle, by the tails in the nodes' logs.
	s.fake.n_runs_of_pass = 5;
	fake_put_log(&s, 3, 0, 0, 5u | 1u << 16, 20, 80);
	assert_int_equal(loom_device_run(s.device, &fake_image, &options, &t, &s.err), 0);
	loom_trace_free(&t);
	options.max_cycles = 79;
	refuse_fake_run(&s, &options, LOOM_ELIMIT, "pass 1: a tail arrived at node 3 in cycle 80; the limit is 79");

	// A counter that wraps around.
	s.fake.cycles_per_run = 0xf0000000u;
	options.max_cycles = UINT64_C(0x200000000);
	refuse_fake_run(&s, &options, LOOM_ELIMIT, "not done after 12079595520 cycles");
	s.fake.n_runs_of_pass = 3;
	options.max_cycles = UINT64_C(0x2d0000000);
	refuse_fake_run(&s, &options, LOOM_EFIT,
	                "pass 0 took 12079595520 cycles; the chip's logs hold cycles up to 4294967295");
	fake_tear_down(&s);

	// Small logs, small counters.
	fake_set_up_link(&s);
	s.fake.global[LOOM_REG_CYCLE_BITS] = 8;
	s.fake.global[LOOM_REG_COUNT_BITS] = 12;
	assert_int_equal(loom_device_open(&s.device, &s.link, &s.err), 0);
	s.fake.cycles_per_run = 1;
	s.fake.n_runs_of_pass = 255;
	assert_int_equal(loom_device_run(s.device, &fake_image, NULL, &t, &s.err), 0);
	loom_trace_free(&t);
	s.fake.n_runs_of_pass = 256;
	refuse_fake_run(&s, NULL, LOOM_EFIT, "pass 0 took 256 cycles; the chip's logs hold cycles up to 255");
	s.fake.n_runs_of_pass = 2;
	s.fake.counts[2][4 * 3 + 1] = 4094;
	assert_int_equal(loom_device_run(s.device, &fake_image, NULL, &t, &s.err), 0);
	loom_trace_free(&t);
	s.fake.counts[2][4 * 3 + 1] = 4095;
	refuse_fake_run(&s, NULL, LOOM_EFIT, "a counter of channel 2.3 stopped at 4095");
	fake_tear_down(&s);
}

static void test_run_overflows(void **state)
{
	(void)state;
	struct scene s;
	fake_set_up(&s);
	s.fake.end = 2u | 1u << LOOM_STATUS_LOG_FULL_LOW;
	refuse_fake_run(&s, NULL, LOOM_EHARDWARE, "a node's log overflowed in pass 0");
	s.fake.end = 2u | 1u << LOOM_STATUS_STORE_FULL_LOW;
	refuse_fake_run(&s, NULL, LOOM_EHARDWARE, "a slot of a node's store overflowed in pass 0");
	fake_tear_down(&s);
}

// The link fails at every call in turn, in a run that ends well and in one that gets stuck.
static void test_run_link_fails(void **state)
{
	(void)state;
	for (uint32_t end = 2; end <= 3; end++) {
		unsigned k = 1;
		for (;; k++) {
			struct scene s;
			struct loom_trace t, before;
			memset(&before, 0xa5, sizeof before);
			t = before;
			fake_set_up(&s);
			fake_put_log(&s, 0, 0, 0, 1, 2, 2);
			fake_put_log(&s, 2, 1, 0, 1, 2, 2);
			s.fake.end = end;
			s.fake.fail_at = k;
			int code = loom_device_run(s.device, &fake_image, NULL, &t, &s.err);
			int failed = s.fake.n_calls >= k;
			if (failed)
				assert_fake_failed(&s, code, LOOM_ELINK, "fails at call");
			else
				assert_int_equal(code, end == 2 ? 0 : LOOM_ESTUCK);
			if (code)
				assert_memory_equal(&t, &before, sizeof t);
			else
				loom_trace_free(&t);
			fake_tear_down(&s);
			if (!failed)
				break;
		}
		// Per pass the start, 2 runs with a look at the status each, the counters; then the nodes' counts,
		// and their logs.
		assert_int_equal(k - 1, end == 2 ? 2 * (1 + 4 + 1) + 2 : 1 + 4 + 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_run_widths),
		cmocka_unit_test(test_run_long_logs),
		cmocka_unit_test(test_logs),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_run_stuck),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_run_stands_still),
		cmocka_unit_test(test_run_does_not_start),
		cmocka_unit_test(test_run_limit),
		cmocka_unit_test(test_run_overflows),
		cmocka_unit_test(test_run_link_fails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
