// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Intervals: Student's t against published values, mean and half width by formula, the rule by which replications go on; and the
// cut of MSER-5 against the formula, worked out anew for each cut.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <flitloom/interval.h>

#include "base/rng.h"
#include "traffic/mser.h"

// The usual table of Student's t, rounded to three places.
static const struct {
	double probability;
	uint32_t degrees;
	double t;
} published[] = {
	{0.975, 1, 12.706}, {0.975, 2, 4.303},  {0.975, 3, 3.182},  {0.975, 4, 2.776},   {0.975, 5, 2.571},
	{0.975, 6, 2.447},  {0.975, 7, 2.365},  {0.975, 8, 2.306},  {0.975, 9, 2.262},   {0.975, 10, 2.228},
	{0.975, 11, 2.201}, {0.975, 12, 2.179}, {0.975, 15, 2.131}, {0.975, 20, 2.086},  {0.975, 25, 2.060},
	{0.975, 30, 2.042}, {0.975, 40, 2.021}, {0.975, 60, 2.000}, {0.975, 120, 1.980}, {0.975, 1000000, 1.960},
	{0.99, 1, 31.821},  {0.99, 2, 6.965},   {0.99, 4, 3.747},   {0.99, 9, 2.821},    {0.99, 30, 2.457},
	{0.99, 120, 2.358}, {0.95, 1, 6.314},   {0.95, 5, 2.015},   {0.95, 20, 1.725},   {0.995, 10, 3.169},
	{0.5, 7, 0},
};

static void test_student(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
		const double t = loom_student_quantile(published[i].probability, published[i].degrees);
		if (fabs(t - published[i].t) > 0.00051)
			fail_msg("t of %g and %u is %.6f, not %.3f", published[i].probability, published[i].degrees, t,
			         published[i].t);
	}
}

static void test_interval(void **unused)
{
	const double values[] = {52, 80, 62}, alike[] = {7, 7};
	struct loom_interval it;
	(void)unused;
	loom_interval_of(&it, values, 3, 0.95);
	// The mean is 64 2/3, the squares sum to 402 2/3, their root over 2 and 3 is 8.1921.
	assert_int_equal(it.n, 3);
	assert_true(fabs(it.mean - 194.0 / 3) < 1e-12);
	assert_true(fabs(it.half_width - 4.302653 * 8.192137) < 1e-4);
	loom_interval_of(&it, values, 1, 0.95);
	assert_true(it.mean == 52 && isnan(it.half_width));
	loom_interval_of(&it, values, 0, 0.95);
	assert_true(isnan(it.mean) && isnan(it.half_width));
	loom_interval_of(&it, alike, 2, 0.95);
	assert_true(it.mean == 7 && it.half_width == 0);
}

static void test_precision(void **unused)
{
	static const uint32_t looks[] = {0, 5, 7, 9, 12, 15, 19, 24, 30, 38, 48, 60, 75, 94, 118, 148, 185, 232};
	(void)unused;
	for (size_t i = 0; i + 1 < sizeof looks / sizeof looks[0]; i++)
		assert_int_equal(loom_precision_next(looks[i]), looks[i + 1]);
	struct loom_interval it = {.n = 5, .mean = 50, .half_width = 1};
	assert_true(loom_precision_is_met(&it, 0.02));
	assert_false(loom_precision_is_met(&it, 0.0199));
	it.n = 4;
	assert_false(loom_precision_is_met(&it, 0.02));
	it = (struct loom_interval){.n = 9, .mean = 50, .half_width = NAN};
	assert_false(loom_precision_is_met(&it, 0.5));
}

// The squared marginal standard error of the batches from `cut` on, by its definition.
static double error_of(const double *batch, size_t n, size_t cut)
{
	double mean = 0, squares = 0;
	for (size_t i = cut; i < n; i++)
		mean += batch[i] / (double)(n - cut);
	for (size_t i = cut; i < n; i++)
		squares += (batch[i] - mean) * (batch[i] - mean);
	return squares / ((double)(n - cut) * (double)(n - cut));
}

static void test_mser(void **unused)
{
	enum { MOST = 400, BATCHES = MOST / 5 };
	double x[MOST], batch[BATCHES];
	size_t n_cut = 0;
	(void)unused;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct loom_rng rng;
		loom_rng_init(&rng, seed);
		const size_t n = loom_rng_below(&rng, MOST + 1), n_batches = n / 5;
		const double rise = (double)loom_rng_below(&rng, 60) + 1, height = (double)loom_rng_below(&rng, 30);
		for (size_t i = 0; i < n; i++)
			x[i] = 50 - height * exp(-(double)i / rise) + (double)loom_rng_below(&rng, 1000) / 100;
		for (size_t b = 0; b < n_batches; b++)
			batch[b] = (x[5 * b] + x[5 * b + 1] + x[5 * b + 2] + x[5 * b + 3] + x[5 * b + 4]) / 5;
		const size_t cut = loom_mser_cut(x, n) / 5;
		assert_int_equal(loom_mser_cut(x, n) % 5, 0);
		if (n_batches <= 5) {
			assert_int_equal(cut, 0);
			continue;
		}
		assert_true(cut + 5 <= n_batches);
		for (size_t c = 0; c + 5 <= n_batches; c++)
			if (error_of(batch, n_batches, c) < error_of(batch, n_batches, cut) * (1 - 1e-9))
				fail_msg("seed %d: cut %zu is better than %zu", (int)seed, c, cut);
		n_cut += cut > 0;
	}
	assert_true(n_cut > 100);
	for (size_t i = 0; i < 200; i++) // a step: exactly what is before it
		x[i] = i < 60 ? 0 : 10 + (double)(i % 2);
	assert_int_equal(loom_mser_cut(x, 200), 60);
	for (size_t i = 0; i < 200; i++) // no end in sight
		x[i] = (double)(i * i);
	assert_true(loom_mser_cut(x, 200) > 100);
	for (size_t i = 0; i < 200; i++)
		x[i] = 3;
	assert_int_equal(loom_mser_cut(x, 200), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_student),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_precision),
		cmocka_unit_test(test_mser),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
