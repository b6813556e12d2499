// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The link model computes runs: it has no registers, and a call that opens it is refused with that reason.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/link.h>

static void test_no_registers(void **state)
{
	(void)state;
	static const char *const specs[] = {"model", "model:", "model:cube:3"};
	for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
		struct loom_link link = {0};
		struct loom_err err = {0};
		assert_int_equal(loom_link_open(&link, specs[i], NULL, &err), LOOM_EINPUT);
		assert_non_null(strstr(err.text, "link model computes runs and has no chip"));
		assert_int_equal(loom_link_open(&link, specs[i], &(struct loom_link_options){.fabric = "cube:2"}, NULL),
		                 LOOM_EINPUT);
		loom_link_close(&link);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_registers)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
