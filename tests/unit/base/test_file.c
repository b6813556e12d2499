// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/loom_file_XXXXXX";
static char path[64];

static int make_directory(void **state)
{
	(void)state;
	if (!mkdtemp(directory))
		return -1;
	(void)snprintf(path, sizeof path, "%s/file", directory);
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	return rmdir(directory); // fails if anything was left behind
}

// Writes 'a', 'b', ... again and again; `user` is the number of bytes.
static int put_letters(FILE *stream, const void *user)
{
	size_t n = *(const size_t *)user;
	for (size_t i = 0; i < n; i++)
		(void)fputc('a' + (int)(i % 26), stream);
	return 0;
}

static int put_half(FILE *stream, const void *user)
{
	(void)fputs(user, stream);
	errno = 0;
	return -1;
}

static void assert_letters(const char *text, size_t length, size_t n)
{
	assert_int_equal(length, n);
	for (size_t i = 0; i < n; i++)
		if (text[i] != 'a' + (char)(i % 26))
			fail_msg("byte %zu of %zu", i, n);
}

// Around the sizes at which the buffer grows, and the limit.
static void test_round_trip(void **state)
{
	(void)state;
	static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 131072, 200000};
	for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
		struct loom_err err = {0};
		char *text = NULL;
		size_t n = sizes[k], length = 0;
		assert_int_equal(loom_file_write(path, put_letters, &n, &err), 0);
		assert_int_equal(loom_file_read(&text, &length, path, n, &err), 0);
		assert_letters(text, length, n);
		free(text);
		if (n == 0)
			continue;
		text = NULL;
		assert_int_equal(loom_file_read(&text, &length, path, n - 1, &err), LOOM_EFILE);
		assert_null(text);
		assert_non_null(strstr(err.text, "more than"));
	}
	assert_int_equal(unlink(path), 0);
}

static void test_pipe(void **state)
{
	(void)state;
	int end[2];
	char name[32], *text = NULL;
	size_t n = 3000, length = 0;
	assert_int_equal(pipe(end), 0);
	(void)snprintf(name, sizeof name, "/dev/fd/%d", end[1]);
	assert_int_equal(loom_file_write(name, put_letters, &n, NULL), 0);
	assert_int_equal(close(end[1]), 0);
	(void)snprintf(name, sizeof name, "/dev/fd/%d", end[0]);
	assert_int_equal(loom_file_read(&text, &length, name, 1 << 20, NULL), 0);
	assert_letters(text, length, n);
	assert_int_equal(close(end[0]), 0);
	free(text);
}

static int put_zero(FILE *stream, const void *user)
{
	const size_t *at = user;
	for (size_t i = 0; i < *at + 2; i++)
		(void)fputc(i == *at ? 0 : 'a', stream);
	return 0;
}

// Files with a byte 0 anywhere are refused; files without an end are read up to a limit.
static void test_no_text(void **state)
{
	(void)state;
	static const size_t places[] = {0, 1, 65535, 65536, 200000};
	struct loom_err err = {0};
	char *text = NULL, says[40];
	size_t length = 0;
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		assert_int_equal(loom_file_write(path, put_zero, &places[i], &err), 0);
		assert_int_equal(loom_file_read(&text, &length, path, 1 << 20, &err), LOOM_EFILE);
		(void)snprintf(says, sizeof says, "not a text file (byte %zu is 0)", places[i]);
		assert_non_null(strstr(err.text, says));
	}
	assert_int_equal(loom_file_read(&text, &length, "/dev/zero", 1 << 20, &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "not a text file (byte 0 is 0)"));
	assert_int_equal(truncate(path, (off_t)1 << 33), 0);
	assert_int_equal(loom_file_read(&text, &length, path, 1 << 20, &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "more than 1 MiB"));
	assert_null(text);
	assert_int_equal(unlink(path), 0);
}

// The byte order mark at the beginning is no part of the text; a second one, or one elsewhere, is.
static void test_mark(void **state)
{
	(void)state;
	static const char *const texts[][2] = {{"", ""},
	                                       {"\xef\xbb", "\xef\xbb"},
	                                       {"\xef\xbb\xbf", ""},
	                                       {"\xef\xbb\xbfnode", "node"},
	                                       {"\xef\xbb\xbe", "\xef\xbb\xbe"},
	                                       {"a\xef\xbb\xbf", "a\xef\xbb\xbf"},
	                                       {"\xef\xbb\xbf\xef\xbb\xbf", "\xef\xbb\xbf"}};
	struct loom_err err = {0};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		const char *wanted = texts[i][1];
		char *text = NULL;
		size_t length = 99;
		assert_int_equal(loom_file_write_text(path, texts[i][0], strlen(texts[i][0]), &err), 0);
		assert_int_equal(loom_file_read(&text, &length, path, 100, &err), 0);
		assert_int_equal(length, strlen(wanted));
		assert_memory_equal(text, wanted, length);
		free(text);
		assert_int_equal(loom_file_read_bytes(&text, &length, path, 100, &err), 0);
		assert_int_equal(length, strlen(texts[i][0]));
		free(text);
	}
	assert_int_equal(unlink(path), 0);
}

static void test_failures(void **state)
{
	(void)state;
	struct loom_err err = {0};
	char *text = NULL;
	size_t n = 100, length = 0;
	assert_int_equal(loom_file_read(&text, &length, directory, n, &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "a directory, not a file"));
	assert_int_equal(loom_file_read(&text, &length, path, n, &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "No such file"));
	assert_non_null(strstr(err.text, path));
	assert_int_equal(loom_file_write(path, put_half, "no more memory", &err), LOOM_ENOMEM);
	assert_non_null(strstr(err.text, "out of memory"));
	assert_int_equal(access(path, F_OK), -1);

	// The old file stays when the new one cannot be made.
	assert_int_equal(loom_file_write(path, put_letters, &n, &err), 0);
	assert_int_equal(loom_file_write(path, put_half, "no more memory", NULL), LOOM_ENOMEM);
	assert_int_equal(loom_file_read(&text, &length, path, n, &err), 0);
	assert_letters(text, length, n);
	free(text);
	assert_int_equal(unlink(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_pipe),     cmocka_unit_test(test_no_text),
		cmocka_unit_test(test_mark),       cmocka_unit_test(test_failures),
	};
	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
