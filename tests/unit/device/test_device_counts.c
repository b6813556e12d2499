// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Histories of channels: the counts of each channel and pass of a free run, compared with sums that the test computes;
// and contents that are refused.
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

enum { N_PASSES = 2, MOST = 65535 };

static struct loom_image free_image(void)
{
	static uint32_t configs[] = {1u << LOOM_CONFIG_FREE_LOW, 1u << LOOM_CONFIG_FREE_LOW};
	struct loom_image image = fake_image;
	image.free_running = true;
	image.configs = configs;
	return image;
}

static void open_with_histories(struct scene *s)
{
	fake_set_up_link(s);
	s->fake.global[LOOM_REG_HISTORY_RUNS] = HISTORY_ENTRIES;
	s->fake.back_to_back = true;
	assert_int_equal(loom_device_open(&s->device, &s->link, &s->err), 0);
	s->fake.n_calls = 0;
	s->fake.n_writes = 0;
}

static void put(struct scene *s, uint32_t node, uint32_t channel, uint32_t pass, struct loom_count count)
{
	uint32_t *w = &s->fake.history[node][channel][2 * s->fake.n_history[node][channel]++];
	w[0] = pass << LOOM_HISTORY0_PASS_LOW | count.worms << LOOM_HISTORY0_WORMS_LOW;
	w[1] = count.flits << LOOM_HISTORY1_FLITS_LOW | count.blocked_cycles << LOOM_HISTORY1_BLOCKED_LOW;
}

static struct loom_count some_count(uint32_t k)
{
	return (struct loom_count){.worms = 1 + k, .flits = 1000 + 7 * k, .blocked_cycles = 100 + 3 * k};
}

static void test_sums(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	const struct loom_run_options options = {.max_cycles = 0};
	const struct loom_image image = free_image();
	struct loom_count truth[N_PASSES][N_NODES * N_CHANNELS];
	memset(truth, 0, sizeof truth);
	open_with_histories(&s);
	// No entry, one, two of both passes in either order, two of one pass.
	for (uint32_t c = 0; c < N_NODES * N_CHANNELS; c++) {
		static const uint32_t passes[5][HISTORY_ENTRIES] = {{0, 0}, {1, 0}, {0, 1}, {1, 0}, {1, 1}};
		static const uint32_t many[5] = {0, 1, 2, 2, 2};
		for (uint32_t r = 0; r < many[c * 3 % 5]; r++) {
			uint32_t pass = passes[c * 3 % 5][r];
			const struct loom_count k = some_count(2 * c + r);
			put(&s, c / N_CHANNELS, c % N_CHANNELS, pass, k);
			truth[pass][c].worms += k.worms;
			truth[pass][c].flits += k.flits;
			truth[pass][c].blocked_cycles += k.blocked_cycles;
		}
	}
	s.fake.n_runs_of_pass = 3;
	if (loom_device_run(s.device, &image, &options, &t, &s.err) != 0)
		fail_msg("%s", s.err.text);
	assert_int_equal(t.n_channels, N_NODES * N_CHANNELS);
	for (uint32_t pass = 0; pass < N_PASSES; pass++)
		for (uint32_t c = 0; c < t.n_channels; c++) {
			const struct loom_count *a = &t.counts[pass * t.n_channels + c], *b = &truth[pass][c];
			if (a->worms != b->worms || a->flits != b->flits || a->blocked_cycles != b->blocked_cycles)
				fail_msg("channel %u in pass %u: %u, %u, %u instead of %u, %u, %u", c, pass, a->worms,
				         a->flits, a->blocked_cycles, b->worms, b->flits, b->blocked_cycles);
		}
	// One start, of all passes.
	bool first = false, last = false;
	for (size_t i = 0; i < s.fake.n_writes && i < WRITES_KEPT; i++) {
		first = first || (s.fake.writes[i].address == LOOM_REG_FIRST_PASS && s.fake.writes[i].word == 0);
		last = last || (s.fake.writes[i].address == LOOM_REG_LAST_PASS && s.fake.writes[i].word == 1);
	}
	assert_true(first && last);
	assert_int_equal(s.fake.bad, 0);
	loom_trace_free(&t);
	fake_tear_down(&s);
}

// Each field of an entry has its largest value, for any channel and pass.
static void test_full(void **state)
{
	(void)state;
	const struct loom_run_options options = {.max_cycles = 0};
	const struct loom_image image = free_image();
	const struct loom_count full[] = {{MOST, 5, 5}, {5, MOST, 5}, {5, 5, MOST}};
	const struct loom_count not_yet = {MOST - 1, MOST - 1, MOST - 1};
	for (unsigned k = 0; k <= 3; k++) {
		struct scene s;
		struct loom_trace t;
		open_with_histories(&s);
		s.fake.n_runs_of_pass = 3;
		put(&s, 0, 1, 0, not_yet);
		put(&s, 2, 3, 1, k < 3 ? full[k] : not_yet);
		put(&s, 3, 0, 0, k < 3 ? full[k] : not_yet); // not the first
		int code = loom_device_run(s.device, &image, &options, &t, &s.err);
		if (k < 3) {
			assert_fake_failed(&s, code, LOOM_EFIT,
			                   "a count of pass 1 in the history of channel 2.3 stopped at 65535");
		} else {
			assert_int_equal(code, 0);
			loom_trace_free(&t);
		}
		fake_tear_down(&s);
	}
}

static void test_wrong(void **state)
{
	(void)state;
	const struct loom_run_options options = {.max_cycles = 0};
	const struct loom_image image = free_image();
	struct scene s;
	struct loom_trace t;
	open_with_histories(&s);
	s.fake.n_runs_of_pass = 3;
	put(&s, 1, 4, N_PASSES, some_count(1));
	assert_fake_failed(&s, loom_device_run(s.device, &image, &options, &t, &s.err), LOOM_EHARDWARE,
	                   "channel 9 carried a message of pass 2; the plan has 2");
	s.fake.n_history[1][4] = 0;
	s.fake.n_history[3][2] = HISTORY_ENTRIES + 1;
	assert_fake_failed(&s, loom_device_run(s.device, &image, &options, &t, &s.err), LOOM_EHARDWARE,
	                   "the history of channel 3.2 overflowed: its pass changed 3 times, 2 fit");
	fake_tear_down(&s);
}

// Each of a channel's three counters at the most that the board holds.
static void test_counters(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 3; k++)
		for (uint32_t c = 0; c < N_NODES * N_CHANNELS; c += 3) {
			struct scene s;
			char text[80];
			fake_set_up(&s);
			const uint32_t most = (uint32_t)((UINT64_C(1) << loom_device_chip(s.device)->count_bits) - 1);
			s.fake.n_runs_of_pass = 3;
			s.fake.counts[c / N_CHANNELS][4 * (c % N_CHANNELS) + k] = most;
			(void)snprintf(text, sizeof text, "a counter of channel %u.%u stopped at %u", c / N_CHANNELS,
			               c % N_CHANNELS, most);
			refuse_fake_run(&s, NULL, LOOM_EFIT, text);
			fake_tear_down(&s);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_counters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
