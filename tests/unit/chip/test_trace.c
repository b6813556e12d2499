// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace is freed with its run back to back, and is empty then. The sanitizers report what is left.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/trace.h>

static struct loom_trace full_trace(void)
{
	struct loom_trace t = {.n_nodes = 2, .n_channels = 6, .n_passes = 3, .n_arrivals = 4, .began = 5};
	t.arrivals = calloc(4, sizeof *t.arrivals);
	t.counts = calloc(18, sizeof *t.counts);
	t.sent = calloc(2, sizeof *t.sent);
	t.corrupt = calloc(2, sizeof *t.corrupt);
	t.released = calloc(7, sizeof *t.released);
	t.first_entry = calloc(3, sizeof *t.first_entry);
	assert_true(t.arrivals && t.counts && t.sent && t.corrupt && t.released && t.first_entry);
	return t;
}

static void test_freed(void **state)
{
	(void)state;
	struct loom_trace t = full_trace(), empty;
	t.back_to_back = malloc(sizeof *t.back_to_back);
	assert_non_null(t.back_to_back);
	*t.back_to_back = full_trace();
	memset(&empty, 0, sizeof empty);
	loom_trace_free(&t);
	assert_int_equal(t.n_nodes, 0);
	assert_int_equal(t.n_channels, 0);
	assert_int_equal(t.n_passes, 0);
	assert_int_equal(t.n_arrivals, 0);
	assert_int_equal(t.began, 0);
	assert_true(!t.arrivals && !t.counts && !t.sent && !t.corrupt && !t.released && !t.first_entry);
	assert_null(t.back_to_back);
	loom_trace_free(&t);
	loom_trace_free(&empty);
	loom_trace_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_freed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
