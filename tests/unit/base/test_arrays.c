// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/arrays.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// Each array is zero, overlaps no other, and is aligned for any type; the sanitizer reports memory that is not freed.
static void test_take(void **state)
{
	(void)state;
	enum { ARRAYS = 65 };
	struct loom_arrays arrays = {0};
	unsigned char *array[ARRAYS];
	for (unsigned k = 0; k < ARRAYS; k++) {
		LOOM_ARRAY(&arrays, array[k], k);
		assert_non_null(array[k]);
		assert_int_equal((uintptr_t)array[k] % _Alignof(max_align_t), 0);
		for (unsigned i = 0; i < k; i++)
			assert_int_equal(array[k][i], 0);
		memset(array[k], (int)k, k);
	}
	for (unsigned k = 0; k < ARRAYS; k++)
		for (unsigned i = 0; i < k; i++)
			assert_int_equal(array[k][i], k);
	assert_false(arrays.is_short);
	loom_arrays_free(&arrays);
	assert_null(arrays.newest);
	loom_arrays_free(&arrays);
}

// An array whose size in bytes exceeds size_t is refused, and so are all later ones until they are freed.
static void test_short(void **state)
{
	(void)state;
	static const size_t too_many[] = {SIZE_MAX / 8, SIZE_MAX / 8 - 1, SIZE_MAX / 8 + 1, SIZE_MAX};
	for (size_t k = 0; k < sizeof too_many / sizeof too_many[0]; k++) {
		struct loom_arrays arrays = {0};
		uint64_t *first, *second, *third;
		LOOM_ARRAY(&arrays, first, 3);
		LOOM_ARRAY(&arrays, second, too_many[k]);
		LOOM_ARRAY(&arrays, third, 3);
		assert_non_null(first);
		assert_null(second);
		assert_null(third);
		assert_true(arrays.is_short);
		loom_arrays_free(&arrays);
		assert_false(arrays.is_short);
		LOOM_ARRAY(&arrays, third, 3);
		assert_non_null(third);
		loom_arrays_free(&arrays);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_take),
		cmocka_unit_test(test_short),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
