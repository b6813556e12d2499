// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Items that are due in cycles to come, against a list that is searched: what is due when, what next() jumps over, and that
// nothing is lost between the heap and the ring.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/rng.h"
#include "machine/agenda.h"

enum { SORTS = 3, MOST = 700 };

// Items that are due, not sorted. An item's number is its place.
struct scene {
	struct loom_agenda agenda;
	uint64_t cycle[MOST];
	unsigned sort[MOST];
	bool done[MOST];
	size_t n, n_done;
};

static void put(struct scene *s, unsigned sort, uint64_t cycle)
{
	assert_true(s->n < MOST);
	s->cycle[s->n] = cycle;
	s->sort[s->n] = sort;
	loom_agenda_put(&s->agenda, sort, (uint32_t)s->n, cycle);
	s->n++;
}

// Returns the first cycle in which an item is due.
static uint64_t first_due(const struct scene *s)
{
	uint64_t first = UINT64_MAX;
	for (size_t i = 0; i < s->n; i++)
		if (!s->done[i] && s->cycle[i] < first)
			first = s->cycle[i];
	return first;
}

static void take(struct scene *s)
{
	size_t n_now = 0;
	for (unsigned sort = 0; sort < SORTS; sort++) {
		const struct loom_agenda_list *list = loom_agenda_of(&s->agenda, sort, s->agenda.now);
		for (uint32_t k = 0; k < list->n; k++) {
			const uint32_t i = list->item[k];
			assert_true(i < s->n && !s->done[i]);
			assert_int_equal(s->cycle[i], s->agenda.now);
			assert_int_equal(s->sort[i], sort);
			s->done[i] = true;
			n_now++;
		}
	}
	for (size_t i = 0; i < s->n; i++)
		assert_true(s->done[i] || s->cycle[i] > s->agenda.now);
	s->n_done += n_now;
	loom_agenda_done(&s->agenda);
}

// How far ahead items are put: at hand, about the end of the ring, far.
static uint64_t some_distance(struct loom_rng *rng)
{
	switch (loom_rng_below(rng, 5)) {
	case 0: return 1 + loom_rng_below(rng, 3);
	case 1: return 1 + loom_rng_below(rng, LOOM_AGENDA_CYCLES);
	case 2: return LOOM_AGENDA_CYCLES - 2 + loom_rng_below(rng, 5);
	case 3: return 1 + loom_rng_below(rng, 4 * LOOM_AGENDA_CYCLES);
	default: return 1 + loom_rng_below(rng, 100000);
	}
}

static void test_random(void **state)
{
	(void)state;
	static struct scene s;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct loom_rng rng;
		const size_t n_wanted = (size_t)loom_rng_below((loom_rng_init(&rng, seed), &rng), seed % 3 ? 40 : MOST);
		s = (struct scene){0};
		assert_true(loom_agenda_begin(&s.agenda));
		assert_true(loom_agenda_is_empty(&s.agenda));
		while (s.n < n_wanted || s.n_done < s.n) {
			// As in a run: what is done in a cycle puts more.
			for (uint64_t k = loom_rng_below(&rng, seed % 2 ? 4 : 40); k > 0 && s.n < n_wanted; k--)
				put(&s, (unsigned)loom_rng_below(&rng, SORTS), s.agenda.now + some_distance(&rng));
			const uint64_t before = s.agenda.now, due = first_due(&s),
				       until = loom_rng_below(&rng, 4) ? UINT64_MAX - 1
			                                               : before + loom_rng_below(&rng, 600);
			assert_int_equal(loom_agenda_is_empty(&s.agenda), due == UINT64_MAX);
			assert_int_equal(loom_agenda_first(&s.agenda), due);
			if (due == UINT64_MAX && until > UINT64_MAX / 2)
				continue;
			if (loom_agenda_next(&s.agenda, until)) {
				assert_true(due > before && due <= until);
				assert_int_equal(s.agenda.now, due); // cycles in which nothing is due are jumped over
				take(&s);
			} else {
				assert_true(due > until);
				assert_int_equal(s.agenda.now, until);
			}
		}
		assert_true(loom_agenda_is_empty(&s.agenda));
		assert_false(s.agenda.failed);
		assert_int_equal(s.n_done, s.n);
		loom_agenda_free(&s.agenda);
	}
}

// With nothing at hand the next cycle is that of the first far item, however far.
static void test_jump(void **state)
{
	(void)state;
	static struct scene s;
	static const uint64_t cycles[] = {UINT64_C(1) << 40, 1000, (UINT64_C(1) << 40) + 255, 1001, 256, 999};
	static const uint64_t order[] = {256, 999, 1000, 1001, UINT64_C(1) << 40};
	s = (struct scene){0};
	assert_true(loom_agenda_begin(&s.agenda));
	for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++)
		put(&s, (unsigned)(i % SORTS), cycles[i]);
	assert_int_equal(s.agenda.n_far, sizeof cycles / sizeof cycles[0]);
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
		if (i % 2) { // otherwise it is far until its own cycle, which is the last one of the test
			assert_false(loom_agenda_next(&s.agenda, order[i] - 1));
			assert_int_equal(s.agenda.now, order[i] - 1);
		}
		assert_true(loom_agenda_next(&s.agenda, order[i]));
		assert_int_equal(s.agenda.now, order[i]);
		take(&s);
	}
	// The last one has come near with the one before it.
	assert_int_equal(s.agenda.n_far, 0);
	assert_int_equal(loom_agenda_first(&s.agenda), s.agenda.now + 255);
	assert_int_equal(s.n_done, 5);
	assert_true(loom_agenda_next(&s.agenda, UINT64_MAX));
	take(&s);
	assert_int_equal(s.n_done, 6);
	assert_false(loom_agenda_next(&s.agenda, s.agenda.now));
	assert_false(loom_agenda_next(&s.agenda, UINT64_C(1) << 41));
	assert_int_equal(s.agenda.now, UINT64_C(1) << 41);
	loom_agenda_free(&s.agenda);
}

// The order of items of one cycle does not depend on the order in which far ones were put.
static void test_same_order(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 7);
	for (unsigned round = 0; round < 40; round++) {
		enum { N = 100 };
		struct loom_agenda a;
		uint32_t order[N];
		assert_true(loom_agenda_begin(&a));
		for (uint32_t i = 0; i < N; i++) {
			uint32_t other = (uint32_t)loom_rng_below(&rng, i + 1);
			order[i] = order[other];
			order[other] = i;
		}
		for (uint32_t i = 0; i < N; i++)
			loom_agenda_put(&a, 0, order[i], 5000 + order[i] % 3);
		for (uint64_t cycle = 5000; cycle < 5003; cycle++) {
			assert_true(loom_agenda_next(&a, 6000));
			assert_int_equal(a.now, cycle);
			const struct loom_agenda_list *list = loom_agenda_of(&a, 0, cycle);
			assert_int_equal(list->n, (N + 2 - (cycle - 5000)) / 3);
			for (uint32_t k = 0; k < list->n; k++)
				assert_int_equal(list->item[k], (cycle - 5000) + 3 * k);
			loom_agenda_done(&a);
		}
		loom_agenda_free(&a);
	}
}

// The agenda counts what is due in the cycle under way as no item to come.
static void test_present(void **state)
{
	(void)state;
	struct loom_agenda a;
	assert_true(loom_agenda_begin(&a));
	for (uint64_t cycle = 0; cycle < 600; cycle += 300) {
		assert_int_equal(a.now, cycle);
		loom_agenda_put(&a, 1, 7, cycle);
		assert_true(loom_agenda_is_empty(&a));
		loom_agenda_put(&a, 0, 8, cycle + 300);
		assert_int_equal(loom_agenda_first(&a), cycle + 300);
		loom_agenda_done(&a);
		assert_true(loom_agenda_next(&a, cycle + 300));
		loom_agenda_done(&a);
	}
	loom_agenda_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_jump),
		cmocka_unit_test(test_same_order),
		cmocka_unit_test(test_present),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
