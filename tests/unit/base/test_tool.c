// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs are looked for in PATH, and run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/tool.h"

static void test_is_installed(void **state)
{
	(void)state;
	static char longer[5000]; // longer than the name of a file can be
	memset(longer, 'x', sizeof longer - 1);
	longer[0] = '/';
	const struct {
		const char *path, *name;
		bool is_there;
	} rows[] = {
		{"/bin", "sh", true},
		{"/bin", "no-such-program", false},
		{"/no/such/folder:/bin", "sh", true},
		{"/bin:/no/such/folder", "sh", true},
		{"/bi:/binn", "sh", false},
		{"", "sh", false},
		{longer, "bin", false}, // it must not be cut off to the root
	};
	char path[8192];
	(void)snprintf(path, sizeof path, "%s", getenv("PATH"));
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		assert_int_equal(setenv("PATH", rows[i].path, 1), 0);
		if (loom_tool_is_installed(rows[i].name) != rows[i].is_there)
			fail_msg("%s in %.80s", rows[i].name, rows[i].path);
	}
	assert_int_equal(unsetenv("PATH"), 0);
	assert_false(loom_tool_is_installed("sh"));
	assert_int_equal(setenv("PATH", path, 1), 0);
}

// Runs a shell's commands with an input.
static int shell(char **out, size_t *length, char said[160], const char *commands, const char *input,
                 struct loom_err *err)
{
	const char *const argv[] = {"sh", "-c", commands, NULL};
	*out = NULL;
	*err = (struct loom_err){0};
	return loom_tool_run(out, length, said, argv, input, strlen(input), err);
}

static void test_run(void **state)
{
	(void)state;
	char *out, said[160];
	size_t length;
	struct loom_err err;
	assert_int_equal(shell(&out, &length, said, "tr a-z A-Z; echo one >&2; echo two >&2", "words", &err), 0);
	assert_int_equal(length, 5);
	assert_string_equal(out, "WORDS");
	assert_string_equal(said, "one");
	free(out);
	assert_int_equal(shell(&out, &length, said, "cat", "", &err), 0);
	assert_int_equal(length, 0);
	assert_string_equal(out, "");
	assert_string_equal(said, "");
	free(out);
	assert_int_equal(shell(&out, &length, said, "echo no >&2; exit 1", "", &err), LOOM_EFILE);
	assert_string_equal(err.text, "sh failed");
	assert_string_equal(said, "no");
	assert_null(out);
	assert_int_equal(shell(&out, &length, said, "kill -9 $$", "", &err), LOOM_EFILE);
	assert_string_equal(err.text, "sh failed");
	const char *const argv[] = {"no-such-program", NULL};
	assert_int_equal(loom_tool_run(&out, &length, said, argv, "", 0, &err), LOOM_EFILE);
	assert_string_equal(err.text, "no-such-program is not installed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_is_installed),
		cmocka_unit_test(test_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
