// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Two carriers side by side: the number of reports that differ, compared with a count of pairs one by one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "traffic/twin.h"

enum { MOST = 40 };

struct told {
	struct loom_carried list[MOST];
	size_t n, n_offered;
	uint64_t until;
	int rc;
};

static int offer(void *self, uint32_t source, const struct loom_queued *m, struct loom_err *err)
{
	struct told *t = self;
	(void)source, (void)m, (void)err;
	t->n_offered++;
	return 0;
}

static int run(void *self, uint64_t until, const struct loom_carried **out, size_t *n_out, struct loom_err *err)
{
	struct told *t = self;
	(void)err;
	t->until = until;
	*out = t->list;
	*n_out = t->n;
	return t->rc;
}

static int check(void *self, struct loom_err *err)
{
	const struct told *t = self;
	(void)err;
	return t->rc;
}

static bool is_same(const struct loom_carried *a, const struct loom_carried *b)
{
	return a->destination == b->destination && a->flits == b->flits && a->header == b->header && a->tail == b->tail;
}

static const struct loom_carried *find(const struct told *t, const struct loom_carried *m)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->list[i].source == m->source && t->list[i].number == m->number)
			return &t->list[i];
	return NULL;
}

static size_t count(const struct told *is, const struct told *should)
{
	size_t n = 0;
	for (size_t i = 0; i < is->n; i++) {
		const struct loom_carried *other = find(should, &is->list[i]);
		n += !other || !is_same(&is->list[i], other);
	}
	for (size_t i = 0; i < should->n; i++)
		n += !find(is, &should->list[i]);
	return n;
}

static void shuffle(struct told *t, struct loom_rng *rng)
{
	for (size_t i = t->n; i > 1; i--) {
		const size_t k = (size_t)loom_rng_below(rng, i);
		const struct loom_carried kept = t->list[i - 1];
		t->list[i - 1] = t->list[k];
		t->list[k] = kept;
	}
}

static void change(struct told *t, struct loom_rng *rng)
{
	struct loom_carried *m = &t->list[loom_rng_below(rng, t->n)];
	switch (loom_rng_below(rng, 6)) {
	case 0: m->tail++; break;
	case 1: m->header--; break;
	case 2: m->flits ^= 1; break;
	case 3: m->destination++; break;
	case 4: m->number += 1000; break;
	default: *m = t->list[--t->n]; break;
	}
}

static void test_random(void **unused)
{
	(void)unused;
	struct loom_err err;
	for (uint64_t seed = 0; seed < 400; seed++) {
		struct loom_rng rng;
		struct told is = {.n = 0}, should;
		loom_rng_init(&rng, seed);
		is.n = (size_t)loom_rng_below(&rng, MOST + 1);
		for (size_t i = 0; i < is.n; i++)
			is.list[i] = (struct loom_carried){.source = (uint32_t)(i % 5),
			                                   .number = i,
			                                   .destination = (uint32_t)loom_rng_below(&rng, 5),
			                                   .flits = 3,
			                                   .header = 10 + loom_rng_below(&rng, 50),
			                                   .tail = 70 + loom_rng_below(&rng, 50)};
		should = is;
		for (uint64_t k = loom_rng_below(&rng, 4); k > 0 && is.n > 0 && should.n > 0; k--)
			change(k % 2 ? &is : &should, &rng);
		shuffle(&is, &rng);
		shuffle(&should, &rng);
		const struct told is_before = is;
		const struct loom_carrier a = {
			.self = &is, .offer = offer, .run = run, .check = check, .most_cycles = 9};
		const struct loom_carrier b = {
			.self = &should, .offer = offer, .run = run, .check = check, .most_cycles = 7};
		struct loom_twin twin = {.is = &a, .should = &b};
		const struct loom_carrier both = loom_twin_carrier(&twin);
		const struct loom_carried *out;
		size_t n;
		assert_int_equal(both.most_cycles, 7);
		assert_int_equal(both.offer(both.self, 1, &(struct loom_queued){.flits = 1}, &err), 0);
		assert_int_equal(is.n_offered + should.n_offered, 2);
		assert_int_equal(both.run(both.self, 33, &out, &n, &err), 0);
		assert_int_equal(is.until, 33);
		assert_int_equal(should.until, 33);
		assert_int_equal(n, is.n);
		assert_memory_equal(out, is_before.list, n * sizeof *out); // what the first tells is left as it is
		if (twin.n_differences != count(&is, &should))
			fail_msg("seed %d: %zu differences, not %zu: %s", (int)seed, twin.n_differences,
			         count(&is, &should), twin.difference);
		assert_int_equal(twin.difference[0] != '\0', twin.n_differences > 0);
		is.rc = LOOM_ESTUCK;
		assert_int_equal(both.check(both.self, &err), LOOM_ESTUCK);
		assert_int_equal(both.run(both.self, 34, &out, &n, &err), LOOM_ESTUCK);
		is.rc = 0;
		should.rc = LOOM_ELINK;
		assert_int_equal(both.check(both.self, &err), LOOM_ELINK);
		assert_int_equal(both.run(both.self, 35, &out, &n, &err), LOOM_ELINK);
		loom_twin_free(&twin);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
