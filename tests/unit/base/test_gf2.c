// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/gf2.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "unit/help/orders.h"

static const unsigned sizes[] = {1, 2, 3, 5, 8, 31, 32, 33, 63, 64};
#define N_SIZES (sizeof sizes / sizeof sizes[0])
#define SEEDS 40

// Draws a matrix of any rank: a random one, or the product of two with few non-zero columns and rows.
static struct loom_gf2 random_matrix(unsigned n, uint64_t *state)
{
	struct loom_gf2 a = {.n = n}, b = {.n = n};
	uint64_t all = n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
	unsigned rank = loom_splitmix64(state) % 2 ? n : (unsigned)(loom_splitmix64(state) % (n + 1));
	for (unsigned i = 0; i < n; i++)
		a.row[i] = loom_splitmix64(state) & (rank == 64 ? all : all & (((uint64_t)1 << rank) - 1));
	if (rank == n)
		return a;
	for (unsigned i = 0; i < rank; i++)
		b.row[i] = loom_splitmix64(state) & all;
	loom_gf2_product(&a, &a, &b);
	return a;
}

// The slow way: one element a byte, elimination element by element.
struct slow {
	unsigned n;
	unsigned char e[64][64];
};

static struct slow slowly(const struct loom_gf2 *a)
{
	struct slow s = {.n = a->n};
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned j = 0; j < a->n; j++)
			s.e[i][j] = a->row[i] >> j & 1;
	return s;
}

static unsigned slow_rank(struct slow s, uint64_t rows, uint64_t columns)
{
	unsigned rank = 0;
	for (unsigned j = 0; j < s.n; j++) {
		if (!(columns >> j & 1))
			continue;
		for (unsigned i = 0; i < s.n; i++) {
			if (!(rows >> i & 1) || !s.e[i][j])
				continue;
			rank++;
			rows &= ~((uint64_t)1 << i); // this row is used
			for (unsigned k = 0; k < s.n; k++)
				if (rows >> k & 1 && s.e[k][j])
					for (unsigned l = 0; l < s.n; l++)
						s.e[k][l] ^= s.e[i][l];
			break;
		}
	}
	return rank;
}

static void test_mask(void **unused)
{
	(void)unused;
	assert_true(loom_gf2_mask(0) == 0);
	assert_true(loom_gf2_mask(1) == 1);
	assert_true(loom_gf2_mask(63) == UINT64_MAX >> 1);
	assert_true(loom_gf2_mask(64) == UINT64_MAX);
}

static void test_identity_and_validity(void **unused)
{
	(void)unused;
	for (unsigned s = 0; s < N_SIZES; s++) {
		unsigned n = sizes[s];
		struct loom_gf2 a;
		memset(&a, 0xff, sizeof a);
		loom_gf2_identity(&a, n);
		check(loom_gf2_is_valid(&a), 0);
		for (unsigned i = 0; i < 64; i++)
			check(a.row[i] == (i < n ? (uint64_t)1 << i : 0), 0);
		check(loom_gf2_rank(&a) == n, 0);
		if (n < 64) {
			a.row[n - 1] |= (uint64_t)1 << n;
			check(!loom_gf2_is_valid(&a), 0);
			loom_gf2_identity(&a, n);
			a.row[n] = 1;
			check(!loom_gf2_is_valid(&a), 0);
		}
		loom_gf2_identity(&a, n);
		a.n = 0;
		assert_false(loom_gf2_is_valid(&a));
		a.n = 65;
		assert_false(loom_gf2_is_valid(&a));
	}
}

static void test_zero(void **unused)
{
	(void)unused;
	for (unsigned s = 0; s < N_SIZES; s++) {
		unsigned n = sizes[s];
		struct loom_gf2 zero = {.n = n}, untouched, before;
		loom_gf2_identity(&untouched, n);
		before = untouched;
		check(loom_gf2_is_valid(&zero), 0);
		check(loom_gf2_rank(&zero) == 0, 0);
		check(loom_gf2_apply(&zero, UINT64_MAX) == 0, 0);
		check(!loom_gf2_inverse(&untouched, &zero), 0);
		check(!memcmp(&untouched, &before, sizeof before), 0);
	}
}

static void test_products(void **unused)
{
	(void)unused;
	for (unsigned s = 0; s < N_SIZES; s++)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			unsigned n = sizes[s];
			uint64_t state = seed;
			struct loom_gf2 a = random_matrix(n, &state), b = random_matrix(n, &state), c, t, alias;
			struct slow sa = slowly(&a), sb = slowly(&b);
			uint64_t x = loom_splitmix64(&state) & loom_gf2_mask(n), y = loom_gf2_apply(&a, x);
			loom_gf2_product(&c, &a, &b);
			loom_gf2_transpose(&t, &a);
			check(loom_gf2_is_valid(&a) && loom_gf2_is_valid(&c) && loom_gf2_is_valid(&t), seed);
			check((y & ~loom_gf2_mask(n)) == 0, seed);
			for (unsigned i = 0; i < n; i++) {
				unsigned dot = 0;
				for (unsigned j = 0; j < n; j++) {
					unsigned sum = 0;
					for (unsigned k = 0; k < n; k++)
						sum ^= sa.e[i][k] & sb.e[k][j];
					check((c.row[i] >> j & 1) == sum, seed);
					check((t.row[j] >> i & 1) == sa.e[i][j], seed);
					dot ^= sa.e[i][j] & (unsigned)(x >> j & 1);
				}
				check((y >> i & 1) == dot, seed);
			}
			alias = a;
			loom_gf2_product(&alias, &alias, &b);
			check(!memcmp(&alias, &c, sizeof c), seed);
			alias = b;
			loom_gf2_product(&alias, &a, &alias);
			check(!memcmp(&alias, &c, sizeof c), seed);
			alias = a;
			loom_gf2_transpose(&alias, &alias);
			check(!memcmp(&alias, &t, sizeof t), seed);
		}
}

static void test_rank(void **unused)
{
	(void)unused;
	for (unsigned s = 0; s < N_SIZES; s++)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			unsigned n = sizes[s];
			uint64_t state = seed, rows = loom_splitmix64(&state), columns = loom_splitmix64(&state);
			struct loom_gf2 a = random_matrix(n, &state), t;
			struct slow slow = slowly(&a);
			loom_gf2_transpose(&t, &a);
			check(loom_gf2_rank(&a) == slow_rank(slow, UINT64_MAX, UINT64_MAX), seed);
			check(loom_gf2_rank(&t) == loom_gf2_rank(&a), seed);
			check(loom_gf2_rank_of(&a, rows, columns) == slow_rank(slow, rows, columns), seed);
			check(loom_gf2_rank_of(&t, columns, rows) == slow_rank(slow, rows, columns), seed);
			check(loom_gf2_rank_of(&a, 0, columns) == 0 && loom_gf2_rank_of(&a, rows, 0) == 0, seed);
		}
}

static void test_inverse(void **unused)
{
	(void)unused;
	for (unsigned s = 0; s < N_SIZES; s++) {
		unsigned n = sizes[s], n_inverted = 0;
		struct loom_gf2 identity;
		loom_gf2_identity(&identity, n);
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			uint64_t state = seed;
			struct loom_gf2 a = random_matrix(n, &state), inverse = {.n = 7}, c;
			bool done = loom_gf2_inverse(&inverse, &a);
			check(done == (loom_gf2_rank(&a) == n), seed);
			if (!done) {
				check(inverse.n == 7 && inverse.row[0] == 0, seed);
				continue;
			}
			n_inverted++;
			loom_gf2_product(&c, &a, &inverse);
			check(!memcmp(&c, &identity, sizeof c), seed);
			loom_gf2_product(&c, &inverse, &a);
			check(!memcmp(&c, &identity, sizeof c), seed);
			c = a;
			check(loom_gf2_inverse(&c, &c) && !memcmp(&c, &inverse, sizeof c), seed);
		}
		assert_true(n_inverted > 0);
	}
}

static void test_reorder(void **unused)
{
	(void)unused;
	for (unsigned s = 0; s < N_SIZES; s++)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			unsigned n = sizes[s], order[64];
			uint64_t state = seed;
			struct loom_gf2 a = random_matrix(n, &state), d, alias;
			uint64_t x = loom_splitmix64(&state) & loom_gf2_mask(n);
			random_order(order, n, &state);
			loom_gf2_reorder(&d, &a, order);
			check(loom_gf2_is_valid(&d), seed);
			for (unsigned i = 0; i < n; i++)
				for (unsigned j = 0; j < n; j++)
					check((d.row[i] >> j & 1) == (a.row[order[i]] >> order[j] & 1), seed);
			uint64_t moved = loom_gf2_reorder_vector(x, n, order);
			for (unsigned i = 0; i < n; i++)
				check((moved >> i & 1) == (x >> order[i] & 1), seed);
			check(n == 64 || moved >> n == 0, seed);
			// Q A x = (Q A Q^-1) Q x
			check(loom_gf2_apply(&d, moved) == loom_gf2_reorder_vector(loom_gf2_apply(&a, x), n, order),
			      seed);
			alias = a;
			loom_gf2_reorder(&alias, &alias, order);
			check(!memcmp(&alias, &d, sizeof d), seed);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mask),    cmocka_unit_test(test_identity_and_validity),
		cmocka_unit_test(test_zero),    cmocka_unit_test(test_products),
		cmocka_unit_test(test_rank),    cmocka_unit_test(test_inverse),
		cmocka_unit_test(test_reorder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
