// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors: the name, the text and the exit status of each code; texts in one line and within their room; cells of CSV.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err_add.h"
#include "base/text.h"

// Each code has its own name and text; a number that is no code counts as the last one of the list.
static void test_codes(void **state)
{
	(void)state;
	static const struct {
		int code, status;
		const char *name, *text;
	} rows[] = {{0, 0, "LOOM_OK", "no error"},
#define X(name, value, status, text) {value, status, #name, text},
	            LOOM_ERROR_LIST(X)
#undef X
	};
	const size_t n = sizeof rows / sizeof rows[0];
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(loom_code_name(rows[i].code), rows[i].name);
		assert_string_equal(loom_code_text(rows[i].code), rows[i].text);
		assert_int_equal(loom_code_status(rows[i].code), rows[i].status);
		assert_true(rows[i].code <= 0 && (i == 0) == (rows[i].status == 0));
		for (size_t k = 0; k < i; k++)
			assert_true(rows[i].code != rows[k].code && strcmp(rows[i].name, rows[k].name) != 0);
	}
	static const int none[] = {1, -1000, 77};
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
		assert_string_equal(loom_code_name(none[i]), rows[n - 1].name);
		assert_string_equal(loom_code_text(none[i]), rows[n - 1].text);
		assert_int_equal(loom_code_status(none[i]), rows[n - 1].status);
	}
}

static void test_texts(void **state)
{
	(void)state;
	struct loom_err err;
	static char longer[2 * sizeof err.text];
	assert_int_equal(loom_fail(NULL, LOOM_EINPUT, "%d", 5), LOOM_EINPUT);
	assert_int_equal(loom_fail(&err, LOOM_EFILE, "a\nb\r%s %d\n", "c\nd", 7), LOOM_EFILE);
	assert_int_equal(err.code, LOOM_EFILE);
	assert_string_equal(err.text, "a b c d 7 ");
	loom_err_add(&err, "%s", "and");
	loom_err_add_more(&err, 4, 4);
	loom_err_add_more(&err, 3, 4);
	assert_string_equal(err.text, "a b c d 7 and");
	loom_err_add_more(&err, 6, 4);
	assert_string_equal(err.text, "a b c d 7 and and 2 more");
	// Cut off at the end of the room.
	memset(longer, 'x', sizeof longer - 1);
	(void)loom_fail(&err, LOOM_EFILE, "%s", longer);
	assert_int_equal(strlen(err.text), sizeof err.text - 1);
	loom_err_add(&err, "y");
	assert_int_equal(strspn(err.text, "x"), sizeof err.text - 1);
	(void)loom_fail(&err, LOOM_EFILE, "z");
	loom_err_add(&err, "%s", longer);
	assert_int_equal(strlen(err.text), sizeof err.text - 1);
	assert_true(err.text[0] == 'z' && err.text[1] == 'x');
}

static void expect_cell(const char *text, const char *wanted)
{
	char *out = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&out, &size);
	assert_non_null(stream);
	loom_text_put_csv(stream, text);
	assert_int_equal(fclose(stream), 0);
	assert_string_equal(out, wanted);
	free(out);
}

static void test_cells(void **state)
{
	(void)state;
	expect_cell("", "");
	expect_cell("plain text; it's one", "plain text; it's one");
	expect_cell("a,b", "\"a,b\"");
	expect_cell("\"", "\"\"\"\"");
	expect_cell("say \"hi\"", "\"say \"\"hi\"\"\"");
	expect_cell("two\nlines", "\"two\nlines\"");
	expect_cell("two\rlines", "\"two\rlines\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_codes), cmocka_unit_test(test_texts),
	                                   cmocka_unit_test(test_cells)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
