// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "links/frame.h"
#include "base/rng.h"

// Encodes a body, checks that no zero is inside, and gives it to a reader.
static enum loom_frame_found carry(struct loom_frame *out, const struct loom_frame *frame)
{
	uint8_t line[LOOM_FRAME_LINE_MAX];
	struct loom_frame_reader reader = {0};
	size_t n = loom_frame_encode(line, frame);
	assert_true(n <= LOOM_FRAME_LINE_BYTES(frame->n));
	for (size_t i = 0; i + 1 < n; i++) {
		assert_int_not_equal(line[i], 0);
		assert_int_equal(loom_frame_take(&reader, line[i], out), LOOM_FRAME_NONE);
	}
	assert_int_equal(line[n - 1], 0);
	return loom_frame_take(&reader, 0, out);
}

static void test_round_trip(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 7);
	for (size_t n = 2; n <= LOOM_FRAME_BODY_BYTES; n += n < 600 || n + 97 > LOOM_FRAME_BODY_BYTES ? 1 : 97)
		for (int kind = 0; kind < 4; kind++) { // zeros only, none, some, random
			struct loom_frame f = {.n = n}, back;
			for (size_t i = 0; i < n; i++) {
				uint8_t random = (uint8_t)loom_rng_below(&rng, 256);
				f.body[i] = kind == 0   ? 0
				            : kind == 1 ? random | 1
				            : kind == 2 ? random & (random >> 4)
				                        : random;
			}
			assert_int_equal(carry(&back, &f), LOOM_FRAME_GOOD);
			assert_int_equal(back.n, n);
			assert_memory_equal(back.body, f.body, n);
		}
}

// Bytes worked out by hand from docs/protocol.md; the CRC by another program (python3: zlib.crc32).
static void test_bytes(void **state)
{
	(void)state;
	static const uint32_t words[] = {0x11223344, 0};
	static const uint8_t body[] = {2, 9, 0x81, 0x21, 0, 0, 0x10, 0x44, 0x33, 0x22, 0x11, 0, 0, 0, 0};
	static const uint8_t line[] = {5,    2, 9, 0x81, 0x21, 1,    6,    0x10, 0x44, 0x33, 0x22,
	                               0x11, 1, 1, 1,    5,    0x95, 0x0d, 0x13, 0xa0, 0};
	uint8_t out[64];
	struct loom_frame f;
	loom_frame_begin(&f, LOOM_FRAME_WRITE, 9);
	loom_frame_command(&f, 0x10000021, words, 2, true);
	assert_int_equal(f.n, sizeof body);
	assert_memory_equal(f.body, body, sizeof body);
	assert_int_equal(loom_frame_encode(out, &f), sizeof line);
	assert_memory_equal(out, line, sizeof line);

	loom_frame_begin(&f, LOOM_FRAME_READ, 255);
	loom_frame_command(&f, 0xf0000000, NULL, 64, false);
	assert_int_equal(f.n, 7);
	assert_int_equal(f.body[2], 63);
	loom_frame_begin(&f, LOOM_FRAME_HELLO, 0);
	loom_frame_nonce(&f, 0x01020304);
	static const uint8_t hello[] = {3, 0, 4, 3, 2, 1};
	assert_int_equal(f.n, sizeof hello);
	assert_memory_equal(f.body, hello, sizeof hello);
}

// Every flip of one or two bits, every cut and every lost byte is noticed.
static void test_damage(void **state)
{
	(void)state;
	uint8_t line[64];
	struct loom_frame f, back;
	static const uint32_t words[] = {0, 0xffffffff, 0x00ff00ff};
	loom_frame_begin(&f, LOOM_FRAME_WRITE, 0);
	loom_frame_command(&f, 0x20, words, 3, false);
	size_t n = loom_frame_encode(line, &f);
	for (size_t a = 0; a < 8 * n; a++)
		for (size_t b = a; b < 8 * n; b++) {
			struct loom_frame_reader reader = {0};
			uint8_t bad[64];
			memcpy(bad, line, n);
			bad[a / 8] ^= (uint8_t)(1 << a % 8);
			if (b != a)
				bad[b / 8] ^= (uint8_t)(1 << b % 8);
			for (size_t i = 0; i < n; i++)
				assert_int_not_equal(loom_frame_take(&reader, bad[i], &back), LOOM_FRAME_GOOD);
			assert_int_not_equal(loom_frame_take(&reader, 0, &back), LOOM_FRAME_GOOD);
		}
	for (size_t lost = 0; lost + 1 < n; lost++) {
		struct loom_frame_reader cut = {0}, without = {0};
		for (size_t i = 0; i < n; i++) {
			if (i < lost || i == n - 1)
				assert_int_not_equal(loom_frame_take(&cut, line[i], &back), LOOM_FRAME_GOOD);
			if (i != lost)
				assert_int_not_equal(loom_frame_take(&without, line[i], &back), LOOM_FRAME_GOOD);
		}
	}
}

static void test_reader(void **state)
{
	(void)state;
	struct loom_frame f = {.n = 2, .body = {0x82, 7}}, back;
	struct loom_frame_reader reader = {0};
	uint8_t line[16];
	size_t n = loom_frame_encode(line, &f);
	for (int i = 0; i < 5; i++) // zeros mean nothing
		assert_int_equal(loom_frame_take(&reader, 0, &back), LOOM_FRAME_NONE);
	for (int i = 0; i < 100000; i++) // longer than any frame
		assert_int_equal(loom_frame_take(&reader, 1, &back), LOOM_FRAME_NONE);
	assert_int_equal(loom_frame_take(&reader, 0, &back), LOOM_FRAME_DAMAGED);
	for (size_t i = 0; i + 1 < n; i++)
		(void)loom_frame_take(&reader, line[i], &back);
	assert_int_equal(loom_frame_take(&reader, 0, &back), LOOM_FRAME_GOOD);
}

static void test_answers(void **state)
{
	(void)state;
	static const struct {
		size_t n;
		uint8_t body[16];
		bool good;
	} cases[] = {
		{2, {0x82, 1}, true},
		{3, {0x82, 1, 0}, false},
		{6, {0x81, 1, 1, 2, 3, 4}, true},
		{2, {0x81, 1}, false},
		{5, {0x81, 1, 1, 2, 3}, false},
		{7, {0x81, 1, 1, 2, 3, 4, 5}, false},
		{3, {0x84, 1, 1}, true},
		{3, {0x84, 1, 4}, true},
		{3, {0x84, 1, 0}, false},
		{3, {0x84, 1, 5}, false},
		{2, {0x84, 1}, false},
		{4, {0x84, 1, 1, 1}, false},
		{10, {0x83, 1, 4, 3, 2, 1, 1, 64, 0, 2}, true},
		{9, {0x83, 1}, false},
		{11, {0x83, 1}, false},
		{2, {0x02, 1}, false},
		{6, {0x01, 1}, false},
		{2, {0x80, 1}, false},
		{2, {0xff, 1}, false},
		{1, {0x82}, false},
		{0, {0}, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_frame f = {.n = cases[i].n};
		struct loom_answer a;
		memcpy(f.body, cases[i].body, sizeof cases[i].body);
		assert_int_equal(loom_answer_parse(&a, &f), cases[i].good);
		if (cases[i].good)
			assert_int_equal(a.number, 1);
		if (cases[i].good && a.kind == 0x81) {
			assert_int_equal(a.n_words, 1);
			assert_int_equal(loom_answer_word(&a, 0), 0x04030201);
		}
		if (cases[i].good && a.kind == 0x83) {
			assert_int_equal(a.nonce, 0x01020304);
			assert_int_equal(a.version, 1);
			assert_int_equal(a.max_words, 64);
			assert_int_equal(a.rx_bytes, 512);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_bytes),   cmocka_unit_test(test_damage),
		cmocka_unit_test(test_reader),     cmocka_unit_test(test_answers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
