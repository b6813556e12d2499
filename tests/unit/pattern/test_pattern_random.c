// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Random patterns, and what they are made from.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/help/patterns.h"
#include "base/rng.h"

enum { BITS = 10, NODES = 1 << BITS }; // the largest that most tests here look at

static void test_rng(void **state)
{
	(void)state;
	// The published sequences of the two generators.
	uint64_t seed = 1234567;
	static const uint64_t split[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
	                                 UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
	                                 UINT64_C(16408922859458223821)};
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(loom_splitmix64(&seed), split[i]);
	struct loom_rng rng = {.s = {1, 2, 3, 4}};
	static const uint64_t xoshiro[] = {11520, 0, 1509978240, UINT64_C(1215971899390074240)};
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(loom_rng_next(&rng), xoshiro[i]);

	loom_rng_init(&rng, 0);
	unsigned count[7] = {0};
	for (unsigned i = 0; i < 70000; i++)
		count[loom_rng_below(&rng, 7)]++;
	for (unsigned i = 0; i < 7; i++)
		assert_in_range(count[i], 9600, 10400); // four standard deviations
	// A remainder alone would give the first third twice as often as the others.
	unsigned third[3] = {0};
	for (unsigned i = 0; i < 30000; i++)
		third[loom_rng_below(&rng, UINT64_C(3) << 62) >> 62]++;
	for (unsigned i = 0; i < 3; i++)
		assert_in_range(third[i], 9600, 10400);
	for (unsigned i = 0; i < 100; i++) {
		assert_int_equal(loom_rng_below(&rng, 1), 0);
		assert_true(loom_rng_below(&rng, UINT64_MAX) < UINT64_MAX);
	}
}

static void assert_same(const struct loom_pattern *p, const struct loom_pattern *q, bool same)
{
	bool equal = p->n_messages == q->n_messages &&
	             memcmp(p->messages, q->messages, p->n_messages * sizeof *p->messages) == 0;
	assert_int_equal(equal, same);
}

static void test_random_is_seeded(void **state)
{
	(void)state;
	static const char *const specs[] = {"random-perm", "random-lcc:3", "random-lcs:3", "random-lcc:6",
	                                    "uniform:100"};
	for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
		struct loom_pattern_options options = {.flits = 1, .seed = 42};
		struct loom_pattern p = parse_with(specs[s], 64, &options), q = parse_with(specs[s], 64, &options);
		assert_same(&p, &q, true);
		loom_pattern_free(&q);
		options.seed = 43;
		q = parse_with(specs[s], 64, &options);
		assert_same(&p, &q, false);
		loom_pattern_free(&p);
		loom_pattern_free(&q);
	}
	// The same on every platform and in every version: experiments are named by their seed.
	struct loom_pattern p = parse("random-perm", 8);
	static const uint32_t perm[] = {6, 4, 2, 3, 5, 7, 1, 0}; // by a second implementation
	for (uint32_t x = 0; x < 8; x++)
		assert_int_equal(p.messages[x].destination, perm[x]);
	loom_pattern_free(&p);
}

static void test_random_perm(void **state)
{
	(void)state;
	unsigned at[4][4] = {{0}};
	for (uint64_t seed = 0; seed < 4000; seed++) {
		struct loom_pattern_options options = {.flits = 1, .seed = seed};
		struct loom_pattern p = parse_with("random-perm", 4, &options);
		unsigned seen = 0;
		for (uint32_t x = 0; x < 4; x++) {
			seen |= 1u << p.messages[x].destination;
			at[x][p.messages[x].destination]++;
		}
		assert_int_equal(seen, 15);
		loom_pattern_free(&p);
	}
	for (unsigned i = 0; i < 16; i++)
		assert_in_range(at[i / 4][i % 4], 880, 1120); // four standard deviations of 1000
	struct loom_pattern p = parse("random-perm", 1000);
	bool seen[1000] = {false};
	for (uint32_t x = 0; x < 1000; x++) {
		assert_false(seen[p.messages[x].destination]);
		seen[p.messages[x].destination] = true;
	}
	loom_pattern_free(&p);
}

static void test_random_lcc(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 10; n++)
		for (unsigned rank = 0; rank <= n; rank++)
			for (uint64_t seed = 0; seed < 10; seed++) {
				struct loom_pattern_options options = {.flits = 1, .seed = seed};
				char spec[32];
				unsigned images = 0;
				bool seen[NODES] = {false};
				(void)snprintf(spec, sizeof spec, "random-%s:%u", seed % 2 ? "lcs" : "lcc", rank);
				struct loom_pattern p = parse_with(spec, 1u << n, &options);
				assert_int_equal(p.n_lccs, 1);
				assert_int_equal(p.lccs[0].kind, seed % 2    ? LOOM_LCC_SCATTER
				                                 : rank == n ? LOOM_LCC_PERMUTATION
				                                             : LOOM_LCC_GATHER);
				// Computes the rank from the number of destinations.
				for (size_t i = 0; i < p.n_messages; i++) {
					uint32_t y = seed % 2 ? p.messages[i].source : p.messages[i].destination;
					images += !seen[y];
					seen[y] = true;
				}
				if (images != 1u << rank)
					fail_msg("%s, n = %u, seed %" PRIu64 ": %u images", spec, n, seed, images);
				loom_pattern_free(&p);
			}
}

static void test_uniform(void **state)
{
	(void)state;
	struct loom_pattern p = parse("uniform:60000", 3);
	unsigned count[3][3] = {{0}};
	assert_int_equal(p.n_messages, 60000);
	for (size_t i = 0; i < p.n_messages; i++)
		count[p.messages[i].source][p.messages[i].destination]++;
	for (unsigned i = 0; i < 9; i++) {
		if (i % 4 == 0)
			assert_int_equal(count[i / 3][i % 3], 0);
		else
			assert_in_range(count[i / 3][i % 3], 9600, 10400);
	}
	loom_pattern_free(&p);
	p = parse("uniform:1", 2);
	assert_int_equal(p.n_messages, 1);
	loom_pattern_free(&p);
	p = parse("uniform:1048576", 1024);
	assert_int_equal(p.n_messages, LOOM_MESSAGES_MAX);
	loom_pattern_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rng),         cmocka_unit_test(test_random_is_seeded),
		cmocka_unit_test(test_random_perm), cmocka_unit_test(test_random_lcc),
		cmocka_unit_test(test_uniform),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
