// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that begins with a line of the processor's cache: where it begins, what is in it, and what stays in it when it grows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cache_lines.h"

static const size_t sizes[] = {0, 1, 63, 64, 65, 4096, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, (2 << 20) + 1};
enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

static void test_begins_with_a_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SIZES; i++) {
		unsigned char *room = loom_cache_lines(sizes[i]);
		assert_non_null(room);
		assert_int_equal((uintptr_t)room % LOOM_CACHE_LINE_BYTES, 0);
		memset(room, 0xa5, sizes[i]);
		free(room);
	}
}

static void test_large_pages(void **state)
{
	(void)state;
	void *room = loom_cache_lines((1 << 20) + 1);
	assert_non_null(room);
	assert_int_equal((uintptr_t)room % (2 << 20), 0);
	free(room);
}

static void test_zeroed(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SIZES; i++) {
		unsigned char *room = loom_cache_lines_zeroed(sizes[i]);
		assert_non_null(room);
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_equal(room[k], 0);
		free(room);
	}
}

static void test_longer(void **state)
{
	unsigned char *room = NULL;
	size_t n = 0;
	(void)state;
	for (size_t more = 1; more < 5 << 20; more = 3 * more + 1) {
		room = loom_cache_lines_longer(room, n, more);
		assert_non_null(room);
		assert_int_equal((uintptr_t)room % LOOM_CACHE_LINE_BYTES, 0);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(room[k], k * 31 % 251);
		for (n = 0; n < more; n++)
			room[n] = (unsigned char)(n * 31 % 251);
	}
	free(room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begins_with_a_line),
		cmocka_unit_test(test_large_pages),
		cmocka_unit_test(test_zeroed),
		cmocka_unit_test(test_longer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
