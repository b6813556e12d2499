// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/lcc_set.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include <flitloom/math/lcc.h>

#include "base/rng.h"
#include "unit/help/lcc_sets.h"
#include "unit/help/orders.h"
#include "unit/help/golden_file.h"

#define MEMORY ((uint64_t)1 << 28)
static const char *const names[] = {"maxmax", "maxsum", "sumsum"};

// Rank of rows x columns by elimination element by element.
static unsigned slow_rank(const struct loom_gf2 *a, const unsigned *rows, unsigned n_rows, const unsigned *columns,
                          unsigned n_columns)
{
	unsigned char e[64][64];
	unsigned rank = 0;
	for (unsigned i = 0; i < n_rows; i++)
		for (unsigned j = 0; j < n_columns; j++)
			e[i][j] = a->row[rows[i]] >> columns[j] & 1;
	for (unsigned j = 0; j < n_columns; j++) {
		unsigned p = rank;
		while (p < n_rows && !e[p][j])
			p++;
		if (p == n_rows)
			continue;
		for (unsigned l = 0; l < n_columns; l++) {
			unsigned char t = e[p][l];
			e[p][l] = e[rank][l];
			e[rank][l] = t;
		}
		for (unsigned k = rank + 1; k < n_rows; k++)
			if (e[k][j])
				for (unsigned l = 0; l < n_columns; l++)
					e[k][l] ^= e[rank][l];
		rank++;
	}
	return rank;
}

// The objective straight from Theorem 1 and the definitions, without the library.
static uint64_t slow_value(const struct loom_lcc *lccs, unsigned m, const unsigned *order,
                           enum loom_objective objective)
{
	unsigned n = lccs[0].a.n;
	uint64_t maxmax = 0, maxsum = 0, sumsum = 0;
	for (unsigned i = 0; i < n; i++) {
		uint64_t sum = 0;
		for (unsigned r = 0; r < m; r++) {
			const struct loom_gf2 *a = &lccs[r].a;
			unsigned e = lccs[r].kind == LOOM_LCC_SCATTER
			                     ? n - 1 - i - slow_rank(a, order + i, n - i, order + i + 1, n - 1 - i)
			                     : i - slow_rank(a, order, i + 1, order, i);
			bool none = a->row[order[i]] == (uint64_t)1 << order[i] && !(lccs[r].b >> order[i] & 1);
			uint64_t t = none ? 0 : (uint64_t)1 << e;
			sum += t;
			maxmax = t > maxmax ? t : maxmax;
		}
		maxsum = sum > maxsum ? sum : maxsum;
		sumsum += sum;
	}
	return objective == LOOM_MAXMAX ? maxmax : objective == LOOM_MAXSUM ? maxsum : sumsum;
}

// Runs all three, checks what must hold of any answer, and returns the values.
static void optimize_all(uint64_t value[3], const struct loom_lcc *lccs, unsigned m, uint64_t seed)
{
	unsigned n = lccs[0].a.n;
	for (unsigned o = 0; o < 3; o++) {
		enum loom_objective objective = (enum loom_objective)o;
		struct loom_set_result result;
		struct loom_err err = {0};
		if (loom_lcc_set_optimize(&result, lccs, m, objective, &(struct loom_set_limits){.max_bytes = MEMORY},
		                          &err))
			fail_msg("seed %" PRIu64 ", n %u, %s: %s", seed, n, names[o], err.text);
		check(is_order(result.order, n), seed);
		check(result.lower_bound == result.value && result.bytes <= MEMORY, seed);
		check(loom_lcc_set_value(lccs, m, result.order, objective) == result.value, seed);
		check(slow_value(lccs, m, result.order, objective) == result.value, seed);
		value[o] = result.value;
	}
}

static void test_golden(void **unused)
{
	(void)unused;
	size_t k, r;
	json_t *item, *comm;
	json_t *root = golden_json("000_set_dp.json");
	assert_true(json_array_size(json_object_get(root, "cases")) >= 18);
	json_array_foreach(json_object_get(root, "cases"), k, item) {
		struct loom_lcc lccs[16];
		unsigned n = (unsigned)json_integer_value(json_object_get(item, "n"));
		uint64_t value[3];
		json_t *comms = json_object_get(item, "comms");
		assert_in_range(json_array_size(comms), 1, 16);
		json_array_foreach(comms, r, comm) {
			bool scatter = !strcmp(json_string_value(json_object_get(comm, "kind")), "scatter");
			lccs[r] = (struct loom_lcc){.a.n = n};
			lccs[r].b = (uint64_t)json_integer_value(json_object_get(comm, "b"));
			for (unsigned i = 0; i < n; i++)
				lccs[r].a.row[i] =
					(uint64_t)json_integer_value(json_array_get(json_object_get(comm, "A"), i));
			assert_true(loom_gf2_is_valid(&lccs[r].a));
			lccs[r].kind = scatter                          ? LOOM_LCC_SCATTER
			               : loom_gf2_rank(&lccs[r].a) == n ? LOOM_LCC_PERMUTATION
			                                                : LOOM_LCC_GATHER;
		}
		optimize_all(value, lccs, (unsigned)json_array_size(comms), k);
		for (unsigned o = 0; o < 3; o++) {
			json_t *objective = json_object_get(item, names[o]),
			       *theirs = json_object_get(objective, "one_order");
			unsigned order[LOOM_GF2_MAX];
			check(json_is_integer(json_object_get(objective, "optimum")), k);
			check(value[o] == (uint64_t)json_integer_value(json_object_get(objective, "optimum")), k);
			for (unsigned i = 0; i < n; i++)
				order[i] = (unsigned)json_integer_value(json_array_get(theirs, i));
			check(loom_lcc_set_value(lccs, (unsigned)json_array_size(comms), order,
			                         (enum loom_objective)o) == value[o],
			      k);
		}
	}
	json_decref(root);
}

static void test_against_all_orders(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 400; seed++) {
		uint64_t state = seed, best[3] = {UINT64_MAX, UINT64_MAX, UINT64_MAX}, value[3];
		unsigned n = seed % 16 ? 1 + (unsigned)(seed % 5) : 6, order[LOOM_GF2_MAX];
		struct loom_lcc lccs[4];
		unsigned m = random_set(lccs, n, 4, &state);
		for (unsigned i = 0; i < n; i++)
			order[i] = i;
		do
			for (unsigned o = 0; o < 3; o++) {
				uint64_t v = slow_value(lccs, m, order, (enum loom_objective)o);
				best[o] = v < best[o] ? v : best[o];
			}
		while (next_order(order, n));
		optimize_all(value, lccs, m, seed);
		for (unsigned o = 0; o < 3; o++)
			check(value[o] == best[o], seed);
	}
}

// The dynamic programme of [Hou01], section 5, one slow rank after the other, no short cuts; all three objectives. n <= 11.
static void slow_programme(uint64_t value[3], const struct loom_lcc *lccs, unsigned m)
{
	static uint64_t best[3][1 << 11];
	unsigned n = lccs[0].a.n;
	for (uint32_t set = 0; set < 1u << n; set++) {
		unsigned in[64], out[65], n_in = 0, n_out = 0, others[64];
		for (unsigned i = 0; i < n; i++) {
			if (set >> i & 1)
				in[n_in++] = i;
			else
				out[n_out++] = i;
		}
		for (unsigned o = 0; o < 3; o++)
			best[o][set] = set ? UINT64_MAX : 0;
		for (unsigned k = 0; k < n_in; k++) {
			uint64_t sum = 0, largest = 0;
			unsigned j = in[k], n_others = 0;
			for (unsigned i = 0; i < n_in; i++)
				if (i != k)
					others[n_others++] = in[i];
			out[n_out] = j;
			for (unsigned r = 0; r < m; r++) {
				const struct loom_gf2 *a = &lccs[r].a;
				unsigned e = lccs[r].kind == LOOM_LCC_SCATTER
				                     ? n_out - slow_rank(a, out, n_out + 1, out, n_out)
				                     : n_others - slow_rank(a, in, n_in, others, n_others);
				uint64_t t =
					a->row[j] == (uint64_t)1 << j && !(lccs[r].b >> j & 1) ? 0 : (uint64_t)1 << e;
				sum += t;
				largest = t > largest ? t : largest;
			}
			for (unsigned o = 0; o < 3; o++) {
				uint64_t before = best[o][set & ~(1u << j)], here = o == LOOM_MAXMAX ? largest : sum;
				uint64_t v = o == LOOM_SUMSUM ? before + here : before > here ? before : here;
				best[o][set] = v < best[o][set] ? v : best[o][set];
			}
		}
	}
	for (unsigned o = 0; o < 3; o++)
		value[o] = best[o][(1u << n) - 1];
}

static void test_against_slow_programme(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		uint64_t state = seed, slow[3], value[3];
		unsigned n = seed % 20 ? 7 + (unsigned)(seed % 3) : 11;
		struct loom_lcc lccs[4];
		unsigned m = random_set(lccs, n, 4, &state);
		slow_programme(slow, lccs, m);
		optimize_all(value, lccs, m, seed);
		for (unsigned o = 0; o < 3; o++)
			check(value[o] == slow[o], seed);
	}
}

// One communication alone: the optimum is known at any n.
static void test_single_member(void **unused)
{
	(void)unused;
	static const unsigned sizes[] = {1, 2, 16, 33, 63, 64};
	for (uint64_t seed = 1; seed <= 120; seed++) {
		uint64_t state = seed;
		unsigned n = sizes[seed % 6];
		struct loom_lcc lcc = random_lcc(n, &state);
		struct loom_set_result result;
		struct loom_err err;
		if (loom_lcc_set_optimize(&result, &lcc, 1, LOOM_MAXMAX, &(struct loom_set_limits){.max_bytes = MEMORY},
		                          &err))
			fail_msg("seed %" PRIu64 ", n %u: %s", seed, n, err.text);
		check(result.value == loom_lcc_optimum(&lcc), seed);
		check(is_order(result.order, n), seed);
		check(loom_lcc_set_value(&lcc, 1, result.order, LOOM_MAXMAX) == result.value, seed);
		check(loom_lcc_contention_under(&lcc, result.order) == result.value, seed);
	}
}

static void test_large_sets(void **unused)
{
	(void)unused;
	static const unsigned sizes[] = {16, 32, 64};
	struct loom_lcc lccs[3];
	struct loom_set_result result;
	for (unsigned s = 0; s < 3; s++) {
		unsigned n = sizes[s];
		named_three(lccs, n);
		check(loom_lcc_set_optimize(&result, lccs, 3, LOOM_MAXMAX,
		                            &(struct loom_set_limits){.max_bytes = MEMORY}, NULL) == 0,
		      0);
		check(result.value == 2 && slow_value(lccs, 3, result.order, LOOM_MAXMAX) == 2, 0);
	}
	for (uint64_t seed = 1; seed <= 20; seed++) {
		uint64_t state = seed, bound = 0;
		unsigned n = 20 + (unsigned)(seed % 13), m = random_set(lccs, n, 3, &state);
		struct loom_err err;
		if (loom_lcc_set_optimize(&result, lccs, m, LOOM_MAXMAX, &(struct loom_set_limits){.max_bytes = MEMORY},
		                          &err))
			fail_msg("seed %" PRIu64 ", n %u: %s", seed, n, err.text);
		for (unsigned r = 0; r < m; r++)
			bound = loom_lcc_optimum(&lccs[r]) > bound ? loom_lcc_optimum(&lccs[r]) : bound;
		check(result.value >= bound, seed);
		check(is_order(result.order, n), seed);
		check(slow_value(lccs, m, result.order, LOOM_MAXMAX) == result.value, seed);
	}
}

// Values that fit neither 16 nor 32 bits: many copies of "everything to node 0".
static void test_wide_sums(void **unused)
{
	(void)unused;
	enum { N = 17, M = 40000 };
	unsigned n = N;
	struct loom_lcc *lccs = calloc(M, sizeof *lccs);
	struct loom_set_result result;
	uint64_t one = loom_gf2_mask(N);
	assert_non_null(lccs);
	for (unsigned r = 0; r < M; r++)
		lccs[r] = (struct loom_lcc){.kind = LOOM_LCC_GATHER, .a.n = N};
	static const unsigned counts[] = {1, 2, 40000};
	for (unsigned k = 0; k < 3; k++) {
		uint64_t m = counts[k];
		check(loom_lcc_set_optimize(&result, lccs, counts[k], LOOM_SUMSUM,
		                            &(struct loom_set_limits){.max_bytes = MEMORY}, NULL) == 0,
		      m);
		check(result.value == m * one && result.bytes >= (m > 2 ? 8u : 4u) << N, m);
		check(loom_lcc_set_optimize(&result, lccs, counts[k], LOOM_MAXSUM,
		                            &(struct loom_set_limits){.max_bytes = MEMORY}, NULL) == 0,
		      m);
		check(result.value == m << (N - 1), m);
	}
	free(lccs);
}

static void test_no_traffic(void **unused)
{
	(void)unused;
	static const unsigned sizes[] = {1, 2, 63, 64};
	for (unsigned s = 0; s < 4; s++)
		for (unsigned o = 0; o < 3; o++) {
			unsigned n = sizes[s];
			struct loom_lcc lccs[2] = {0};
			struct loom_set_result result;
			loom_gf2_identity(&lccs[0].a, n);
			lccs[1] = lccs[0];
			check(loom_lcc_set_optimize(&result, lccs, 2, (enum loom_objective)o,
			                            &(struct loom_set_limits){.max_bytes = MEMORY}, NULL) == 0,
			      o);
			check(result.value == 0 && is_order(result.order, n), o);
			// A single dimension in use: 64 dimensions are then no harder than one.
			lccs[1].b = (uint64_t)1 << (n - 1);
			check(loom_lcc_set_optimize(&result, lccs, 2, (enum loom_objective)o,
			                            &(struct loom_set_limits){.max_bytes = MEMORY}, NULL) == 0,
			      o);
			check(result.value == 1 && is_order(result.order, n), o);
			check(loom_lcc_set_value(lccs, 2, result.order, (enum loom_objective)o) == 1, o);
		}
}

static void test_names(void **unused)
{
	(void)unused;
	enum loom_objective objective;
	struct loom_err err;
	for (unsigned o = 0; o < 3; o++) {
		assert_string_equal(loom_objective_name((enum loom_objective)o), names[o]);
		assert_int_equal(loom_objective_parse(&objective, names[o], &err), 0);
		assert_int_equal(objective, o);
	}
	assert_int_equal(loom_objective_parse(&objective, "max", &err), LOOM_EINPUT);
	assert_int_equal(objective, LOOM_SUMSUM); // untouched
	assert_non_null(strstr(err.text, "maxsum"));
	assert_int_equal(loom_objective_parse(&objective, "", NULL), LOOM_EINPUT);
}

static bool stop(void *calls, double done)
{
	assert_true(done >= 0 && done <= 1);
	(*(unsigned *)calls)++;
	return true;
}

static bool go_on(void *calls, double done)
{
	assert_true(done >= 0 && done <= 1);
	(*(unsigned *)calls)++;
	return false;
}

static void test_limits(void **unused)
{
	(void)unused;
	struct loom_lcc lccs[4] = {0};
	struct loom_set_result result, before;
	struct loom_err err;
	unsigned calls = 0;
	memset(&result, 0x5a, sizeof result);
	before = result;

	assert_int_equal(loom_lcc_set_optimize(&result, lccs, 0, LOOM_MAXMAX,
	                                       &(struct loom_set_limits){.max_bytes = MEMORY}, &err),
	                 LOOM_EINPUT);
	named_three(lccs, 8);
	named_three(lccs + 1, 10);
	assert_int_equal(loom_lcc_set_optimize(&result, lccs, 2, LOOM_MAXMAX,
	                                       &(struct loom_set_limits){.max_bytes = MEMORY}, &err),
	                 LOOM_EINPUT);

	// 2^26 16-bit entries do not fit into 64 MiB, 2^24 do.
	named_three(lccs, 26);
	const uint64_t room = (uint64_t)1 << 26;
	assert_int_equal(loom_lcc_set_optimize(&result, lccs, 3, LOOM_SUMSUM,
	                                       &(struct loom_set_limits){.max_bytes = room}, &err),
	                 LOOM_EINPUT);
	assert_non_null(strstr(err.text, "enough for 24"));
	named_three(lccs, 64);
	assert_int_equal(loom_lcc_set_optimize(&result, lccs, 3, LOOM_SUMSUM,
	                                       &(struct loom_set_limits){.max_bytes = UINT64_MAX}, &err),
	                 LOOM_EINPUT);
	named_three(lccs, 16);
	assert_int_equal(
		loom_lcc_set_optimize(&result, lccs, 3, LOOM_SUMSUM, &(struct loom_set_limits){.max_bytes = 0}, &err),
		LOOM_EINPUT);
	assert_int_equal(
		loom_lcc_set_optimize(&result, lccs, 3, LOOM_MAXMAX, &(struct loom_set_limits){.max_bytes = 100}, &err),
		LOOM_ENOMEM);

	// Many sets, little room: the search ends and says so.
	uint64_t state = 1;
	for (unsigned r = 0; r < 4; r++) {
		do
			lccs[r] = random_lcc(32, &state);
		while (__builtin_popcountll(lccs[r].a.row[0]) != 1 || loom_gf2_rank(&lccs[r].a) < 32);
	}
	assert_int_equal(loom_lcc_set_optimize(&result, lccs, 4, LOOM_MAXMAX,
	                                       &(struct loom_set_limits){.max_bytes = 16384}, &err),
	                 LOOM_ENOMEM);
	assert_true(!memcmp(&result, &before, sizeof result));

	named_three(lccs, 25);
	assert_int_equal(loom_lcc_set_optimize(&result, lccs, 3, LOOM_SUMSUM,
	                                       &(struct loom_set_limits){MEMORY, stop, &calls}, &err),
	                 LOOM_ETIMEOUT);
	assert_int_equal(calls, 1);
	assert_true(!memcmp(&result, &before, sizeof result));
	named_three(lccs, 16);
	assert_int_equal(loom_lcc_set_optimize(&result, lccs, 3, LOOM_SUMSUM,
	                                       &(struct loom_set_limits){MEMORY, go_on, &calls}, &err),
	                 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_against_all_orders),
		cmocka_unit_test(test_against_slow_programme),
		cmocka_unit_test(test_single_member),
		cmocka_unit_test(test_large_sets),
		cmocka_unit_test(test_wide_sums),
		cmocka_unit_test(test_no_traffic),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
