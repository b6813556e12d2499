// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The limit of a search in steps: each step is counted once, whatever portions are spent, shared and given back. Time
// limits are tested only where the test takes no time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/planners/budget.h"

#define LOOK 100000u // steps from one look at the clock to the next

// Spends portions until nothing is left. Returns the number of portions that were granted.
static uint64_t spend_all(struct loom_budget *b, uint64_t portion)
{
	uint64_t n = 0;
	while (loom_budget_spend(b, portion)) {
		n++;
		assert_true(n < 10 * LOOK);
	}
	return n;
}

static void test_steps(void **state)
{
	(void)state;
	static const uint64_t numbers[] = {1,    2,        5,        999,          LOOK - 1,
	                                   LOOK, LOOK + 1, 2 * LOOK, 2 * LOOK + 1, 5 * LOOK + 7};
	static const uint64_t portions[] = {1, 3, 1000, LOOK - 1, LOOK, LOOK + 1, 3 * LOOK};
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		for (size_t k = 0; k < sizeof portions / sizeof portions[0]; k++) {
			struct loom_budget b;
			loom_budget_begin(&b, NULL, numbers[i]);
			assert_false(b.has_deadline);
			// The last step is not granted: nothing is left to go on with.
			assert_int_equal(spend_all(&b, portions[k]), (numbers[i] - 1) / portions[k]);
			assert_false(loom_budget_spend(&b, 1));
			assert_false(loom_budget_spend(&b, 0));
		}
}

// A number of steps that is asked for is a limit, and no more than the default.
static void test_most_steps(void **state)
{
	(void)state;
	static const struct {
		uint64_t most, by_default, granted;
	} rows[] = {{0, 50, 49}, {20, 50, 19}, {49, 50, 48}, {50, 50, 49}, {51, 50, 49}, {1, 50, 0}, {7, LOOK, 6}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct loom_plan_options options = {.most_steps = rows[i].most};
		struct loom_budget b;
		loom_budget_begin(&b, &options, rows[i].by_default);
		assert_int_equal(spend_all(&b, 1), rows[i].granted);
	}
}

struct asked {
	unsigned n, stop_at;
};

static bool stopped(void *user)
{
	struct asked *asked = user;
	return ++asked->n == asked->stop_at;
}

static void test_stopped(void **state)
{
	(void)state;
	for (unsigned seconds = 0; seconds <= 1000; seconds += 1000)
		for (unsigned stop_at = 1; stop_at <= 4; stop_at++) {
			struct asked asked = {.stop_at = stop_at};
			const struct loom_plan_options options = {
				.budget_seconds = seconds, .stopped = stopped, .user = &asked};
			struct loom_budget b;
			loom_budget_begin(&b, &options, 10 * (uint64_t)LOOK);
			assert_int_equal(b.has_deadline, seconds > 0);
			assert_int_equal(spend_all(&b, 1), (uint64_t)stop_at * LOOK - 1);
			assert_int_equal(asked.n, stop_at);
		}
}

// Time that has passed by the first look, however many steps there would be; and time that has not.
static void test_time(void **state)
{
	(void)state;
	struct loom_plan_options options = {.budget_seconds = 1e-9};
	struct loom_budget b;
	loom_budget_begin(&b, &options, 10 * (uint64_t)LOOK);
	assert_int_equal(spend_all(&b, 1), LOOK - 1);
	static const double long_ones[] = {1000, 1e9, 1e30};
	for (size_t i = 0; i < sizeof long_ones / sizeof long_ones[0]; i++) {
		options.budget_seconds = long_ones[i];
		loom_budget_begin(&b, &options, 5); // not looked at
		for (unsigned k = 0; k < 50; k++)
			assert_true(loom_budget_spend(&b, LOOK));
		struct loom_budget share = loom_budget_share(&b, 4);
		assert_true(loom_budget_spend(&share, LOOK));
		assert_true(share.deadline_ns < b.deadline_ns);
		const struct loom_budget before = b, spent = share;
		loom_budget_give_back(&b, &share, &spent);
		assert_memory_equal(&b, &before, sizeof b);
	}
	options.budget_seconds = -1; // as if none was given
	loom_budget_begin(&b, &options, 9);
	assert_false(b.has_deadline);
	assert_int_equal(spend_all(&b, 1), 8);
}

// A share, and what is left of it given back: all is spent in the end, and no more.
static void test_shares(void **state)
{
	(void)state;
	static const uint64_t numbers[] = {4, 10, 1000, LOOK, 4 * LOOK + 3};
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		for (unsigned divisor = 1; divisor <= 4; divisor++)
			for (unsigned part = 0; part <= 2; part++) { // none, half or all of the share is spent
				struct loom_budget b;
				loom_budget_begin(&b, NULL, numbers[i]);
				const struct loom_budget share = loom_budget_share(&b, divisor);
				uint64_t of_share = numbers[i] / divisor, wanted = of_share * part / 2, spent = 0;
				struct loom_budget s = share;
				if (wanted > 0)
					(void)loom_budget_spend(&s, wanted);
				spent = wanted;
				loom_budget_give_back(&b, &share, &s);
				assert_int_equal(spend_all(&b, 1), numbers[i] - spent > 0 ? numbers[i] - spent - 1 : 0);
				s = share;
				assert_int_equal(spend_all(&s, 1), of_share - 1);
			}
}

static void test_shares_of_options(void **state)
{
	(void)state;
	static const struct {
		double seconds, seconds_share;
		uint64_t most, most_share;
		uint32_t divisor;
	} rows[] = {{0, 0, 0, 0, 1},  {12, 12, 30, 31, 1},   {12, 6, 30, 16, 2},
	            {0, 0, 30, 8, 4}, {0.5, 0.125, 3, 1, 4}, {9, 3, 0, 0, 3}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct loom_plan_options options = {.budget_seconds = rows[i].seconds,
		                                          .most_steps = rows[i].most,
		                                          .planner = "reroute",
		                                          .seed = 77};
		const struct loom_plan_options share = loom_options_share(&options, rows[i].divisor);
		assert_true(share.budget_seconds <= rows[i].seconds_share &&
		            share.budget_seconds >= rows[i].seconds_share);
		assert_int_equal(share.most_steps, rows[i].most_share);
		assert_string_equal(share.planner, "reroute"); // the rest as it is
		assert_int_equal(share.seed, 77);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps),   cmocka_unit_test(test_most_steps),
	                                   cmocka_unit_test(test_stopped), cmocka_unit_test(test_time),
	                                   cmocka_unit_test(test_shares),  cmocka_unit_test(test_shares_of_options)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
