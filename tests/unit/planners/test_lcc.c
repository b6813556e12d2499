// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/lcc.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include "base/rng.h"
#include "unit/help/lcc_sets.h"
#include "unit/help/orders.h"
#include "unit/help/golden_file.h"

// Walks every path of the communication under the order: load[dimension][from]. n <= 7.
static void walk(unsigned load[7][128], const struct loom_lcc *lcc, const unsigned *order)
{
	unsigned n = lcc->a.n;
	memset(load, 0, 7 * sizeof load[0]);
	for (unsigned v = 0; v < 1u << n; v++) {
		unsigned w = 0, from = 0, to = 0;
		for (unsigned i = 0; i < n; i++) { // w = A v + b, bit by bit
			unsigned sum = lcc->b >> i & 1;
			for (unsigned j = 0; j < n; j++)
				sum ^= (unsigned)(lcc->a.row[i] >> j & 1) & (v >> j & 1);
			w |= sum << i;
		}
		for (unsigned d = 0; d < n; d++) {
			from |= (v >> order[d] & 1) << d;
			to |= (w >> order[d] & 1) << d;
		}
		if (lcc->kind == LOOM_LCC_SCATTER) {
			unsigned t = from;
			from = to;
			to = t;
		}
		for (unsigned d = 0; d < n; d++)
			if ((from ^ to) >> d & 1) {
				load[d][from]++;
				from ^= 1u << d;
			}
	}
}

// True if every used channel of dimension d carries t[d] paths, and there is one if t[d] is not 0.
static bool theorem_holds(unsigned load[7][128], const uint64_t *t, unsigned n)
{
	for (unsigned d = 0; d < n; d++) {
		bool used = false;
		for (unsigned node = 0; node < 1u << n; node++) {
			used = used || load[d][node];
			if (load[d][node] && load[d][node] != t[d])
				return false;
		}
		if (used != (t[d] != 0))
			return false;
	}
	return true;
}

// --- Golden vectors. jansson knows no integer above 2^63-1, so such are made strings before it reads them. ---

static json_t *golden(const char *name)
{
	json_error_t error;
	FILE *file = fopen(golden_path(name), "rb");
	if (!file)
		fail_msg("cannot open %s", golden_path(name));
	fseek(file, 0, SEEK_END);
	size_t size = (size_t)ftell(file), used = 0;
	rewind(file);
	char *text = malloc(size + 1), *quoted = malloc(3 * size + 1);
	assert_non_null(text);
	assert_non_null(quoted);
	assert_int_equal(fread(text, 1, size, file), size);
	fclose(file);
	text[size] = 0;
	for (size_t i = 0; i < size;) {
		size_t digits = strspn(text + i, "0123456789");
		if (digits >= 19)
			quoted[used++] = '"';
		memcpy(quoted + used, text + i, digits ? digits : 1);
		used += digits ? digits : 1;
		if (digits >= 19)
			quoted[used++] = '"';
		i += digits ? digits : 1;
	}
	json_t *root = json_loadb(quoted, used, 0, &error);
	free(text);
	free(quoted);
	if (!root)
		fail_msg("%s: %s", golden_path(name), error.text);
	return root;
}

static uint64_t number(const json_t *value)
{
	assert_true(json_is_integer(value) || json_is_string(value));
	return json_is_string(value) ? strtoull(json_string_value(value), NULL, 10)
	                             : (uint64_t)json_integer_value(value);
}

static uint64_t number_of(const json_t *object, const char *key)
{
	return number(json_object_get(object, key));
}

static uint64_t number_at(const json_t *object, const char *key, size_t i)
{
	return number(json_array_get(json_object_get(object, key), i));
}

static struct loom_lcc lcc_of(const json_t *object, enum loom_lcc_kind kind)
{
	struct loom_lcc lcc = {.kind = kind, .a.n = (unsigned)number_of(object, "n"), .b = number_of(object, "b")};
	assert_int_equal(json_array_size(json_object_get(object, "A")), lcc.a.n);
	for (unsigned i = 0; i < lcc.a.n; i++)
		lcc.a.row[i] = number_at(object, "A", i);
	assert_true(loom_gf2_is_valid(&lcc.a));
	return lcc;
}

static void test_golden_theorem1(void **unused)
{
	(void)unused;
	json_t *root = golden("000_theorem1.json"), *item;
	size_t k;
	assert_true(json_array_size(json_object_get(root, "cases")) >= 60);
	json_array_foreach(json_object_get(root, "cases"), k, item) {
		struct loom_lcc gather = lcc_of(item, LOOM_LCC_GATHER), scatter = lcc_of(item, LOOM_LCC_SCATTER);
		unsigned n = gather.a.n;
		uint64_t t[LOOM_GF2_MAX];
		check(loom_gf2_rank(&gather.a) == number_of(item, "rank"), k);
		loom_lcc_contention(t, &gather);
		for (unsigned i = 0; i < n; i++)
			check(t[i] == number_at(item, "T_gather", i), k);
		loom_lcc_contention(t, &scatter);
		for (unsigned i = 0; i < n; i++)
			check(t[i] == number_at(item, "T_scatter", i), k);
	}
	json_decref(root);
}

static void test_golden_lcp_optimizer(void **unused)
{
	(void)unused;
	json_t *root = golden("000_lcp_optimizer.json"), *item;
	size_t k;
	assert_true(json_array_size(json_object_get(root, "cases")) >= 20);
	json_array_foreach(json_object_get(root, "cases"), k, item) {
		struct loom_lcc lcc = lcc_of(item, LOOM_LCC_PERMUTATION), placed = lcc;
		unsigned order[LOOM_GF2_MAX], n = lcc.a.n;
		uint64_t t[LOOM_GF2_MAX];
		check(loom_lcc_optimize_permutation(order, &lcc.a, NULL) == 0, k);
		loom_gf2_reorder(&placed.a, &lcc.a, order);
		placed.b = loom_gf2_reorder_vector(lcc.b, n, order);
		for (unsigned i = 0; i < n; i++) {
			check(order[i] == number_at(item, "R_fig3", i), k);
			check(placed.a.row[i] == number_at(item, "D", i), k);
			check(loom_gf2_rank_of(&placed.a, loom_gf2_mask(i + 1), loom_gf2_mask(i)) == i, k);
		}
		check(placed.b == number_of(item, "d"), k);
		loom_lcc_contention(t, &lcc);
		for (unsigned i = 0; json_object_get(item, "T_before") && i < n; i++)
			check(t[i] == number_at(item, "T_before", i), k);
	}
	json_decref(root);
}

static void test_golden_gather_and_scatter(void **unused)
{
	(void)unused;
	json_t *root = golden("000_lcg_lcs.json"), *item;
	size_t k;
	assert_true(json_array_size(json_object_get(root, "cases")) >= 13);
	json_array_foreach(json_object_get(root, "cases"), k, item) {
		struct loom_lcc gather = lcc_of(item, LOOM_LCC_GATHER), scatter = lcc_of(item, LOOM_LCC_SCATTER);
		unsigned n = gather.a.n, order[LOOM_GF2_MAX], theirs[LOOM_GF2_MAX], identity[LOOM_GF2_MAX];
		uint64_t optimum = number_of(item, "optimum");
		for (unsigned i = 0; i < n; i++)
			identity[i] = i;
		check(loom_lcc_optimum(&gather) == optimum && loom_lcc_optimum(&scatter) == optimum, k);
		loom_lcc_optimize(order, &gather);
		check(is_order(order, n) && loom_lcc_contention_under(&gather, order) == optimum, k);
		loom_lcc_optimize(order, &scatter);
		check(is_order(order, n) && loom_lcc_contention_under(&scatter, order) == optimum, k);
		for (unsigned i = 0; i < n; i++)
			theirs[i] = (unsigned)number_at(item, "gather_order", i);
		check(loom_lcc_contention_under(&gather, theirs) == optimum, k);
		check(loom_lcc_contention_under(&scatter, theirs) == number_of(item, "scatter_T_if_gather_order_used"),
		      k);
		for (unsigned i = 0; i < n; i++)
			theirs[i] = (unsigned)number_at(item, "scatter_order", i);
		check(loom_lcc_contention_under(&scatter, theirs) == optimum, k);
		check(loom_lcc_contention_under(&gather, identity) == number_of(item, "gather_T_identity"), k);
		check(loom_lcc_contention_under(&scatter, identity) == number_of(item, "scatter_T_identity"), k);
	}
	json_decref(root);
}

// --- Against walking every path, and against every order. ---

static void test_contention_is_what_paths_do(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 600; seed++) {
		uint64_t state = seed, t[LOOM_GF2_MAX], largest = 0;
		unsigned n = 1 + (unsigned)(seed % 7), order[LOOM_GF2_MAX], load[7][128];
		struct loom_lcc lcc = random_lcc_of((enum loom_lcc_kind)(seed / 7 % 3), n, &state), placed = lcc;
		random_order(order, n, &state);
		walk(load, &lcc, order);
		loom_gf2_reorder(&placed.a, &lcc.a, order);
		placed.b = loom_gf2_reorder_vector(lcc.b, n, order);
		loom_lcc_contention(t, &placed);
		check(theorem_holds(load, t, n), seed);
		for (unsigned i = 0; i < n; i++)
			largest = t[i] > largest ? t[i] : largest;
		check(loom_lcc_contention_under(&lcc, order) == largest, seed);
	}
}

// The formulas as docs/references.md has them, for n too large to walk.
static void test_contention_is_the_formula(void **unused)
{
	(void)unused;
	static const unsigned sizes[] = {1, 2, 31, 32, 33, 63, 64};
	for (uint64_t seed = 1; seed <= 210; seed++) {
		uint64_t state = seed, t[LOOM_GF2_MAX];
		unsigned n = sizes[seed % 7];
		struct loom_lcc lcc = random_lcc_of((enum loom_lcc_kind)(seed / 7 % 3), n, &state);
		loom_lcc_contention(t, &lcc);
		for (unsigned i = 0; i < n; i++) {
			uint64_t below = loom_gf2_mask(i), upto = loom_gf2_mask(i + 1);
			unsigned e = lcc.kind == LOOM_LCC_SCATTER ? n - 1 - i - loom_gf2_rank_of(&lcc.a, ~below, ~upto)
			                                          : i - loom_gf2_rank_of(&lcc.a, upto, below);
			bool none = lcc.a.row[i] == (uint64_t)1 << i && !(lcc.b >> i & 1);
			check(t[i] == (none ? 0 : (uint64_t)1 << e), seed);
		}
	}
}

static void test_optimum_is_that_of_all_orders(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 240; seed++) {
		uint64_t state = seed, best = UINT64_MAX, made;
		unsigned n = seed % 12 ? 1 + (unsigned)(seed % 5) : 6, order[LOOM_GF2_MAX], load[7][128];
		struct loom_lcc lcc = random_lcc_of((enum loom_lcc_kind)(seed / 5 % 3), n, &state);
		for (unsigned i = 0; i < n; i++)
			order[i] = i;
		do {
			uint64_t largest = 0;
			walk(load, &lcc, order);
			for (unsigned d = 0; d < n; d++)
				for (unsigned node = 0; node < 1u << n; node++)
					largest = load[d][node] > largest ? load[d][node] : largest;
			best = largest < best ? largest : best;
		} while (next_order(order, n));
		check(loom_lcc_optimum(&lcc) == best, seed);
		loom_lcc_optimize(order, &lcc);
		made = loom_lcc_contention_under(&lcc, order);
		check(is_order(order, n) && made == best, seed);
		if (lcc.kind == LOOM_LCC_PERMUTATION) {
			check(loom_lcc_optimize_permutation(order, &lcc.a, NULL) == 0, seed);
			check(is_order(order, n) && loom_lcc_contention_under(&lcc, order) == best, seed);
		}
	}
}

static void test_optimizers_at_large_n(void **unused)
{
	(void)unused;
	static const unsigned sizes[] = {1, 2, 16, 32, 63, 64};
	for (uint64_t seed = 1; seed <= 180; seed++) {
		uint64_t state = seed;
		unsigned n = sizes[seed % 6], order[LOOM_GF2_MAX];
		struct loom_lcc lcc = random_lcc_of((enum loom_lcc_kind)(seed / 6 % 3), n, &state);
		loom_lcc_optimize(order, &lcc);
		check(is_order(order, n), seed);
		check(loom_lcc_contention_under(&lcc, order) == loom_lcc_optimum(&lcc), seed);
		if (lcc.kind == LOOM_LCC_PERMUTATION) {
			check(loom_lcc_optimize_permutation(order, &lcc.a, NULL) == 0 && is_order(order, n), seed);
			check(loom_lcc_contention_under(&lcc, order) == loom_lcc_optimum(&lcc), seed);
		}
	}
}

// Returns the rank of the rows and columns in the sets.
static unsigned rank_of(const struct loom_gf2 *a, uint64_t rows, uint64_t columns)
{
	struct loom_gf2 part = {.n = a->n};
	for (unsigned i = 0; i < a->n; i++)
		part.row[i] = rows >> i & 1 ? a->row[i] & columns : 0;
	return loom_gf2_rank(&part);
}

// By definition: last goes the highest column whose loss costs no rank, or the highest of all; a scatter's other end.
static void test_orders_by_definition(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		uint64_t state = seed;
		unsigned n = 1 + (unsigned)(seed % 20), order[LOOM_GF2_MAX];
		struct loom_lcc lcc = random_lcc_of((enum loom_lcc_kind)(seed % 3), n, &state);
		bool scatter = lcc.kind == LOOM_LCC_SCATTER;
		uint64_t set = loom_gf2_mask(n);
		loom_lcc_optimize(order, &lcc);
		for (unsigned k = n; k > 0; k--) {
			unsigned j = n;
			for (unsigned pass = 0; pass < 2 && j == n; pass++) // pass 1: any column will do
				for (unsigned i = 0; i < n && j == n; i++) {
					unsigned c = scatter ? i : n - 1 - i;
					uint64_t rest = set & ~((uint64_t)1 << c);
					if (set >> c & 1 &&
					    (pass == 1 || rank_of(&lcc.a, set, rest) == rank_of(&lcc.a, set, set)))
						j = c;
				}
			check(order[scatter ? n - k : k - 1] == j, seed);
			set &= ~((uint64_t)1 << j);
		}
	}
}

static void test_edges(void **unused)
{
	(void)unused;
	static const unsigned sizes[] = {1, 2, 63, 64};
	for (unsigned s = 0; s < 4; s++)
		for (unsigned kind = 0; kind < 3; kind++) {
			unsigned n = sizes[s], order[LOOM_GF2_MAX];
			uint64_t t[LOOM_GF2_MAX];
			struct loom_lcc identity = {.kind = (enum loom_lcc_kind)kind}, zero = identity;
			loom_gf2_identity(&identity.a, n);
			zero.a.n = n;
			loom_lcc_optimize(order, &identity);
			check(is_order(order, n) && loom_lcc_optimum(&identity) == 0, kind);
			check(loom_lcc_contention_under(&identity, order) == 0, kind);
			for (unsigned i = 0; i < n; i++)
				check(order[i] == i, i); // nothing needs to move
			identity.b = (uint64_t)1 << (n - 1);
			check(loom_lcc_optimum(&identity) == 1, kind);
			loom_lcc_contention(t, &identity);
			for (unsigned i = 0; i < n; i++)
				check(t[i] == (i == n - 1), kind);
			// Everything to (or from) node 0: 2^i, or 2^(n-1-i), whatever the order.
			loom_lcc_contention(t, &zero);
			for (unsigned i = 0; i < n; i++)
				check(t[i] == (uint64_t)1 << (kind == LOOM_LCC_SCATTER ? n - 1 - i : i), kind);
			loom_lcc_optimize(order, &zero);
			check(is_order(order, n) && loom_lcc_optimum(&zero) == (uint64_t)1 << (n - 1), kind);
			for (unsigned i = 0; i < n; i++)
				check(order[i] == i, i);
			check(loom_lcc_contention_under(&zero, order) == loom_lcc_optimum(&zero), kind);
		}
}

static void test_singular_is_refused(void **unused)
{
	(void)unused;
	static const unsigned sizes[] = {1, 2, 3, 8, 63, 64};
	for (uint64_t seed = 1; seed <= 240; seed++) {
		uint64_t state = seed;
		unsigned n = sizes[seed % 6], order[LOOM_GF2_MAX];
		struct loom_err err = {0};
		struct loom_gf2 zero = {.n = n};
		struct loom_lcc lcc = random_lcc_of(LOOM_LCC_PERMUTATION, n, &state);
		memset(order, 0x5a, sizeof order);
		check(loom_lcc_optimize_permutation(order, &zero, &err) == LOOM_EINPUT && err.code == LOOM_EINPUT,
		      seed);
		// Rank n-1: one row is the sum of all others. Every dimension but the last may still go well.
		unsigned spoilt = (unsigned)(loom_splitmix64(&state) % n);
		lcc.a.row[spoilt] = 0;
		for (unsigned i = 0; i < n; i++)
			if (i != spoilt)
				lcc.a.row[spoilt] ^= lcc.a.row[i];
		err.text[0] = 0;
		check(loom_lcc_optimize_permutation(order, &lcc.a, &err) == LOOM_EINPUT, seed);
		check(strstr(err.text, "singular") != NULL && !strchr(err.text, '\n'), seed);
		for (unsigned i = 0; i < LOOM_GF2_MAX; i++)
			check(order[i] == 0x5a5a5a5a, seed);
		check(loom_lcc_optimize_permutation(order, &lcc.a, NULL) == LOOM_EINPUT, seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden_theorem1),
		cmocka_unit_test(test_golden_lcp_optimizer),
		cmocka_unit_test(test_golden_gather_and_scatter),
		cmocka_unit_test(test_contention_is_what_paths_do),
		cmocka_unit_test(test_contention_is_the_formula),
		cmocka_unit_test(test_optimum_is_that_of_all_orders),
		cmocka_unit_test(test_optimizers_at_large_n),
		cmocka_unit_test(test_orders_by_definition),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_singular_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
