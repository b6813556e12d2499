// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The times for which link fault lets its line wait. test_session and test_link_uart test the damage.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "links/fault.h"

// A line that records its calls, takes all bytes, and has some to return.
struct line {
	uint64_t waits_us, now_us, n_cycles;
	unsigned baud;
	size_t n_out, in_room, n_here;
};

static int line_exchange(struct loom_pipe *pipe, struct loom_pipe_bytes *bytes, uint64_t timeout_us,
                         struct loom_err *err)
{
	struct line *l = pipe->state;
	(void)err;
	l->waits_us = timeout_us;
	l->n_out = bytes->n_sent = bytes->n_out;
	l->in_room = bytes->in_room;
	bytes->n_came = l->n_here < bytes->in_room ? l->n_here : bytes->in_room;
	memset(bytes->in, 7, bytes->n_came);
	l->n_here -= bytes->n_came;
	return 0;
}

static uint64_t line_now_us(struct loom_pipe *pipe)
{
	return ((struct line *)pipe->state)->now_us;
}

static void line_close(struct loom_pipe *pipe)
{
	(void)pipe;
}

static int line_advance(struct loom_pipe *pipe, uint64_t n_cycles, struct loom_err *err)
{
	((struct line *)pipe->state)->n_cycles += n_cycles;
	return n_cycles == 13 ? loom_fail(err, LOOM_ELINK, "not so many") : 0;
}

static void line_set_baud(struct loom_pipe *pipe, unsigned baud)
{
	((struct line *)pipe->state)->baud = baud;
	pipe->bytes_per_s = baud / 10;
}

static const struct loom_pipe_kind line_kind = {.exchange = line_exchange, .close = line_close, .now_us = line_now_us};

static struct loom_pipe wrap(struct line *l, const char *faults)
{
	struct loom_pipe line = {.kind = &line_kind, .state = l}, out;
	struct loom_fault_settings settings;
	assert_int_equal(loom_fault_parse(&settings, faults, NULL), 0);
	assert_int_equal(loom_fault_wrap(&out, &line, &settings, NULL), 0);
	return out;
}

// Returns the number of bytes that came.
static size_t exchange(struct loom_pipe *pipe, size_t n_out, size_t in_room)
{
	static const uint8_t some[4096];
	uint8_t in[4096];
	struct loom_pipe_bytes bytes = {.out = some, .n_out = n_out, .in = in, .in_room = in_room};
	assert_int_equal(pipe->kind->exchange(pipe, &bytes, 5000, NULL), 0);
	assert_int_equal(bytes.n_sent, n_out);
	return bytes.n_came;
}

// The link waits for bytes as long as it may, but not at all if it has bytes to return.
static void test_waits(void **state)
{
	(void)state;
	struct line l = {0};
	struct loom_pipe pipe = wrap(&l, "");
	assert_int_equal(exchange(&pipe, 0, 10), 0);
	assert_int_equal(l.waits_us, 5000);
	assert_int_equal(exchange(&pipe, 3, 10), 0);
	assert_int_equal(l.waits_us, 0);
	assert_int_equal(l.n_out, 3);
	l.n_here = 12;
	assert_int_equal(exchange(&pipe, 0, 10), 10);
	assert_int_equal(l.waits_us, 5000);
	assert_int_equal(exchange(&pipe, 0, 10), 2); // left over
	assert_int_equal(l.waits_us, 0);
	assert_int_equal(l.in_room, 0);
	assert_int_equal(exchange(&pipe, 0, 10), 0);
	assert_int_equal(l.waits_us, 5000);
	assert_true(l.in_room > 0);
	pipe.kind->close(&pipe);
}

// While bytes are late the link waits until they are due, and no longer; then it passes them on.
static void test_waits_for_late(void **state)
{
	(void)state;
	struct line l = {0};
	struct loom_pipe pipe = wrap(&l, "seed=1,stall=3");
	l.now_us = 1000;
	for (unsigned n = 0; n == 0 || l.n_out == 64; n++) { // until a chunk is late: then nothing reaches the line
		assert_true(n < 10000);
		(void)exchange(&pipe, 64, 0);
	}
	assert_int_equal(l.n_out, 0);
	(void)exchange(&pipe, 0, 10);
	assert_int_equal(l.waits_us, 3000);
	l.now_us = 3999;
	(void)exchange(&pipe, 0, 10);
	assert_int_equal(l.waits_us, 1);
	assert_int_equal(l.n_out, 0);
	l.now_us = 4000;
	(void)exchange(&pipe, 0, 10);
	assert_int_equal(l.waits_us, 5000);
	assert_int_equal(l.n_out, 64);
	pipe.kind->close(&pipe);
}

// A chunk that comes late comes late from its first byte on: no byte of its exchange is handed over before it is due.
static void test_first_of_late(void **state)
{
	(void)state;
	struct line l = {.now_us = 1000};
	struct loom_pipe pipe = wrap(&l, "seed=2,stall=3");
	unsigned n = 0;
	do { // until a chunk is late: then nothing of it comes
		assert_true(n++ < 10000);
		l.n_here = 64;
	} while (exchange(&pipe, 0, 64) == 64);
	assert_int_equal(l.n_here, 0);
	assert_int_equal(l.waits_us, 5000); // nothing was late before
	assert_int_equal(exchange(&pipe, 0, 64), 0);
	assert_int_equal(l.waits_us, 3000);
	l.now_us = 3999;
	assert_int_equal(exchange(&pipe, 0, 64), 0);
	l.now_us = 4000;
	assert_int_equal(exchange(&pipe, 0, 64), 64);
	pipe.kind->close(&pipe);
}

// Without faults bytes go through as they are, both ways, however many at a time and however little room there is.
static void test_good_line(void **state)
{
	(void)state;
	static const size_t sizes[] = {1, 63, 64, 65, 2047, 2048};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		struct line l = {.n_here = sizes[i]};
		struct loom_pipe pipe = wrap(&l, "seed=9");
		size_t came = 0;
		(void)exchange(&pipe, sizes[i], 0);
		assert_int_equal(l.n_out, sizes[i]);
		for (unsigned n = 0; n < 3000 && came < sizes[i]; n++)
			came += exchange(&pipe, 0, 50);
		assert_int_equal(came, sizes[i]);
		assert_int_equal(exchange(&pipe, 0, 50), 0);
		pipe.kind->close(&pipe);
	}
}

// Faults at rate 1, by hand.
static void test_rates(void **state)
{
	(void)state;
	static const struct {
		const char *faults;
		size_t comes; // of 64 bytes
	} rows[] = {{"seed=1,drop=1", 0},
	            {"seed=1,duplicate=1", 128},
	            {"seed=1,swap=1", 64},
	            {"seed=1,flip=1", 64},
	            {"seed=1,drop=0", 64}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct line l = {.n_here = 64};
		struct loom_pipe pipe = wrap(&l, rows[i].faults);
		uint8_t in[256] = {0};
		struct loom_pipe_bytes bytes = {.in = in, .in_room = sizeof in};
		assert_int_equal(pipe.kind->exchange(&pipe, &bytes, 0, NULL), 0);
		assert_int_equal(bytes.n_came, rows[i].comes);
		for (size_t k = 0; k < bytes.n_came; k++)
			assert_int_equal(in[k], strstr(rows[i].faults, "flip") ? 7 ^ 0xff : 7);
		// A discard drops the bytes that have come and were not asked for yet.
		l.n_here = 64;
		bytes = (struct loom_pipe_bytes){.in = in, .in_room = 1};
		assert_int_equal(pipe.kind->exchange(&pipe, &bytes, 0, NULL), 0);
		pipe.kind->discard(&pipe);
		bytes = (struct loom_pipe_bytes){.in = in, .in_room = sizeof in};
		assert_int_equal(pipe.kind->exchange(&pipe, &bytes, 0, NULL), 0);
		assert_int_equal(bytes.n_came, 0);
		pipe.kind->close(&pipe);
	}
}

// The link passes settings, counts and interrupts on to the line behind it, if that knows of them.
static void test_passed_on(void **state)
{
	(void)state;
	struct line l = {.now_us = 42};
	struct loom_pipe_kind kind = line_kind;
	struct loom_pipe line = {.kind = &kind, .state = &l, .bytes_per_s = 5}, pipe;
	const struct loom_fault_settings none = {0};
	struct loom_err err = {0};
	(void)snprintf(line.name, sizeof line.name, "a line");
	assert_int_equal(loom_fault_wrap(&pipe, &line, &none, NULL), 0);
	assert_string_equal(pipe.name, "a line (faults on purpose)");
	assert_int_equal(pipe.bytes_per_s, 5);
	assert_int_equal(pipe.kind->now_us(&pipe), 42);
	assert_int_equal(pipe.kind->advance(&pipe, 12, &err), 0); // a board runs by itself
	pipe.kind->set_baud(&pipe, 9600);
	pipe.kind->discard(&pipe);
	assert_true(l.n_cycles == 0 && l.baud == 0 && pipe.bytes_per_s == 5);
	kind.advance = line_advance;
	kind.set_baud = line_set_baud;
	assert_int_equal(pipe.kind->advance(&pipe, 12, &err), 0);
	assert_int_equal(pipe.kind->advance(&pipe, 13, &err), LOOM_ELINK);
	assert_int_equal(l.n_cycles, 25);
	pipe.kind->set_baud(&pipe, 9600);
	assert_int_equal(l.baud, 9600);
	assert_int_equal(pipe.bytes_per_s, 960);
	pipe.kind->close(&pipe);
}

static void test_settings(void **state)
{
	(void)state;
	struct loom_fault_settings s;
	struct loom_err err;
	assert_int_equal(
		loom_fault_parse(&s, "seed=4294967295,flip=1e-3,drop=0.5,duplicate=1,swap=0,truncate=0.25,stall=60000",
	                         NULL),
		0);
	assert_true(s.seed == 4294967295u && s.flip == 1e-3 && s.drop == 0.5 && s.duplicate == 1 && s.swap == 0 &&
	            s.truncate == 0.25 && s.stall_ms == 60000);
	static const char *const wrong[][2] = {
		{"seed", "link fault: \"seed\" is no setting"},
		{"flips=1", "link fault: \"flips\" is no setting; there is: seed=, flip="},
		{"fli=1", "\"fli\" is no setting"},
		{"flip=", "link fault: flip= is not a rate in 0..1"},
		{"flip=1.01", "link fault: flip=1.01 is not a rate in 0..1"},
		{"flip=-0.1,drop=1", "link fault: flip=-0.1 is not a rate in 0..1"},
		{"flip=nan", "flip=nan is not a rate"},
		{"flip=0.5x", "flip=0.5x is not a rate"},
		{"seed=1.5", "link fault: seed=1.5 is not a whole number in 0..4294967295"},
		{"seed=4294967296", "is not a whole number"},
		{"stall=0.5", "link fault: stall=0.5 is not a whole number in 0..60000"},
		{"stall=60001", "is not a whole number in 0..60000"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		assert_int_equal(loom_fault_parse(&s, wrong[i][0], &err), LOOM_EINPUT);
		if (!strstr(err.text, wrong[i][1]))
			fail_msg("%s: %s", wrong[i][0], err.text);
		assert_int_equal(s.stall_ms, 60000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waits),         cmocka_unit_test(test_waits_for_late),
		cmocka_unit_test(test_first_of_late), cmocka_unit_test(test_good_line),
		cmocka_unit_test(test_rates),         cmocka_unit_test(test_passed_on),
		cmocka_unit_test(test_settings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
