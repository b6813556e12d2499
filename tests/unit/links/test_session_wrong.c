// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The session with a far end that gives the answers of the test, a millisecond later, in simulated time: no answers,
// those of another device, damaged answers, or refusals of all requests.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/link/session.h>

#include "links/frame.h"

enum { DELAY_US = 1000, HELLOS_MOST = 16, OUT_BYTES = 4096 };

enum hello { GREETS, SILENT, OTHER_NONCE, OTHER_NUMBER, OTHER_KIND };

struct other {
	enum hello hello;
	double bytes_per_s; // the speed that the line reports
	unsigned room;      // as the board says, bytes of a frame; 0: 512
	size_t longest;     // frame that came, with its zero
	bool cut;           // the ends of answers to reads are lost
	unsigned n_to_damage,
		refusal; // answers to reads that are damaged; the reason for which all are refused, 0: none is
	unsigned silent_after, n_answers; // answers to reads until it is silent; 0: it goes on
	uint64_t now_us, due_us;
	struct loom_frame_reader reader;
	uint64_t hello_us[HELLOS_MOST]; // the times of the first hellos
	unsigned n_hellos, n_damaged, n_refused;
	uint64_t n_in, n_out; // bytes received, and sent
	uint8_t out[OUT_BYTES];
	size_t out_at, out_n;
};

static void answer(struct other *o, const uint8_t *body, size_t n, bool damaged)
{
	struct loom_frame f = {.n = n};
	uint8_t line[LOOM_FRAME_LINE_MAX];
	memcpy(f.body, body, n);
	n = loom_frame_encode(line, &f);
	if (damaged) // not the zero, and none is made
		line[n - 2] = line[n - 2] == 1 ? 2 : 1;
	assert_true(o->out_n + n <= OUT_BYTES);
	memcpy(o->out + o->out_n, line, n);
	o->out_n += n;
	o->due_us = o->now_us + DELAY_US;
}

static void take(struct other *o, const struct loom_frame *f)
{
	const uint8_t number = f->body[1];
	if (f->body[0] == LOOM_FRAME_HELLO) {
		uint8_t body[10] = {LOOM_FRAME_ANSWER + LOOM_FRAME_HELLO,
		                    number,
		                    0,
		                    0,
		                    0,
		                    0,
		                    1,
		                    64,
		                    (uint8_t)o->room,
		                    o->room ? 0 : 2};
		if (o->n_hellos < HELLOS_MOST)
			o->hello_us[o->n_hellos] = o->now_us;
		o->n_hellos++;
		memcpy(body + 2, f->body + 2, 4);
		body[1] = (uint8_t)(number + (o->hello == OTHER_NUMBER));
		body[2] ^= o->hello == OTHER_NONCE;
		if (o->hello == OTHER_KIND)
			answer(o, (const uint8_t[]){LOOM_FRAME_ANSWER + LOOM_FRAME_WRITE, number}, 2, false);
		else if (o->hello != SILENT)
			answer(o, body, sizeof body, false);
	} else if (o->refusal) {
		o->n_refused++;
		answer(o, (const uint8_t[]){LOOM_FRAME_REFUSAL, number, (uint8_t)o->refusal}, 3, false);
	} else {
		const bool damaged = o->n_to_damage > 0;
		if (o->n_answers++ >= o->silent_after && o->silent_after)
			return;
		assert_int_equal(f->body[0], LOOM_FRAME_READ);
		o->n_to_damage -= damaged;
		o->n_damaged += damaged;
		uint8_t body[2 + 4 * 64] = {LOOM_FRAME_ANSWER + LOOM_FRAME_READ, number};
		const size_t n_words =
			(f->n - LOOM_FRAME_HEADER_BYTES) / LOOM_FRAME_COMMAND_BYTES; // each of a command of its own
		assert_true(n_words <= 64);
		for (size_t i = 0; i < 4 * n_words; i++)
			body[2 + i] = (uint8_t)(1 + i % 4);
		answer(o, body, 2 + 4 * n_words, damaged);
		o->out_n -= o->cut ? 3 : 0;
	}
}

static int exchange(struct loom_pipe *pipe, struct loom_pipe_bytes *bytes, uint64_t timeout_us, struct loom_err *err)
{
	struct other *o = pipe->state;
	struct loom_frame f;
	(void)err;
	bytes->n_sent = bytes->n_out;
	bytes->n_came = 0;
	for (size_t i = 0; i < bytes->n_out; i++, o->n_in++) {
		o->longest = o->reader.n + 1 > o->longest ? o->reader.n + 1 : o->longest;
		if (loom_frame_take(&o->reader, bytes->out[i], &f) == LOOM_FRAME_GOOD)
			take(o, &f);
	}
	if (bytes->n_out)
		return 0;
	const bool comes = o->out_at < o->out_n && o->due_us <= o->now_us + timeout_us;
	if (!comes) {
		o->now_us += timeout_us;
		return 0;
	}
	o->now_us = o->due_us > o->now_us ? o->due_us : o->now_us;
	while (bytes->n_came < bytes->in_room && o->out_at < o->out_n)
		bytes->in[bytes->n_came++] = o->out[o->out_at++];
	if (o->out_at == o->out_n)
		o->out_at = o->out_n = 0;
	o->n_out += bytes->n_came;
	return 0;
}

static void close_line(struct loom_pipe *pipe)
{
	pipe->state = NULL;
}

static uint64_t now_us(struct loom_pipe *pipe)
{
	return ((const struct other *)pipe->state)->now_us;
}

static const struct loom_pipe_kind kind = {.exchange = exchange, .close = close_line, .now_us = now_us};

static int open_line(struct loom_session **s, struct other *o, unsigned timeout_ms, struct loom_err *err)
{
	struct loom_pipe pipe = {.kind = &kind, .state = o, .name = "the line", .bytes_per_s = o->bytes_per_s};
	return loom_session_open(s, &pipe, timeout_ms, err);
}

// A hello is repeated after 100 ms, 200 ms, and then every 400 ms; later on a line that takes 50 ms for 64 bytes.
static void test_hellos(void **state)
{
	(void)state;
	static const struct {
		double bytes_per_s;
		unsigned n, ms[8], end_ms;
	} lines[] = {{0, 7, {0, 100, 300, 700, 1100, 1500, 1900}, 2000}, {1280, 5, {0, 150, 450, 1050, 1650}, 2050}};
	for (size_t k = 0; k < 2; k++) {
		struct other o = {.hello = SILENT, .bytes_per_s = lines[k].bytes_per_s};
		struct loom_session *s;
		struct loom_err err = {0};
		assert_int_equal(open_line(&s, &o, 2000, &err), LOOM_ETIMEOUT);
		assert_non_null(strstr(err.text, "the line does not answer"));
		assert_int_equal(o.n_hellos, lines[k].n);
		for (size_t i = 0; i < o.n_hellos; i++)
			assert_int_equal(o.hello_us[i], 1000 * lines[k].ms[i]);
		assert_int_equal(o.now_us, 1000 * lines[k].end_ms);
	}
}

// An answer with another number, or of another sort, does not answer this hello.
static void test_strangers(void **state)
{
	(void)state;
	for (enum hello hello = OTHER_NONCE; hello <= OTHER_KIND; hello++) {
		struct other o = {.hello = hello};
		struct loom_session *s;
		struct loom_err err = {0};
		assert_int_equal(open_line(&s, &o, 500, &err), LOOM_ELINK);
		assert_non_null(strstr(err.text, "the line answers, but not to a hello"));
	}
}

static int read_word(struct loom_session *s, uint32_t *word, struct loom_err *err)
{
	const struct loom_transfer one = {.address = 5, .n_words = 1, .read = word};
	return loom_session_transfer(s, &one, 1, 300, err);
}

// If all answers are bad, the message has their number and kind.
static void test_nothing_across(void **state)
{
	(void)state;
	for (unsigned reason = 0; reason <= 4; reason++) {
		struct other o = {.n_to_damage = reason ? 0 : UINT32_MAX, .refusal = reason};
		struct loom_session *s;
		struct loom_err err = {0};
		char says[160];
		uint32_t word;
		assert_int_equal(open_line(&s, &o, 1000, &err), 0);
		assert_int_equal(read_word(s, &word, &err), LOOM_ETIMEOUT);
		assert_true(o.n_damaged + o.n_refused > 1);
		(void)snprintf(says, sizeof says,
		               "the line gets nothing across after 0 words: %u damaged answers, %u refusals%s",
		               o.n_damaged, o.n_refused,
		               reason == 3 ? ", the last one of a malformed request" : ": a bad cable?");
		assert_string_equal(err.text, says);
		loom_session_close(s);
	}
}

// A lost frame is asked for again as soon as its answer comes damaged, not after a time-out; every byte is counted.
static void test_damaged_once(void **state)
{
	(void)state;
	struct other o = {.n_to_damage = 1};
	struct loom_session *s;
	struct loom_err err = {0};
	struct loom_link_stats stats;
	uint32_t word = 0;
	assert_int_equal(open_line(&s, &o, 1000, &err), 0);
	const uint64_t begin = o.now_us;
	assert_int_equal(read_word(s, &word, &err), 0);
	assert_int_equal(word, 0x04030201);
	assert_int_equal(o.now_us - begin, 3 * DELAY_US); // the answer, that to a mark, and the answer once more
	loom_session_stats(s, &stats);
	assert_int_equal(stats.damaged, 1);
	assert_int_equal(stats.repeated, 1);
	assert_int_equal(stats.bytes_out, o.n_in);
	assert_int_equal(stats.bytes_in, o.n_out);
	loom_session_close(s);
}

// A failure before the last word that arrived is not named as the reason for silence.
static void test_silent_later(void **state)
{
	(void)state;
	enum { N = 300 };
	static struct loom_transfer list[N];
	static uint32_t words[N];
	for (uint32_t i = 0; i < N; i++)
		list[i] = (struct loom_transfer){.address = i, .n_words = 1, .read = &words[i]};
	for (unsigned damaged = 0; damaged < 2; damaged++) {
		struct other o = {.n_to_damage = damaged, .silent_after = 4};
		struct loom_session *s;
		struct loom_err err = {0};
		assert_int_equal(open_line(&s, &o, 1000, &err), 0);
		assert_int_equal(loom_session_transfer(s, list, N, 300, &err), LOOM_ETIMEOUT);
		assert_int_equal(o.n_damaged, damaged);
		const char *after = strstr(err.text, "the line stopped answering after ");
		if (!after || strtoul(after + 33, NULL, 10) == 0)
			fail_msg("%s", err.text);
		loom_session_close(s);
	}
}

// The remains of a call that failed do not spoil the hello of the next.
static void test_begins_anew(void **state)
{
	(void)state;
	struct other o = {.cut = true};
	struct loom_session *s;
	struct loom_err err = {0};
	uint32_t word = 0;
	assert_int_equal(open_line(&s, &o, 1000, &err), 0);
	o.hello = SILENT;
	assert_int_equal(read_word(s, &word, &err), LOOM_ETIMEOUT);
	assert_non_null(strstr(err.text, "the line stopped answering after 0 words"));
	o.hello = GREETS;
	o.cut = false;
	o.out_at = o.out_n = 0;
	const uint64_t begin = o.now_us;
	assert_int_equal(read_word(s, &word, &err), 0);
	assert_int_equal(word, 0x04030201);
	assert_int_equal(o.now_us - begin, 2 * DELAY_US);
	loom_session_close(s);
}

// A frame of small commands fills what room the board has, as far as another command does not fit, and never more.
static void test_room(void **state)
{
	(void)state;
	enum { N = 200 };
	static struct loom_transfer list[N];
	static uint32_t words[N];
	for (unsigned room = 40; room < 120; room++) {
		struct other o = {.room = room};
		struct loom_session *s;
		struct loom_err err = {0};
		for (uint32_t i = 0; i < N; i++)
			list[i] = (struct loom_transfer){.address = i, .n_words = 1, .read = &words[i]};
		assert_int_equal(open_line(&s, &o, 1000, &err), 0);
		if (loom_session_transfer(s, list, N, 300, &err) != 0)
			fail_msg("room %u: %s", room, err.text);
		for (uint32_t i = 0; i < N; i++)
			assert_int_equal(words[i], 0x04030201);
		if (o.longest > room || o.longest + LOOM_FRAME_COMMAND_BYTES <= room)
			fail_msg("room for %u bytes: the longest frame has %zu", room, o.longest);
		loom_session_close(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hellos),         cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_nothing_across), cmocka_unit_test(test_damaged_once),
		cmocka_unit_test(test_silent_later),   cmocka_unit_test(test_begins_anew),
		cmocka_unit_test(test_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
