// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	for (size_t size = 1; size <= SIZE; size = size == 1 ? 65535 : size == SIZE ? SIZE + 1 : SIZE) {
		write_file(*state, size);
		assert_false(loom_verilated_is_sealed(path, "cube3-a-b"));
		assert_int_equal(loom_verilated_seal(path, "cube3-a-b"), 0);
		assert_true(loom_verilated_is_sealed(path, "cube3-a-b"));
		assert_false(loom_verilated_is_sealed(path, "cube3-a-c"));
		assert_false(loom_verilated_is_sealed(path, "cube3-a-"));
		assert_false(loom_verilated_is_sealed(path, "cube3-a-b2"));
	}
}

static void test_cut_or_longer(void **state)
{
	static unsigned char bytes[2 * SIZE];
	write_file(*state, SIZE);
	assert_int_equal(loom_verilated_seal(path, "cube3-a-b"), 0);
	size_t n = read_file(bytes, sizeof bytes);
	assert_true(n > SIZE && n < SIZE + 1000);
	for (size_t cut = 0; cut < n; cut += cut < n - 400 ? 997 : 1) {
		write_file(bytes, cut);
		assert_false(loom_verilated_is_sealed(path, "cube3-a-b"));
	}
	for (size_t more = 1; more < 400; more += 37) {
		write_file(bytes, n + more);
		assert_false(loom_verilated_is_sealed(path, "cube3-a-b"));
	}
	write_file(bytes, n);
	assert_true(loom_verilated_is_sealed(path, "cube3-a-b"));
}

static void test_other_bytes(void **state)
{
	static unsigned char bytes[2 * SIZE];
	write_file(*state, SIZE);
	assert_int_equal(loom_verilated_seal(path, "cube3-a-b"), 0);
	size_t n = read_file(bytes, sizeof bytes);
	for (size_t at = 0; at < n; at += at < n - 400 ? 997 : 1) {
		bytes[at] ^= 0x10;
		write_file(bytes, n);
		assert_false(loom_verilated_is_sealed(path, "cube3-a-b"));
		bytes[at] ^= 0x10;
	}
}

static void test_no_file(void **state)
{
	(void)state;
	assert_false(loom_verilated_is_sealed("/no/such/file", "cube3-a-b"));
	assert_false(loom_verilated_is_sealed("/tmp", "cube3-a-b"));
	assert_int_not_equal(loom_verilated_seal("/no/such/file", "cube3-a-b"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_cut_or_longer),
		cmocka_unit_test(test_other_bytes),
		cmocka_unit_test(test_no_file),
	};
	return cmocka_run_group_tests(tests, make, destroy);
}
