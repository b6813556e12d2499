// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "links/pace.h"

#define MOST_WORDS 64
#define QUIET 1000.0 // microseconds: a round trip without a queue

static struct loom_pace fresh(double bytes_per_s)
{
	struct loom_pace pace;
	loom_pace_begin(&pace, bytes_per_s, false);
	pace.most_words = MOST_WORDS;
	return pace;
}

static void successes(struct loom_pace *pace, unsigned n, double sample_us)
{
	for (unsigned i = 0; i < n; i++)
		loom_pace_success(pace, LOOM_PACE_READS, sample_us);
}

// On a good line frames grow to what the board takes, and their number to its limit, within a few round trips.
static void test_good_line(void **unused)
{
	(void)unused;
	struct loom_pace pace = fresh(0);
	unsigned before = loom_pace_words(&pace, LOOM_PACE_READS);
	assert_in_range(before, 1, MOST_WORDS - 1);
	successes(&pace, 100, QUIET);
	assert_int_equal(loom_pace_words(&pace, LOOM_PACE_READS), MOST_WORDS);
	assert_int_equal(loom_pace_words(&pace, LOOM_PACE_WRITES), before); // nothing is known about writes yet
	assert_int_equal((int)pace.window, 64);
	pace.most_words = 3;
	assert_int_equal(loom_pace_words(&pace, LOOM_PACE_READS), 3);
	// Each success doubles a frame.
	pace = fresh(0);
	successes(&pace, 1, QUIET);
	assert_int_equal(loom_pace_words(&pace, LOOM_PACE_READS), 2 * before);
}

// A round trip that grows shows that frames wait for each other: more frames under way would not help.
static void test_queue(void **unused)
{
	(void)unused;
	struct loom_pace pace = fresh(0);
	successes(&pace, 4, QUIET);
	double window = pace.window;
	successes(&pace, 100, 100 * QUIET);
	assert_true(pace.window == window);
}

static void test_bad_line(void **unused)
{
	(void)unused;
	struct loom_pace pace = fresh(0);
	successes(&pace, 100, QUIET);
	for (unsigned before = MOST_WORDS, i = 0; i < 5; i++) {
		loom_pace_damage(&pace, LOOM_PACE_READS);
		assert_true(loom_pace_words(&pace, LOOM_PACE_READS) < before);
		before = loom_pace_words(&pace, LOOM_PACE_READS);
	}
	for (unsigned i = 0; i < 100; i++)
		loom_pace_damage(&pace, LOOM_PACE_READS);
	unsigned least = loom_pace_words(&pace, LOOM_PACE_READS);
	assert_in_range(least, 1, 4);
	successes(&pace, 4, QUIET); // growth is slow from now on
	assert_in_range(loom_pace_words(&pace, LOOM_PACE_READS), least + 1, least + 4);
	for (unsigned i = 0; i < 100; i++)
		loom_pace_loss(&pace);
	assert_true(pace.window >= 2 && pace.window < 4);
}

// As many frames stay under way as the line carries in a round trip.
static void test_long_line(void **unused)
{
	(void)unused;
	struct loom_pace pace = fresh(300000);
	successes(&pace, 100, 10 * QUIET);
	for (unsigned i = 0; i < 100; i++)
		loom_pace_loss(&pace);
	// 3,000 bytes, in read frames of 64 words and their heads, and write frames of 16.
	assert_true(pace.window > 3000.0 / (16 * 4 + 16) && pace.window < 64);
}

// A loss halves what is under way. Each success, also one that took no time at all, adds a frame, and once one was damaged a whole
// window of them together does.
static void test_window(void **unused)
{
	(void)unused;
	struct loom_pace pace = fresh(0);
	double window = pace.window;
	successes(&pace, 1, 0);
	assert_true(pace.window == window + 1);
	successes(&pace, 100, QUIET);
	assert_true(pace.window == 64);
	loom_pace_loss(&pace);
	assert_true(pace.window == 32);
	loom_pace_damage(&pace, LOOM_PACE_WRITES);
	successes(&pace, 32, QUIET);
	assert_true(pace.window > 32.9 && pace.window <= 33);
}

static void test_patience(void **unused)
{
	(void)unused;
	struct loom_pace pace = fresh(1000);
	uint64_t first = loom_pace_patience_us(&pace);
	assert_int_equal(first, 100000); // until a round trip is known
	assert_int_equal(loom_pace_line_us(&pace, 500), 500000);
	successes(&pace, 100, QUIET);
	uint64_t known = loom_pace_patience_us(&pace);
	assert_in_range(known, 4 * (uint64_t)QUIET, first);
	loom_pace_silence(&pace);
	assert_true(loom_pace_patience_us(&pace) > known);
	for (unsigned i = 0; i < 1000; i++)
		loom_pace_silence(&pace);
	assert_int_equal(loom_pace_patience_us(&pace), 1000000);
	loom_pace_life(&pace);
	assert_int_equal(loom_pace_patience_us(&pace), known);
	// The round trip of a repeated frame is unknown.
	double round_trip = pace.round_trip_us;
	loom_pace_success(&pace, LOOM_PACE_READS, -1);
	assert_true(pace.round_trip_us == round_trip);

	struct loom_pace unknown = fresh(0), simulated;
	assert_int_equal(loom_pace_line_us(&unknown, 1e9), 0);
	loom_pace_begin(&simulated, 0, true);
	simulated.most_words = MOST_WORDS;
	successes(&simulated, 100, 1);
	assert_true(loom_pace_patience_us(&simulated) < known); // it waits for the program, not the other way round
}

// RFC 6298: the smoothed round trip, its variation, and four of these on top of it; then by a quarter more for each silence.
static void test_round_trips(void **unused)
{
	(void)unused;
	struct loom_pace pace = fresh(0);
	struct loom_rng rng;
	double srtt = 0, rttvar = 0;
	loom_rng_init(&rng, 6298);
	for (int i = 0; i < 2000; i++) {
		const double r = (double)(1 + loom_rng_below(&rng, i % 100 < 90 ? 20000 : 500000));
		rttvar = i ? 0.75 * rttvar + 0.25 * fabs(srtt - r) : r / 2;
		srtt = i ? 0.875 * srtt + 0.125 * r : r;
		successes(&pace, 1, r);
		double us = srtt + 4 * rttvar;
		us = us < 4000 ? 4000 : us > 1e6 ? 1e6 : us;
		for (int silences = 0; silences < 4; silences++, us *= 1.25) {
			const double wanted = us > 1e6 ? 1e6 : us, found = (double)loom_pace_patience_us(&pace);
			assert_true(fabs(found - wanted) <= 1 + 1e-9 * wanted);
			loom_pace_silence(&pace);
		}
		loom_pace_life(&pace);
	}
}

// 4 ms more than twice the shortest round trip show a queue; a little less lets one frame more under way.
static void test_queue_begins(void **unused)
{
	(void)unused;
	struct loom_pace pace = fresh(0);
	successes(&pace, 1, QUIET);
	const double window = pace.window;
	successes(&pace, 1, 2 * QUIET + 4000);
	assert_true(pace.window == window);
	successes(&pace, 1, 2 * QUIET + 3999);
	assert_true(pace.window == window + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_line), cmocka_unit_test(test_queue),
		cmocka_unit_test(test_bad_line),  cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_patience),  cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_window),    cmocka_unit_test(test_queue_begins),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
