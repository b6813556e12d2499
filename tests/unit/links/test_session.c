// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The session against the device of tests/reference/link_device.c, in simulated time: a line of a given speed and
// delay, the same in every run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/link/session.h>

#include "base/rng.h"
#include "unit/help/board_on_a_string.h"
#include "links/fault.h"
#include "links/frame.h"
#include "links/session_internal.h"

static struct loom_session *open_session(struct board *b, const char *faults)
{
	struct loom_err err = {0};
	struct loom_pipe pipe = board_pipe_of(b), bad;
	struct loom_fault_settings settings;
	struct loom_session *s = NULL;
	if (faults) {
		assert_int_equal(loom_fault_parse(&settings, faults, &err), 0);
		assert_int_equal(loom_fault_wrap(&bad, &pipe, &settings, &err), 0);
		pipe = bad;
	}
	if (loom_session_open(&s, &pipe, 10000, &err) != 0)
		fail_msg("%s", err.text);
	return s;
}

static void transfer(struct loom_session *s, const struct loom_transfer *list, size_t n)
{
	struct loom_err err = {0};
	if (loom_session_transfer(s, list, n, 10000, &err) != 0)
		fail_msg("%s", err.text);
}

static void write_words(struct loom_session *s, uint32_t address, const uint32_t *words, size_t n)
{
	const struct loom_transfer one = {.address = address, .n_words = n, .write = words};
	transfer(s, &one, 1);
}

static void read_words(struct loom_session *s, uint32_t address, uint32_t *out, size_t n)
{
	const struct loom_transfer one = {.address = address, .n_words = n, .read = out};
	transfer(s, &one, 1);
}

static void assert_fails(int code, int expected, const struct loom_err *err, const char *says)
{
	if (!strstr(err->text, says))
		fail_msg("\"%s\" does not say \"%s\"", err->text, says);
	assert_int_equal(code, expected);
	assert_null(strchr(err->text, '\n'));
}

// --- A good line ---------------------------------------------------------------------------------------------------

static void test_sizes(void **state)
{
	(void)state;
	static const size_t sizes[] = {1, 2, 63, 64, 65, 127, 128, 129, 1000, 4095};
	struct board *b = board_new(3.33, 500);
	struct loom_session *s = open_session(b, NULL);
	uint32_t words[4096], back[4096];
	for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
		for (size_t i = 0; i < sizes[k]; i++)
			words[i] = (uint32_t)(loom_rng_next(&b->rng) & (i % 3 ? 0xffffffff : 0xff00ff00));
		write_words(s, 77, words, sizes[k]);
		assert_memory_equal(b->memory + 77, words, 4 * sizes[k]);
		memset(back, 0x33, sizeof back);
		read_words(s, 77, back, sizes[k]);
		assert_memory_equal(back, words, 4 * sizes[k]);
		assert_int_equal(back[sizes[k]], 0x33333333);
	}
	transfer(s, NULL, 0);
	const struct loom_transfer nothing[] = {{.address = 1, .write = words}, {.address = 1, .read = back}};
	transfer(s, nothing, 2);
	loom_session_close(s);
	loom_session_close(NULL);
	free(b);
}

// In the order of the list, small and large, fixed and ascending.
static void test_list(void **state)
{
	(void)state;
	struct board *b = board_new(3.33, 500);
	struct loom_session *s = open_session(b, NULL);
	enum { N = 700 };
	static uint32_t words[N], back[N], big[1000], fifo[300], fixed[5];
	static struct loom_transfer list[2 * N + 8];
	size_t n = 0;
	for (uint32_t i = 0; i < 300; i++)
		fifo[i] = i;
	for (uint32_t i = 0; i < N; i++) {
		words[i] = i * 0x01010101u;
		list[n++] = (struct loom_transfer){.address = i % 7, .n_words = 1, .write = &words[i]};
		if (i % 3 == 0)
			list[n++] = (struct loom_transfer){.address = i % 7, .n_words = 1, .read = &back[i]};
	}
	list[n++] = (struct loom_transfer){.address = BOARD_FIFO, .n_words = 300, .write = fifo, .fixed = true};
	list[n++] = (struct loom_transfer){.address = 3, .n_words = 5, .read = fixed, .fixed = true};
	list[n++] = (struct loom_transfer){.address = 0, .n_words = 1000, .read = big};
	transfer(s, list, n);
	for (uint32_t i = 0; i < N; i += 3)
		assert_int_equal(back[i], words[i]); // what was written just before, and nothing later
	for (int i = 0; i < 5; i++)
		assert_int_equal(fixed[i], b->memory[3]);
	assert_memory_equal(big, b->memory, sizeof big);
	assert_int_equal(b->n_fifo, 300);
	assert_int_equal(b->fifo_wrong, 0);
	loom_session_close(s);
	free(b);
}

static void test_registers_of_the_link(void **state)
{
	(void)state;
	struct board *b = board_new(3.33, 500);
	struct loom_session *s = open_session(b, NULL);
	uint32_t r[8];
	read_words(s, LOOM_LINK_REG_MAGIC, r, 8);
	assert_int_equal(r[0], LOOM_LINK_MAGIC_IS);
	assert_int_equal(r[1], LOOM_LINK_PROTOCOL);
	assert_int_equal(r[2], 12000000);
	assert_int_equal(r[3], 3000000);
	for (int i = 4; i < 8; i++)
		assert_int_equal(r[i], 0);
	loom_session_close(s);
	free(b);
}

// 3 Mbaud with a round trip of 1 ms and with none: 85% of the line is words, each way.
static void test_rate(void **state)
{
	(void)state;
	static uint32_t words[50000];
	for (int k = 0; k < 3; k++) {
		struct board *b = board_new(10.0 / 3, k * 500.0);
		struct loom_session *s = open_session(b, NULL);
		for (uint32_t i = 0; i < 50000; i++)
			words[i] = (uint32_t)loom_rng_next(&b->rng);
		double begin = b->now_us;
		write_words(s, 0, words, 50000);
		double middle = b->now_us;
		read_words(s, 0, words, 50000);
		double wrote = 200000 * b->byte_us / (middle - begin),
		       did_read = 200000 * b->byte_us / (b->now_us - middle);
		printf("          round trip %d ms: %.1f%% of the line written, %.1f%% read\n", k, 100 * wrote,
		       100 * did_read);
		assert_memory_equal(words, b->memory, sizeof words);
		assert_true(wrote > 0.85 && did_read > 0.85);
		struct loom_link_stats stats;
		loom_session_stats(s, &stats);
		assert_int_equal(stats.repeated, 0);
		assert_int_equal(stats.damaged + stats.refused, 0);
		assert_int_equal(stats.words_in, 50000);
		loom_session_close(s);
		free(b);
	}
}

// --- A bad line ----------------------------------------------------------------------------------------------------

// n_bytes each way at these faults: every word as it was, each written once.
static void carry(const char *faults, size_t n_bytes)
{
	struct board *b = board_new(10.0 / 3, 500);
	struct loom_session *s = open_session(b, faults);
	static uint32_t words[BOARD_WORDS], back[BOARD_WORDS];
	size_t left = n_bytes / 4;
	uint64_t least = UINT64_MAX;
	double begin = b->now_us;
	while (left) {
		size_t n = left < BOARD_WORDS ? left : BOARD_WORDS;
		for (size_t i = 0; i < n; i++)
			words[i] = (uint32_t)loom_rng_next(&b->rng);
		memset(b->n_writes, 0, sizeof b->n_writes);
		memset(back, 0, sizeof back);
		// In pieces of all sizes, and numbers to one address in between.
		for (size_t at = 0; at < n;) {
			size_t part = 1 + (size_t)loom_rng_below(&b->rng, at % 5 ? 40 : 4000), rest = n - at;
			uint32_t next[3] = {b->n_fifo, b->n_fifo + 1, b->n_fifo + 2};
			part = part < rest ? part : rest;
			const struct loom_transfer list[] = {
				{.address = (uint32_t)at, .n_words = part, .write = words + at},
				{.address = BOARD_FIFO, .n_words = 3, .write = next, .fixed = true},
				{.address = (uint32_t)at, .n_words = part, .read = back + at},
			};
			transfer(s, list, 3);
			at += part;
		}
		assert_memory_equal(b->memory, words, 4 * n);
		assert_memory_equal(back, words, 4 * n);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(b->n_writes[i], 1);
		left -= n;
	}
	assert_int_equal(b->fifo_wrong, 0);
	struct loom_link_stats stats;
	loom_session_stats(s, &stats);
	least = stats.words_out;
	assert_true(4 * least >= n_bytes && 4 * stats.words_in == n_bytes);
	double us = b->now_us - begin;
	printf("          %-46s %5.1f%% of the line, %6llu frames, %6llu repeated, %5llu damaged, %6llu refused\n",
	       faults, 100 * (double)n_bytes * 2 * b->byte_us / us, (unsigned long long)stats.frames,
	       (unsigned long long)stats.repeated, (unsigned long long)stats.damaged,
	       (unsigned long long)stats.refused);
	loom_session_close(s);
	free(b);
}

static void test_faults(void **state)
{
	(void)state;
	const char *text = getenv("FAULT_BYTES");
	size_t n = text ? strtoul(text, NULL, 10) : 1000000;
	carry("seed=1,flip=1e-6", n);
	carry("seed=2,flip=1e-5", n);
	carry("seed=3,flip=1e-4", n);
	carry("seed=4,flip=1e-3", n / 4);
	carry("seed=5,truncate=0.01", n);
	carry("seed=6,drop=0.01", n / 10);
	carry("seed=7,duplicate=0.01", n / 10);
	carry("seed=8,swap=0.01", n / 10);
	carry("seed=9,stall=50,flip=1e-5", n / 4);
	carry("seed=10,flip=1e-4,drop=1e-3,duplicate=1e-3,swap=1e-3,truncate=0.01,stall=20", n / 10);
}

// --- Boards that fail ----------------------------------------------------------------------------------------------

static void test_hello_fails(void **state)
{
	(void)state;
	static const struct {
		int mute, code;
		unsigned version;
		const char *says;
	} cases[] = {
		{1, LOOM_ETIMEOUT, 1, "the board on a string does not answer: no flitloom bitstream"},
		{2, LOOM_ELINK, 1, "the board on a string is gone"},
		{3, LOOM_ELINK, 1, "bytes that mean nothing: wrong baud rate"},
		{0, LOOM_ELINK, 2, "speaks version 2 of the link protocol; this program speaks version 1"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct board *b = board_new(3, 500);
		struct loom_session *s = (struct loom_session *)b, *const before = s;
		struct loom_err err = {0};
		b->mute = cases[i].mute;
		b->device.version = cases[i].version;
		struct loom_pipe pipe = board_pipe_of(b);
		assert_fails(loom_session_open(&s, &pipe, 500, &err), cases[i].code, &err, cases[i].says);
		assert_ptr_equal(s, before);
		assert_true(b->now_us < 510000);
		free(b);
	}
}

// Unplugs or resets the board, or fills its line with noise, after any number of words; the next call works again.
static void fails_after(uint64_t words, int how, const char *faults)
{
	struct board *b = board_new(3, 500);
	struct loom_session *s = open_session(b, faults);
	static uint32_t out[3000], back[3000];
	struct loom_err err = {0};
	for (uint32_t i = 0; i < 3000; i++)
		out[i] = i * 7 + 1;
	const struct loom_transfer list[] = {{.address = 0, .n_words = 3000, .write = out},
	                                     {.address = 0, .n_words = 3000, .read = back}};
	b->dead_after = how ? UINT64_MAX : words;
	b->reset_after = how ? words : UINT64_MAX;
	double begin = b->now_us;
	int code = loom_session_transfer(s, list, 2, 300, &err);
	assert_fails(code, how ? LOOM_ELINK : LOOM_ETIMEOUT, &err, how ? "was reset" : "stopped answering after ");
	assert_true(b->now_us - begin < 300000.0 + 6000 * 8 * b->byte_us + 100000);
	b->mute = 0;
	b->dead_after = UINT64_MAX;
	transfer(s, list, 2);
	assert_memory_equal(back, out, sizeof out);
	loom_session_close(s);
	free(b);
}

static void test_plug_and_reset(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 11);
	for (int i = 0; i < 300; i++) {
		uint64_t words = loom_rng_below(&rng, 5900);
		fails_after(words, 0, NULL);
		fails_after(words, 1, NULL);
		if (i % 10 == 0)
			fails_after(words, 1, "seed=5,flip=1e-5");
	}
}

static void test_gone(void **state)
{
	(void)state;
	struct board *b = board_new(3, 500);
	struct loom_session *s = open_session(b, NULL);
	struct loom_err err = {0};
	uint32_t word;
	const struct loom_transfer one = {.address = 0, .n_words = 1, .read = &word};
	b->mute = 2;
	assert_fails(loom_session_transfer(s, &one, 1, 300, &err), LOOM_ELINK, &err, "after 0 words");
	b->mute = 3;
	assert_fails(loom_session_transfer(s, &one, 1, 300, &err), LOOM_ELINK, &err, "wrong baud rate");
	b->mute = 0;
	transfer(s, &one, 1);
	loom_session_close(s);
	free(b);
}

// A board that sends wrong answers with a right CRC: wrong kind, wrong length, unknown numbers. The session ignores all
// of them.
static uint32_t liar_reads(void *user, uint32_t address)
{
	struct board *b = user;
	struct loom_frame f;
	uint8_t line[LOOM_FRAME_LINE_MAX];
	uint32_t word = 0xbad;
	for (unsigned number = 0; number < 256 && b->n_accesses == 0; number++) {
		loom_frame_begin(&f, number % 2 ? 0x82 : 0x81, (uint8_t)number);
		for (unsigned k = 0; k < 3 && number % 2 == 0; k++, f.n += 4) // three words, whatever was asked for
			memcpy(f.body + f.n, &word, 4);
		size_t n = loom_frame_encode(line, &f);
		for (size_t i = 0; i < n; i++)
			board_put_byte(b, &b->from, line[i]);
	}
	return board_read(user, address);
}

static void test_liar(void **state)
{
	(void)state;
	struct board *b = board_new(3, 500);
	struct loom_session *s = open_session(b, NULL);
	uint32_t words[2], back[2] = {0};
	b->device.read = liar_reads;
	words[0] = b->memory[5] = 50;
	words[1] = b->memory[6] = 60;
	read_words(s, 5, back, 2);
	assert_memory_equal(back, words, sizeof words);
	loom_session_close(s);
	free(b);
}

static int advance(struct loom_pipe *pipe, uint64_t n_cycles, struct loom_err *err)
{
	*(uint64_t *)pipe->state += n_cycles;
	return n_cycles == 13 ? loom_fail(err, LOOM_ELINK, "unlucky") : 0;
}

// If the line keeps the board's time, it makes the given number of cycles pass; a board runs by itself.
static void test_cycles_pass(void **state)
{
	(void)state;
	static struct loom_session session;
	struct loom_pipe_kind kind = {.advance = advance};
	struct loom_link link = {.state = &session};
	struct loom_err err = {0};
	uint64_t passed = 0;
	session.pipe = (struct loom_pipe){.kind = &kind, .state = &passed};
	assert_int_equal(loom_session_link_run(&link, 12, &err), 0);
	assert_int_equal(passed, 12);
	assert_int_equal(loom_session_link_run(&link, 13, &err), LOOM_ELINK);
	assert_string_equal(err.text, "unlucky");
	kind.advance = NULL;
	assert_int_equal(loom_session_link_run(&link, 5, &err), 0);
	assert_int_equal(passed, 25);
}

int main(void)
{
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cycles_pass),    cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_list),           cmocka_unit_test(test_registers_of_the_link),
		cmocka_unit_test(test_rate),           cmocka_unit_test(test_hello_fails),
		cmocka_unit_test(test_gone),           cmocka_unit_test(test_liar),
		cmocka_unit_test(test_plug_and_reset), cmocka_unit_test(test_faults),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
