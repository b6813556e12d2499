// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "links/verilated_seal.h"
#include "base/rng.h"

enum { SIZE = 70001, SEED = 20261121 }; // more than is read at a time

static char path[] = "/tmp/test_verilated_seal.XXXXXX";

static void write_file(const unsigned char *bytes, size_t n)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static size_t read_file(unsigned char *out, size_t max)
{
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	size_t n = fread(out, 1, max, f);
	(void)fclose(f);
	return n;
}

static bool is_sealed(const char *name)
{
	int fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	bool sealed = loom_verilated_is_sealed(fd, name);
	assert_int_equal(close(fd), 0);
	return sealed;
}

static int seal(int flags)
{
	int fd = open(path, flags);
	assert_true(fd >= 0);
	int failed = loom_verilated_seal(fd, "cube3-a-b");
	assert_int_equal(close(fd), 0);
	return failed;
}

static int make(void **state)
{
	unsigned char *bytes = malloc(SIZE);
	struct loom_rng rng;
	int fd = mkstemp(path);
	loom_rng_init(&rng, SEED);
	for (size_t i = 0; bytes && i < SIZE; i++)
		bytes[i] = (unsigned char)loom_rng_next(&rng);
	if (fd < 0 || close(fd) != 0 || !bytes)
		return -1;
	*state = bytes;
	return 0;
}

static int destroy(void **state)
{
	free(*state);
	return unlink(path);
}

static void test_whole(void **state)
{
	static const size_t sizes[] = {1, 2, 65535, 65536, 65537, SIZE};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		write_file(*state, sizes[i]);
		assert_false(is_sealed("cube3-a-b"));
		assert_int_equal(seal(O_RDWR), 0);
		assert_true(is_sealed("cube3-a-b"));
		assert_false(is_sealed("cube3-a-c"));
		assert_false(is_sealed("cube3-a-"));
		assert_false(is_sealed("cube3-a-b2"));
	}
}

static void test_cut_or_longer(void **state)
{
	static unsigned char bytes[2 * SIZE];
	write_file(*state, SIZE);
	assert_int_equal(seal(O_RDWR), 0);
	size_t n = read_file(bytes, sizeof bytes);
	assert_int_equal(n, SIZE + 160);
	assert_int_equal(bytes[SIZE], '\n');
	assert_int_equal(bytes[n - 1], '\n');
	assert_null(memchr(bytes + SIZE, '\0', n - SIZE));
	for (size_t cut = 0; cut < n; cut += cut < n - 400 ? 997 : 1) {
		write_file(bytes, cut);
		assert_false(is_sealed("cube3-a-b"));
	}
	for (size_t more = 1; more < 400; more += 37) {
		write_file(bytes, n + more);
		assert_false(is_sealed("cube3-a-b"));
	}
	write_file(bytes, n);
	assert_true(is_sealed("cube3-a-b"));
}

static void test_other_bytes(void **state)
{
	static unsigned char bytes[2 * SIZE];
	write_file(*state, SIZE);
	assert_int_equal(seal(O_RDWR), 0);
	size_t n = read_file(bytes, sizeof bytes);
	for (size_t at = 0; at < n; at += at < n - 400 ? 997 : 1) {
		bytes[at] ^= 0x10;
		write_file(bytes, n);
		assert_false(is_sealed("cube3-a-b"));
		bytes[at] ^= 0x10;
	}
}

// A right seal with nothing before it does not belong to a model.
static void test_nothing(void **state)
{
	(void)state;
	write_file((const unsigned char *)"", 0);
	assert_int_equal(seal(O_RDWR), 0);
	assert_false(is_sealed("cube3-a-b"));
}

static void test_no_file(void **state)
{
	(void)state;
	int folder = open("/tmp", O_RDONLY | O_DIRECTORY);
	assert_true(folder >= 0);
	assert_false(loom_verilated_is_sealed(folder, "cube3-a-b"));
	assert_int_not_equal(loom_verilated_seal(folder, "cube3-a-b"), 0);
	assert_int_equal(close(folder), 0);
	assert_false(loom_verilated_is_sealed(-1, "cube3-a-b"));
	assert_int_equal(loom_verilated_seal(-1, "cube3-a-b"), EBADF);
}

// Each failure has its own number: none may look like a full disk, which has another message.
static void test_cannot_be_written(void **state)
{
	struct rlimit before, limit;
	write_file(*state, SIZE);
	assert_int_equal(seal(O_RDONLY), EBADF);
	assert_int_equal(seal(O_WRONLY), EIO);
	// A seal of which only the beginning has room: no call fails, and the number of an earlier failure is still there.
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = SIZE + 10;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(access("/no/such/file", R_OK), -1);
	int failed = seal(O_RDWR);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(failed, ENOSPC);
	assert_false(is_sealed("cube3-a-b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),       cmocka_unit_test(test_cut_or_longer),
		cmocka_unit_test(test_other_bytes), cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_no_file),     cmocka_unit_test(test_cannot_be_written),
	};
	return cmocka_run_group_tests(tests, make, destroy);
}
