// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The slow reference's ranks and loads of cubes against counting, loads by hand, and Theorem 1 of [Hou01] in the golden vectors.
#include "reference/reference.h"
#include "unit/help/golden_file.h"
#include "unit/help/matrix_image.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define N_NODES_MAX (1u << REF_DIMS_MAX)

// Rank of rows r0..r1-1, columns c0..c1-1.
static unsigned sub_rank(const unsigned *row, unsigned r0, unsigned r1, unsigned c0, unsigned c1)
{
	bool matrix[64];
	unsigned n_cols = c1 - c0;
	int rank;

	for (unsigned r = r0; r < r1; r++) {
		for (unsigned c = c0; c < c1; c++)
			matrix[(r - r0) * n_cols + (c - c0)] = (row[r] >> c) & 1u;
	}
	rank = ref_rank(matrix, r1 - r0, n_cols);
	assert_true(rank >= 0);
	return (unsigned)rank;
}

// Exactly 2^(n_rows - rank) of the 2^n_rows sums of rows are zero.
static int rank_by_counting(const unsigned *row, unsigned n_rows)
{
	unsigned n_zero = 0;
	int rank = (int)n_rows;

	for (unsigned pick = 0; pick < (1u << n_rows); pick++) {
		unsigned sum = 0;

		for (unsigned r = 0; r < n_rows; r++)
			sum ^= (pick >> r) & 1u ? row[r] : 0;
		n_zero += sum == 0;
	}
	for (; n_zero > 1; n_zero >>= 1)
		rank--;
	return rank;
}

static void test_rank_edges(void **state)
{
	(void)state;
	bool one = true;
	bool zero = false;
	bool identity[65 * 65] = {false};

	assert_int_equal(ref_rank(&one, 1, 1), 1);
	assert_int_equal(ref_rank(&zero, 1, 1), 0);
	assert_int_equal(ref_rank(&one, 0, 0), 0);
	assert_int_equal(ref_rank(&one, 1, 0), 0);
	assert_int_equal(ref_rank(&one, 0, 1), 0);
	for (unsigned i = 0; i < 65; i++)
		identity[i * 65 + i] = true;
	assert_int_equal(ref_rank(identity, 65, 65), 65);
}

static void test_rank_against_counting(void **state)
{
	(void)state;
	uint32_t seed = 20260001u;

	for (unsigned round = 0; round < 500; round++) {
		unsigned row[8];
		bool matrix[64];
		unsigned n_rows = round % 9;
		unsigned n_cols = 1 + round / 9 % 8;

		for (unsigned r = 0; r < n_rows; r++) {
			seed = seed * 1664525u + 1013904223u;
			row[r] = (seed >> 16) & ((1u << n_cols) - 1);
			for (unsigned c = 0; c < n_cols; c++)
				matrix[r * n_cols + c] = (row[r] >> c) & 1u;
		}
		if (ref_rank(matrix, n_rows, n_cols) != rank_by_counting(row, n_rows))
			fail_msg("round %u, %u x %u", round, n_rows, n_cols);
	}
}

static void test_load_by_hand(void **state)
{
	(void)state;
	const unsigned source[] = {0, 1, 2, 3};
	const unsigned destination[] = {3, 3, 2, 0};
	unsigned load[8];
	const unsigned up[8] = {1, 0, 0, 2, 0, 1, 1, 0};   // 0-1-3, 1-3, -, 3-2-0
	const unsigned down[8] = {0, 1, 1, 1, 1, 0, 0, 1}; // 0-2-3, 1-3, -, 3-1-0

	assert_int_equal(ref_cube_load(load, 2, source, destination, 4, REF_ASCENDING), 0);
	assert_memory_equal(load, up, sizeof(up));
	assert_int_equal(ref_cube_load(load, 2, source, destination, 4, REF_DESCENDING), 0);
	assert_memory_equal(load, down, sizeof(down));
	assert_int_equal(ref_cube_load(load, 1, source, destination, 4, REF_ASCENDING), -EINVAL);
	assert_int_equal(ref_cube_load(load, 21, source, destination, 4, REF_ASCENDING), -EINVAL);
	assert_memory_equal(load, down, sizeof(down));
	assert_int_equal(ref_cube_load(load, 0, source, source, 1, REF_ASCENDING), 0);
}

// Every used channel of dimension d carries exactly t[d].
static void assert_contention(const unsigned *load, unsigned n_dims, const unsigned *t, size_t i_case)
{
	for (unsigned d = 0; d < n_dims; d++) {
		unsigned n_used = 0;

		for (unsigned u = 0; u < (1u << n_dims); u++) {
			if (load[u * n_dims + d] == 0)
				continue;
			n_used++;
			if (load[u * n_dims + d] != t[d])
				fail_msg("case %zu, node %u, dimension %u", i_case, u, d);
		}
		assert_int_equal(n_used == 0, t[d] == 0);
	}
}

static void test_golden_theorem1(void **state)
{
	(void)state;
	json_t *root = golden_json("000_theorem1.json");
	const json_t *cases = json_object_get(root, "cases");
	unsigned load[N_NODES_MAX * REF_DIMS_MAX];

	assert_true(json_array_size(cases) > 0);
	for (size_t i_case = 0; i_case < json_array_size(cases); i_case++) {
		const json_t *item = json_array_get(cases, i_case);
		unsigned n = golden_number(item, "n");
		unsigned b = golden_number(item, "b");
		unsigned row[8];
		unsigned gather[8];
		unsigned scatter[8];
		unsigned self[N_NODES_MAX];
		unsigned image[N_NODES_MAX];

		if (n < 1 || n > 8) {
			fail_msg("case %zu: n = %u", i_case, n);
			break;
		}
		for (unsigned i = 0; i < n; i++) {
			row[i] = golden_element(json_object_get(item, "A"), i);
			gather[i] = golden_element(json_object_get(item, "T_gather"), i);
			scatter[i] = golden_element(json_object_get(item, "T_scatter"), i);
		}
		assert_int_equal(sub_rank(row, 0, n, 0, n), golden_number(item, "rank"));
		for (unsigned i = 0; i < n; i++) {
			if (row[i] == 1u << i && !((b >> i) & 1u)) {
				assert_int_equal(gather[i], 0);
				assert_int_equal(scatter[i], 0);
				continue;
			}
			assert_int_equal(gather[i], 1u << (i - sub_rank(row, 0, i + 1, 0, i)));
			assert_int_equal(scatter[i], 1u << (n - 1 - i - sub_rank(row, i, n, i + 1, n)));
		}

		matrix_image(image, n, row, b);
		for (unsigned x = 0; x < N_NODES_MAX; x++)
			self[x] = x;
		assert_int_equal(ref_cube_load(load, n, self, image, 1u << n, REF_ASCENDING), 0);
		assert_contention(load, n, gather, i_case);
		assert_int_equal(ref_cube_load(load, n, image, self, 1u << n, REF_ASCENDING), 0);
		assert_contention(load, n, scatter, i_case);
		// A path walked backwards under the other order is the same path.
		assert_int_equal(ref_cube_load(load, n, self, image, 1u << n, REF_DESCENDING), 0);
		assert_contention(load, n, scatter, i_case);
		assert_int_equal(ref_cube_load(load, n, image, self, 1u << n, REF_DESCENDING), 0);
		assert_contention(load, n, gather, i_case);
	}
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rank_edges),
		cmocka_unit_test(test_rank_against_counting),
		cmocka_unit_test(test_load_by_hand),
		cmocka_unit_test(test_golden_theorem1),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
