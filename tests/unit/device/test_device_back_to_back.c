// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Devices run all passes from one start, with histories and without.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <flitloom/device.h>
#include <flitloom/link/regmap.h>

#include "unit/help/fake_device.h"

// Runs the passes one by one, then all of them from one start: checks the writes in their order, the results, and the
// text of a failure.
static void test_run_back_to_back(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	struct loom_run_options options = {.back_to_back = true};
	fake_set_up(&s);
	s.fake.back_to_back = true;
	s.fake.between = 1000;
	fake_put_log(&s, 3, 0, 0, 5u | 1u << 16, 20, 80);
	s.fake.counts[1][4 * 2 + 1] = 17;
	assert_int_equal(loom_device_run(s.device, &fake_image, &options, &t, &s.err), 0);
	// A reset clears only these of the loaded words; the map and the programs stay.
	const struct write wanted[] = {
		{LOOM_REG_FIRST_PASS, 0}, {LOOM_REG_LAST_PASS, 0}, {LOOM_REG_CONTROL, 1},    {LOOM_REG_FIRST_PASS, 1},
		{LOOM_REG_LAST_PASS, 1},  {LOOM_REG_CONTROL, 1},   {LOOM_REG_CONTROL, 2},    {LOOM_REG_CONFIG, 1},
		{LOOM_REG_SEED, 77},      {LENGTH_OF(2u), 1},      {LOOM_REG_FIRST_PASS, 0}, {LOOM_REG_LAST_PASS, 1},
		{LOOM_REG_CONTROL, 1},
	};
	assert_int_equal(s.fake.n_writes, sizeof wanted / sizeof wanted[0]);
	assert_memory_equal(s.fake.writes, wanted, sizeof wanted);
	assert_non_null(t.back_to_back);
	assert_int_equal(t.back_to_back->began, 1000);
	assert_int_equal(t.back_to_back->n_passes, 2);
	assert_int_equal(t.back_to_back->n_arrivals, 1);
	assert_int_equal(t.back_to_back->arrivals[0].last_cycle, 80);
	assert_int_equal(t.back_to_back->counts[N_CHANNELS + 2].flits, 17);
	loom_trace_free(&t);

	// Beyond 32 bits: the counter has wrapped around.
	s.fake.n_runs_of_pass = 3;
	s.fake.cycles_per_run = 0x40000000u;
	s.fake.between = 0x50000000u;
	assert_int_equal(loom_device_run(s.device, &fake_image, &options, &t, &s.err), 0);
	assert_true(t.back_to_back->began == 0x50000000u);
	loom_trace_free(&t);

	s.fake.cycles_per_run = 20;
	s.fake.n_runs_of_pass = 5;
	s.fake.between = 207;

	// Only the host can write between passes, so passes with such writes do not run back to back; neither does a single pass.
	uint32_t configs[] = {1, 1};
	struct loom_image other = fake_image;
	other.configs = configs;
	assert_int_equal(loom_device_run(s.device, &other, &options, &t, &s.err), 0);
	assert_null(t.back_to_back);
	loom_trace_free(&t);
	other = fake_image;
	other.n_passes = 1;
	assert_int_equal(loom_device_run(s.device, &other, &options, &t, &s.err), 0);
	assert_null(t.back_to_back);
	loom_trace_free(&t);
	fake_tear_down(&s);
}

static void open_with_histories(struct scene *s)
{
	fake_set_up_link(s);
	s->fake.global[LOOM_REG_HISTORY_RUNS] = 2;
	s->fake.back_to_back = true;
	assert_int_equal(loom_device_open(&s->device, &s->link, &s->err), 0);
	s->fake.n_calls = 0;
}

// One start is enough if the chip keeps histories of all passes; the limit is still for each pass.
static void test_run_with_histories(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	struct loom_run_options options = {.back_to_back = true, .max_cycles = 80};
	open_with_histories(&s);
	fake_put_log(&s, 3, 0, 0, 5u | 1u << 16, 20, 80);
	s.fake.global[LOOM_REG_CONFIG] = 1;
	s.fake.n_runs_of_pass = 14;
	s.fake.turn_at = s.fake.tear_at = 7;
	assert_int_equal(loom_device_run(s.device, &fake_image, &options, &t, &s.err), 0);
	const struct write wanted[] = {{LOOM_REG_CONFIG, 1 | 1u << LOOM_CONFIG_RECORD_LOW},
	                               {LOOM_REG_FIRST_PASS, 0},
	                               {LOOM_REG_LAST_PASS, 1},
	                               {LOOM_REG_CONTROL, 1}};
	assert_int_equal(s.fake.n_writes, sizeof wanted / sizeof wanted[0]);
	assert_memory_equal(s.fake.writes, wanted, sizeof wanted);
	assert_int_equal(t.n_arrivals, 1);
	assert_int_equal(t.back_to_back->n_arrivals, 1);
	assert_memory_equal(t.arrivals, t.back_to_back->arrivals, sizeof *t.arrivals);
	assert_int_equal(t.back_to_back->began, 14 * 20 - 141);
	loom_trace_free(&t);
	s.fake.n_runs_of_pass = 16;
	refuse_fake_run(&s, &options, LOOM_ELIMIT, "pass 1 is not done after 161 cycles; the limit is 80");
	s.fake.turn_at = s.fake.tear_at = 0;
	refuse_fake_run(&s, &options, LOOM_ELIMIT, "pass 0 is not done after 160 cycles; the limit is 80");
	options.max_cycles = 0;
	s.fake.end = 3;
	s.fake.turn_at = 5;
	refuse_fake_run(&s, &options, LOOM_ESTUCK, "stuck in pass 1: ");
	s.fake.end = 2;

	// If there are two runs, the error names the one that failed. There are two if histories are too short, or the
	// chip keeps none.
	for (int way = 0; way < 2; way++) {
		struct loom_image longer = fake_image;
		longer.n_passes += way == 0;
		s.fake.no_record = way == 1;
		s.fake.n_runs_of_pass = 2;
		s.fake.turn_at = 0;
		s.fake.n_writes = 0;
		assert_int_equal(loom_device_run(s.device, &longer, &options, &t, &s.err), 0);
		assert_int_equal(s.fake.n_writes, (longer.n_passes + 1) * 3 + 4 + (way == 1));
		assert_non_null(t.back_to_back);
		loom_trace_free(&t);
	}
	fake_tear_down(&s);

	// The link fails at each call in turn; the last calls read the numbers of entries.
	options.max_cycles = 80;
	for (unsigned k = 1;; k++) {
		open_with_histories(&s);
		s.fake.fail_at = k;
		int code = loom_device_run(s.device, &fake_image, &options, &t, &s.err);
		if (code == 0)
			loom_trace_free(&t);
		else
			assert_fake_failed(&s, code, LOOM_ELINK, "fails at call");
		fake_tear_down(&s);
		if (code == 0) {
			assert_int_equal(k, 2 + 5 + 1 + 1 + 1 + 1);
			break;
		}
	}
}

// If histories make one run enough, the releases are those of that run.
static void test_releases_with_histories(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	const struct loom_run_options options = {.back_to_back = true};
	uint32_t entries[N_NODES] = {0, 2, 0, 1};
	struct loom_image image = fake_image;
	image.entries = entries;
	open_with_histories(&s);
	s.fake.global[LOOM_REG_TIMING] = LOOM_CHIP_TIMED;
	for (uint32_t u = 0; u < N_NODES; u++)
		for (uint32_t i = 0; i < TIME_WORDS; i++)
			s.fake.time[u][1][i] = 100 * u + i;
	s.fake.n_runs_of_pass = 14;
	s.fake.turn_at = s.fake.tear_at = 7;
	assert_int_equal(loom_device_run(s.device, &image, &options, &t, &s.err), 0);
	static const size_t first[] = {0, 0, 2, 2, 3};
	static const uint32_t released[] = {100, 101, 300};
	assert_non_null(t.back_to_back);
	for (int k = 0; k < 2; k++) {
		const struct loom_trace *of = k ? t.back_to_back : &t;
		assert_memory_equal(of->first_entry, first, sizeof first);
		assert_memory_equal(of->released, released, sizeof released);
	}
	assert_true(t.released != t.back_to_back->released);
	loom_trace_free(&t);
	fake_tear_down(&s);
}

// At every call in turn.
static void test_run_back_to_back_link_fails(void **state)
{
	(void)state;
	const struct loom_run_options options = {.back_to_back = true};
	unsigned k = 1;
	for (;; k++) {
		struct scene s;
		struct loom_trace t;
		fake_set_up(&s);
		fake_put_log(&s, 0, 0, 0, 1, 2, 2);
		s.fake.back_to_back = true;
		s.fake.fail_at = k;
		if (k > 14) // in the run back to back
			refuse_fake_run(&s, &options, LOOM_ELINK, "fails at call");
		else if (loom_device_run(s.device, &fake_image, &options, &t, &s.err) == 0)
			fail_msg("no failure at call %u", k);
		fake_tear_down(&s);
		if (k == 14 + 2 + 5 + 1 + 2)
			break;
	}
	struct scene s;
	struct loom_trace t;
	fake_set_up(&s);
	fake_put_log(&s, 0, 0, 0, 1, 2, 2);
	s.fake.back_to_back = true;
	// The passes one by one as usual; then load and read back, start, two calls of run with a read of STATUS each,
	// counters, nodes, logs.
	assert_int_equal(loom_device_run(s.device, &fake_image, &options, &t, &s.err), 0);
	assert_int_equal(s.fake.n_calls, 2 * (1 + 4 + 1) + 2 + 2 + 5 + 1 + 2);
	loom_trace_free(&t);
	fake_tear_down(&s);
}

static bool give_up_back_to_back(void *user, const struct loom_progress *p)
{
	struct loom_progress *first = user;
	if (p->stage != LOOM_STAGE_RUN || !p->back_to_back)
		return false;
	*first = *p;
	return true;
}

// The progress callback is called before the run back to back begins, and can still stop it.
static void test_told_before(void **state)
{
	(void)state;
	const struct loom_run_options options = {.back_to_back = true};
	struct scene s;
	struct loom_progress first = {.done = 77};
	fake_set_up(&s);
	s.fake.back_to_back = true;
	loom_device_watch(s.device, give_up_back_to_back, &first);
	refuse_fake_run(&s, &options, LOOM_ETIMEOUT, "given up in pass 0 at cycle 0");
	assert_int_equal(first.done, 0);
	assert_int_equal(first.total, fake_image.n_passes);
	assert_int_equal(first.cycle, 0);
	for (size_t i = 0; i < s.fake.n_writes; i++)
		assert_false(s.fake.writes[i].address == LOOM_REG_LAST_PASS && s.fake.writes[i].word == 1 &&
		             s.fake.writes[i - 1].word == 0);
	fake_tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run_back_to_back),
		cmocka_unit_test(test_run_with_histories),
		cmocka_unit_test(test_releases_with_histories),
		cmocka_unit_test(test_run_back_to_back_link_fails),
		cmocka_unit_test(test_told_before),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
