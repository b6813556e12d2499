// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of a plan as their receivers see them: each arrival finds one, equal ones are found one after the other, and what
// differs in one field is not found. Against a list that is searched from its begin.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "check/expected.h"
#include "unit/help/plans_by_hand.h"

enum { MOST = 40 };

static struct loom_arrival arrival_of(const struct loom_expected *e)
{
	return (struct loom_arrival){
		.source = e->source, .number = e->number, .pass = e->pass, .destination = e->destination};
}

static bool same(const struct loom_expected *e, const struct loom_arrival *a)
{
	return e->source == a->source && e->number == a->number && e->pass == a->pass &&
	       e->destination == a->destination;
}

// Sequences of equal messages, of every length and at every place: k arrivals find k different ones, the next finds one
// of them again.
static void test_equal_ones(void **state)
{
	(void)state;
	for (size_t n = 1; n <= MOST; n++)
		for (size_t length = 1; length <= n; length++) {
			struct loom_expected list[MOST] = {{0}};
			for (size_t i = 0; i < n; i++)
				list[i] = (struct loom_expected){.source = (uint32_t)(i / length), .message = i};
			for (size_t first = 0; first < n; first += length) {
				size_t many = n - first < length ? n - first : length;
				const struct loom_arrival a = arrival_of(&list[first]);
				for (size_t k = 0; k < many; k++) {
					struct loom_expected *e = loom_expected_find(list, n, &a);
					assert_non_null(e);
					assert_true(same(e, &a));
					assert_int_equal(e->n_arrived++, 0);
				}
				struct loom_expected *again = loom_expected_find(list, n, &a);
				assert_non_null(again);
				assert_true(same(again, &a));
				assert_int_equal(again->n_arrived, 1);
			}
			for (size_t i = 0; i < n; i++)
				assert_int_equal(list[i].n_arrived, 1);
		}
}

// A message that differs in one field is not found.
static void test_every_field(void **state)
{
	(void)state;
	struct loom_expected one = {.source = 5, .number = 6, .pass = 7, .destination = 8};
	const struct loom_arrival right = arrival_of(&one);
	assert_ptr_equal(loom_expected_find(&one, 1, &right), &one);
	assert_null(loom_expected_find(&one, 0, &right));
	for (int step = -1; step <= 1; step += 2)
		for (unsigned field = 0; field < 4; field++) {
			struct loom_arrival a = right;
			uint32_t *fields[] = {&a.source, &a.number, &a.pass, &a.destination};
			*fields[field] += (uint32_t)step;
			assert_null(loom_expected_find(&one, 1, &a));
		}
}

// In a plan with relays each expected arrival, which the test computes, is found for its message and no other.
static void test_of_a_plan(void **state)
{
	(void)state;
	struct loom_plan plan = relay_plan(3);
	struct loom_expected *list = NULL;
	size_t n = 0, n_used = 0;
	assert_int_equal(loom_expected_make(&list, &n, &plan, NULL), 0);
	for (size_t i = 0; i < plan.n_messages; i++) {
		const struct loom_plan_message *m = &plan.messages[i];
		if (!loom_plan_uses_network(&plan, m))
			continue;
		n_used++;
		size_t root = i;
		while (plan.messages[root].origin != root)
			root = plan.messages[root].origin;
		size_t n_found = 0;
		for (size_t k = 0; k < n; k++) {
			if (list[k].message != i)
				continue;
			n_found++;
			assert_int_equal(list[k].source, plan.map[plan.messages[root].source]);
			assert_int_equal(list[k].node, plan.map[m->destination]);
			assert_int_equal(list[k].destination, plan.map[m->destination]);
			assert_int_equal(list[k].pass, m->pass);
			const struct loom_arrival a = arrival_of(&list[k]);
			assert_true(same(loom_expected_find(list, n, &a), &a));
		}
		assert_int_equal(n_found, 1);
	}
	assert_int_equal(n, n_used);
	free(list);
	loom_plan_free(&plan);
}

// Messages that look alike are sorted by the cycle in which they are due, and stay in order if they are due together;
// all others keep their places.
static void test_order(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 41);
	for (unsigned round = 0; round < 300; round++) {
		struct loom_expected list[MOST] = {{0}}, before[MOST];
		struct loom_machine_times times[MOST];
		const size_t n = 1 + (size_t)loom_rng_below(&rng, MOST), length = 1 + (size_t)loom_rng_below(&rng, 6);
		for (size_t i = 0; i < n; i++) {
			const uint64_t header = 1 + loom_rng_below(&rng, 9);
			times[i] = (struct loom_machine_times){.header = header, .tail = 1000 - header};
		}
		for (size_t i = 0; i < n; i++) // a random field differs between the groups
			list[i] = (struct loom_expected){.source = round % 4 == 0 ? (uint32_t)(i / length) : 7,
			                                 .number = round % 4 == 1 ? (uint32_t)(i / length) : 7,
			                                 .pass = round % 4 == 2 ? (uint32_t)(i / length) : 7,
			                                 .destination = round % 4 == 3 ? (uint32_t)(i / length) : 7,
			                                 .node = (uint32_t)i,
			                                 .message = n - 1 - i};
		memcpy(before, list, sizeof list);
		loom_expected_order(list, n, times);
		for (size_t i = 0; i < n; i++) { // the place that the slow version gives to element i
			size_t place = i / length * length;
			for (size_t k = place; k < n && k < i / length * length + length; k++) {
				const uint64_t other = times[before[k].message].header,
					       own = times[before[i].message].header;
				place += other < own || (other == own && k < i);
			}
			assert_memory_equal(&list[place], &before[i], sizeof list[0]);
		}
	}
	loom_expected_order(NULL, 0, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_ones),
		cmocka_unit_test(test_every_field),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_of_a_plan),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
