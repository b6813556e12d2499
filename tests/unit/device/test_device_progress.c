// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The progress callback of a device: its calls, and stopping by it.
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

struct told {
	unsigned n, stop_at; // calls; stop_at: the call, from 1, that stops the device
	struct loom_progress last;
	unsigned ends;    // bit s: a call reported stage s with done == total
	bool bad;         // a stage after a later one, or less done than before
	uint64_t n_words; // of all stages but the run, when they ended
};

static bool tell(void *user, const struct loom_progress *p)
{
	struct told *told = user;
	told->bad |= p->total == 0 || p->done > p->total || p->stage < told->last.stage;
	if (p->stage == told->last.stage && told->n)
		told->bad |= p->done < told->last.done || p->total != told->last.total;
	if (p->done == p->total) {
		told->ends |= 1u << p->stage;
		told->n_words += p->stage == LOOM_STAGE_RUN ? 0 : p->total;
	}
	told->last = *p;
	return ++told->n == told->stop_at;
}

// Load and run with the callback: every stage is reported from its beginning to its end, and the device does the same
// work.
static void test_progress(void **state)
{
	(void)state;
	struct scene watched, other;
	struct loom_trace t, u;
	struct told told = {0};
	fake_set_up(&watched);
	fake_set_up(&other);
	loom_device_watch(watched.device, tell, &told);
	for (uint32_t i = 0; i < 3; i++) {
		fake_put_log(&watched, 2, i, 0, 1, 2, 2);
		fake_put_log(&other, 2, i, 0, 1, 2, 2);
	}
	assert_int_equal(loom_device_load(watched.device, &fake_image, &watched.err), 0);
	assert_int_equal(loom_device_load(other.device, &fake_image, &other.err), 0);
	assert_int_equal(watched.fake.n_writes + watched.fake.n_reads, told.n_words);
	assert_int_equal(loom_device_run(watched.device, &fake_image, NULL, &t, &watched.err), 0);
	assert_int_equal(loom_device_run(other.device, &fake_image, NULL, &u, &other.err), 0);
	assert_false(told.bad);
	assert_int_equal(told.ends, 1u << LOOM_STAGE_LOAD | 1u << LOOM_STAGE_VERIFY | 1u << LOOM_STAGE_LOGS);
	assert_int_equal(watched.fake.n_reads, other.fake.n_reads);
	assert_int_equal(watched.fake.n_writes, other.fake.n_writes);
	assert_memory_equal(watched.fake.writes, other.fake.writes, sizeof other.fake.writes);
	assert_int_equal(t.n_arrivals, u.n_arrivals);
	loom_trace_free(&t);
	loom_trace_free(&u);
	fake_tear_down(&watched);
	fake_tear_down(&other);
}

// The device stops at every call that requests it: there is one before every pass and after every read of its state.
static void test_progress_stops(void **state)
{
	(void)state;
	unsigned k = 1;
	for (;; k++) {
		struct scene s;
		struct loom_trace t, before;
		struct told told = {.stop_at = k};
		memset(&before, 0xa5, sizeof before);
		t = before;
		fake_set_up(&s);
		fake_put_log(&s, 2, 0, 0, 1, 2, 2);
		s.fake.n_runs_of_pass = 3;
		loom_device_watch(s.device, tell, &told);
		int code = loom_device_load(s.device, &fake_image, &s.err);
		if (code == 0)
			code = loom_device_run(s.device, &fake_image, NULL, &t, &s.err);
		assert_false(told.bad);
		if (told.n < k) {
			assert_int_equal(code, 0);
			loom_trace_free(&t);
			fake_tear_down(&s);
			break;
		}
		assert_int_equal(told.n, k); // the callback is not called again
		assert_fake_failed(&s, code, LOOM_ETIMEOUT, "given up");
		if (told.last.stage == LOOM_STAGE_RUN) {
			char says[64];
			(void)snprintf(says, sizeof says, "in pass %u at cycle %u", (unsigned)told.last.done,
			               (unsigned)told.last.cycle);
			assert_fake_failed(&s, code, LOOM_ETIMEOUT, says);
		}
		assert_memory_equal(&t, &before, sizeof t);
		fake_tear_down(&s);
	}
	// Load, reading back; per pass its beginning and two looks before the one that finds it done; logs.
	assert_int_equal(k - 1, 2 + 2 * 3 + 1);
}

// A long list goes over the link in portions, completely.
static void test_progress_portions(void **state)
{
	(void)state;
	struct scene s;
	struct loom_trace t;
	struct told told = {0};
	fake_set_up(&s);
	for (uint32_t v = 0; v < N_NODES; v++)
		for (uint32_t i = 0; i < LOG_DEPTH; i++)
			fake_put_log(&s, v, i, 0, 1, 2, 1000 * v + i);
	loom_device_watch(s.device, tell, &told);
	assert_int_equal(loom_device_run(s.device, &fake_image, NULL, &t, &s.err), 0);
	assert_int_equal(told.last.stage, LOOM_STAGE_LOGS);
	assert_int_equal(told.last.total, 5 * LOG_DEPTH * N_NODES);
	assert_int_equal(told.last.done, told.last.total);
	assert_int_equal(told.n, 2 * 2 + N_NODES); // portions of 4096 words at most: a log and its signatures
	assert_int_equal(t.n_arrivals, LOG_DEPTH * N_NODES);
	for (size_t i = 0; i < t.n_arrivals; i++)
		assert_int_equal(t.arrivals[i].last_cycle, 1000 * (i / LOG_DEPTH) + i % LOG_DEPTH);
	loom_trace_free(&t);
	fake_tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_progress),
		cmocka_unit_test(test_progress_stops),
		cmocka_unit_test(test_progress_portions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
