// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Matchings of small matrices against all permutations: as many rows as can be, what became too small is let go
// of, and the assignment of the largest sum.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "circuits/matching.h"

enum { N_MOST = 6 };

struct matrix {
	uint32_t n, weight[N_MOST * N_MOST];
};

struct best {
	uint64_t sum;    // of an assignment
	uint32_t n_rows; // with entries of at least `least`, in one matching
};

// Tries all columns for row i on. used: columns that rows before have.
static void search(struct best *out, const struct matrix *m, uint32_t least, uint32_t i, uint32_t used, uint64_t sum,
                   uint32_t n_rows)
{
	if (i == m->n) {
		out->sum = sum > out->sum ? sum : out->sum;
		out->n_rows = n_rows > out->n_rows ? n_rows : out->n_rows;
		return;
	}
	for (uint32_t j = 0; j < m->n; j++)
		if (!(used >> j & 1)) {
			const uint32_t w = m->weight[i * m->n + j];
			search(out, m, least, i + 1, used | UINT32_C(1) << j, sum + w, n_rows + (w >= least));
		}
}

static struct best best_of(const struct matrix *m, uint32_t least)
{
	struct best best = {0};
	search(&best, m, least, 0, 0, 0, 0);
	return best;
}

static void draw(struct matrix *m, struct loom_rng *rng)
{
	static const uint64_t below[] = {2, 3, 10, UINT64_C(1) << 32};
	const uint64_t values = below[loom_rng_below(rng, 4)];
	m->n = 1 + (uint32_t)loom_rng_below(rng, N_MOST);
	for (uint32_t p = 0; p < m->n * m->n; p++)
		m->weight[p] = (uint32_t)loom_rng_below(rng, values);
}

static void test_assignment(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 600; seed++) {
		struct matrix m;
		struct loom_rng rng;
		uint32_t to[N_MOST], used = 0;
		uint64_t sum = 0;
		loom_rng_init(&rng, seed);
		draw(&m, &rng);
		assert_true(loom_assignment(to, m.n, m.weight));
		for (uint32_t i = 0; i < m.n; i++) {
			assert_true(to[i] < m.n && !(used >> to[i] & 1));
			used |= UINT32_C(1) << to[i];
			sum += m.weight[i * m.n + to[i]];
		}
		if (sum != best_of(&m, 0).sum)
			fail_msg("seed %u: another assignment has a larger sum", (unsigned)seed);
	}
}

// Fails unless each side says the same, and matched entries are `least` or more.
static uint32_t count_rows(const struct loom_matching *m, const struct matrix *of, uint32_t least)
{
	uint32_t n = 0, columns = 0;
	for (uint32_t i = 0; i < of->n; i++)
		if (m->of_row[i] != LOOM_UNMATCHED) {
			assert_int_equal(m->of_column[m->of_row[i]], i);
			assert_true(of->weight[i * of->n + m->of_row[i]] >= least);
			n++;
		}
	for (uint32_t j = 0; j < of->n; j++)
		columns += m->of_column[j] != LOOM_UNMATCHED;
	assert_int_equal(columns, n);
	return n;
}

static void test_matching(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 600; seed++) {
		struct matrix of;
		struct loom_rng rng;
		struct loom_matching m;
		loom_rng_init(&rng, seed);
		draw(&of, &rng);
		assert_true(loom_matching_init(&m, of.n));
		for (unsigned step = 0; step < 6; step++) {
			const uint32_t least = 1 + (uint32_t)loom_rng_below(&rng, 3);
			uint32_t before[N_MOST];
			memcpy(before, m.of_row, of.n * sizeof *before);
			loom_matching_drop(&m, of.weight, least);
			for (uint32_t i = 0; i < of.n; i++) // what is large enough stays
				if (before[i] != LOOM_UNMATCHED && of.weight[i * of.n + before[i]] >= least)
					assert_int_equal(m.of_row[i], before[i]);
			(void)count_rows(&m, &of, least);
			const bool all = loom_matching_complete(&m, of.weight, least);
			const uint32_t n = count_rows(&m, &of, least);
			if (n != best_of(&of, least).n_rows || all != (n == of.n))
				fail_msg("seed %u, step %u: %u rows are matched", (unsigned)seed, step, n);
			of.weight[loom_rng_below(&rng, of.n * of.n)] = (uint32_t)loom_rng_below(&rng, 4);
		}
		loom_matching_free(&m);
	}
	struct loom_matching none = {0};
	loom_matching_free(&none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_assignment), cmocka_unit_test(test_matching)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
