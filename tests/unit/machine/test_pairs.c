// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Tails by sender and receiver, against a list of what has arrived that is searched.
#include "machine/pairs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <flitloom/timing.h>

#include "base/rng.h"

enum { MOST = 60 };

// Finds the tail of the k-th message with the ends of message i. False: it has not arrived.
static bool search(uint64_t *out, const struct loom_plan_message *m, const size_t *arrived, size_t n, size_t i,
                   uint64_t k)
{
	for (size_t a = 0; a < n; a++)
		if (m[arrived[a]].source == m[i].source && m[arrived[a]].destination == m[i].destination && --k == 0) {
			*out = 1000 + a;
			return true;
		}
	return false;
}

static void compare(const struct loom_play_pairs *pairs, const struct loom_plan *plan, const size_t *arrived, size_t n)
{
	for (size_t i = 0; i < plan->n_messages; i++) {
		uint64_t got = 7, want = 7;
		assert_false(loom_pairs_tail(&got, pairs, i, 0));
		for (uint64_t k = 1; k <= n + 1; k++) {
			assert_int_equal(loom_pairs_tail(&got, pairs, i, k),
			                 search(&want, plan->messages, arrived, n, i, k));
			assert_int_equal(got, want);
		}
	}
}

static void test_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct loom_plan_message message[MOST] = {0};
		struct loom_timing timing = {0};
		struct loom_play_pairs *pairs;
		size_t order[MOST];
		struct loom_rng rng;
		loom_rng_init(&rng, seed);
		struct loom_plan plan = {.messages = message, .n_messages = seed % MOST, .timing = &timing};
		for (size_t i = 0; i < plan.n_messages; i++) {
			const size_t other = (size_t)loom_rng_below(&rng, i + 1);
			message[i].source = (uint32_t)loom_rng_below(&rng, 1 + seed % 5);
			message[i].destination = (uint32_t)loom_rng_below(&rng, 1 + seed % 4);
			order[i] = order[other];
			order[other] = i;
		}
		assert_int_equal(loom_pairs_make(&pairs, &plan, NULL), 0);
		for (unsigned round = 0; round < 2; round++) { // once more after all has been forgotten
			for (size_t n = 0; n < plan.n_messages; n++) {
				compare(pairs, &plan, order, n);
				loom_pairs_arrive(pairs, order[n], 1000 + n);
			}
			compare(pairs, &plan, order, plan.n_messages);
			loom_pairs_forget(pairs);
			compare(pairs, &plan, order, 0);
		}
		loom_pairs_free(pairs);
	}
}

// A plan without timing has no pairs.
static void test_none(void **state)
{
	(void)state;
	struct loom_plan_message message[2] = {{0}};
	const struct loom_plan plan = {.messages = message, .n_messages = 2};
	struct loom_play_pairs *pairs = (struct loom_play_pairs *)message;
	assert_int_equal(loom_pairs_make(&pairs, &plan, NULL), 0);
	assert_null(pairs);
	loom_pairs_arrive(pairs, 1, 5);
	loom_pairs_forget(pairs);
	loom_pairs_free(pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_none)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
