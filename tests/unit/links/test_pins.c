// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Bytes on the pins of a board's UART: against a level that is worked out for each cycle by itself, at clocks of 4 to 65536
// cycles a bit; boards whose clock is a little off; glitches, breaks, and more bytes than there is room for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "links/pins.h"

static unsigned char rx, tx; // the pins

static void set_rx(unsigned char level)
{
	rx = level;
}

static unsigned char get_tx(void)
{
	return tx;
}

static struct loom_pins *at_rest(unsigned clock_hz, unsigned baud)
{
	struct loom_pins *p = calloc(1, sizeof *p);
	assert_non_null(p);
	*p = (struct loom_pins){.set_rx = set_rx, .get_tx = get_tx, .clock_hz = clock_hz, .baud = baud};
	rx = tx = 1;
	return p;
}

static const struct {
	unsigned clock_hz, baud;
} rates[] = {{4, 1}, {1000, 250}, {1000, 181}, {12000000, 3000000}, {12000000, 115200}, {50000000, 921600}, {65536, 1}};

#define RATES (sizeof rates / sizeof rates[0])

// The level of a line on which bytes follow each other from cycle 0 on, `clock` / `baud` cycles a bit.
static unsigned char level_at(const uint8_t *bytes, size_t n, uint64_t cycle, uint64_t clock, uint64_t baud)
{
	uint64_t bit = cycle * baud / clock;
	if (bit >= 10 * n)
		return 1;
	unsigned word = 1u << 9 | (unsigned)bytes[bit / 10] << 1;
	return word >> bit % 10 & 1;
}

static void test_to_the_board(void **state)
{
	(void)state;
	static const uint8_t bytes[] = {0x00, 0xff, 0x55, 0xaa, 0x01, 0x80, 0x7e};
	for (size_t r = 0; r < RATES; r++) {
		struct loom_pins *p = at_rest(rates[r].clock_hz, rates[r].baud);
		size_t n = rates[r].clock_hz / rates[r].baud > 1000 ? 2 : sizeof bytes;
		for (unsigned i = 0; i < 3; i++) { // no bytes
			loom_pins_drive(p);
			assert_int_equal(rx, 1);
		}
		for (unsigned again = 0; again < 2; again++) { // the second time from rest, not from where a bit ended
			assert_true(loom_pins_idle(p));
			assert_int_equal(loom_pins_put(p, bytes, n), n);
			assert_false(loom_pins_idle(p));
			uint64_t end = (10 * n * rates[r].clock_hz + rates[r].baud - 1) / rates[r].baud;
			for (uint64_t cycle = 0; cycle <= end; cycle++) {
				loom_pins_drive(p);
				unsigned char level = level_at(bytes, n, cycle, rates[r].clock_hz, rates[r].baud);
				if (rx != level)
					fail_msg("%u Hz, %u baud: %u in cycle %u", rates[r].clock_hz, rates[r].baud, rx,
					         (unsigned)cycle);
				assert_int_equal(loom_pins_idle(p), cycle == end);
			}
		}
		free(p);
	}
}

// Bytes on the line arrive if the board's clock is off by up to 4% either way: the last bit is in its middle by half a bit.
static void test_from_the_board(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 3);
	for (size_t r = 0; r < RATES; r++)
		for (unsigned percent = 96; percent <= 104; percent += 4) {
			uint8_t bytes[40], got[sizeof bytes + 1];
			uint64_t per_bit = rates[r].clock_hz / rates[r].baud;
			size_t n = per_bit > 1000 ? 2 : sizeof bytes;
			if (percent != 100 && per_bit < 100) // too few cycles a bit for more than is exact
				continue;
			struct loom_pins *p = at_rest(rates[r].clock_hz, rates[r].baud);
			for (size_t i = 0; i < n; i++)
				bytes[i] = (uint8_t)loom_rng_below(&rng, 256);
			// Each byte begins at rest, so that errors of the clock do not add up, and a pause of up to two
			// bits follows.
			for (size_t i = 0; i < n; i++) {
				uint64_t cycles = (10 + loom_rng_below(&rng, 3)) * 100 * rates[r].clock_hz /
				                          (percent * (uint64_t)rates[r].baud) +
				                  1;
				for (uint64_t cycle = 0; cycle < cycles; cycle++) {
					tx = level_at(&bytes[i], 1, cycle, 100 * (uint64_t)rates[r].clock_hz,
					              percent * (uint64_t)rates[r].baud);
					loom_pins_sample(p);
				}
			}
			assert_int_equal(loom_pins_get(p, got, sizeof got), n);
			assert_memory_equal(got, bytes, n);
			assert_int_equal(p->damaged, 0);
			for (uint64_t cycle = 0; cycle <= per_bit; cycle++)
				loom_pins_sample(p);
			assert_true(loom_pins_idle(p));
			free(p);
		}
}

static void hold(struct loom_pins *p, unsigned char level, unsigned cycles)
{
	tx = level;
	for (unsigned i = 0; i < cycles; i++)
		loom_pins_sample(p);
}

static void say(struct loom_pins *p, uint8_t byte, unsigned per_bit)
{
	hold(p, 0, per_bit);
	for (unsigned i = 0; i < 8; i++)
		hold(p, byte >> i & 1, per_bit);
	hold(p, 1, per_bit);
}

// Bits are read in their middle, the start bit too.
static void test_middle(void **state)
{
	(void)state;
	enum { PER_BIT = 100 };
	uint8_t byte;
	for (unsigned low = 1; low <= PER_BIT; low++) {
		struct loom_pins *p = at_rest(PER_BIT, 1);
		hold(p, 0, low); // the first of the cycles is that in which the start is seen
		hold(p, 1, 20 * PER_BIT);
		bool is_start = low > PER_BIT / 2;
		assert_int_equal(loom_pins_get(p, &byte, 1), is_start);
		if (is_start)
			assert_int_equal(byte, 0xff);
		assert_int_equal(p->damaged, 0);
		free(p);
	}
	for (unsigned bit = 1; bit <= 9; bit++)
		for (unsigned off = PER_BIT / 2 - 2; off <= PER_BIT / 2 + 2; off++) {
			struct loom_pins *p = at_rest(PER_BIT, 1);
			hold(p, 0, bit * PER_BIT + off); // low to there, high after it
			hold(p, 1, 20 * PER_BIT);
			bool sees_low = off > PER_BIT / 2;
			unsigned first = bit - 1 + sees_low; // the first data bit that is high
			assert_int_equal(loom_pins_get(p, &byte, 1), bit < 9 || !sees_low);
			assert_int_equal(p->damaged, bit == 9 && sees_low);
			if (bit < 9 || !sees_low)
				assert_int_equal(byte, (uint8_t)(0xff << first));
			free(p);
		}
}

// A line held low is one byte that is damaged, however long; what follows its rest is read.
static void test_break(void **state)
{
	(void)state;
	enum { PER_BIT = 16 };
	for (unsigned bits = 10; bits <= 45; bits++) {
		uint8_t got[4];
		struct loom_pins *p = at_rest(PER_BIT, 1);
		hold(p, 0, bits * PER_BIT);
		assert_int_equal(p->damaged, 1);
		assert_false(loom_pins_idle(p));
		hold(p, 1, 2 * PER_BIT);
		assert_true(loom_pins_idle(p));
		say(p, 0x5c, PER_BIT);
		say(p, 0xc5, PER_BIT);
		assert_int_equal(loom_pins_get(p, got, sizeof got), 2);
		assert_int_equal(got[0], 0x5c);
		assert_int_equal(got[1], 0xc5);
		assert_int_equal(p->damaged, 1);
		free(p);
	}
}

static void test_room(void **state)
{
	(void)state;
	static uint8_t bytes[LOOM_PINS_FIFO + 9], got[LOOM_PINS_FIFO + 9];
	enum { PER_BIT = 4 };
	struct loom_pins *p = at_rest(PER_BIT, 1);
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i * 7 + i / 256);
	// To the board: as many as find room; each one that goes makes room for one.
	assert_int_equal(loom_pins_room(p), LOOM_PINS_FIFO);
	assert_int_equal(loom_pins_put(p, bytes, 1), 1);
	assert_int_equal(loom_pins_room(p), LOOM_PINS_FIFO - 1);
	assert_int_equal(loom_pins_put(p, bytes + 1, sizeof bytes - 1), LOOM_PINS_FIFO - 1);
	assert_int_equal(loom_pins_room(p), 0);
	assert_int_equal(loom_pins_put(p, bytes, 1), 0);
	loom_pins_drive(p);
	assert_int_equal(loom_pins_room(p), 1);
	assert_int_equal(loom_pins_put(p, bytes + LOOM_PINS_FIFO, 2), 1);
	// Past the end of the ring, in order.
	for (uint64_t cycle = 1; cycle < 10 * (uint64_t)PER_BIT * (LOOM_PINS_FIFO + 1); cycle++) {
		loom_pins_drive(p);
		assert_int_equal(rx, level_at(bytes, LOOM_PINS_FIFO + 1, cycle, PER_BIT, 1));
	}
	loom_pins_drive(p);
	assert_true(loom_pins_idle(p));
	// From the board: bytes without room are lost and counted; earlier bytes stay.
	for (size_t i = 0; i < LOOM_PINS_FIFO; i++)
		say(p, bytes[i], PER_BIT);
	assert_int_equal(p->damaged, 0);
	say(p, 1, PER_BIT);
	say(p, 2, PER_BIT);
	assert_int_equal(p->damaged, 2);
	assert_int_equal(loom_pins_get(p, got, 3), 3);
	say(p, bytes[LOOM_PINS_FIFO], PER_BIT);
	assert_int_equal(loom_pins_get(p, got + 3, sizeof got - 3), LOOM_PINS_FIFO - 2);
	assert_memory_equal(got, bytes, LOOM_PINS_FIFO + 1);
	assert_int_equal(loom_pins_get(p, got, 1), 0);
	// A discard drops the bytes of both directions.
	say(p, 1, PER_BIT);
	assert_int_equal(loom_pins_put(p, bytes, 2), 2);
	assert_false(loom_pins_idle(p));
	loom_pins_discard(p);
	assert_true(loom_pins_idle(p));
	assert_int_equal(loom_pins_room(p), LOOM_PINS_FIFO);
	assert_int_equal(loom_pins_get(p, got, 1), 0);
	// Any of four conditions makes the pins busy.
	assert_int_equal(loom_pins_put(p, bytes, 1), 1);
	assert_false(loom_pins_idle(p));
	loom_pins_drive(p); // it is under way
	assert_int_equal(loom_pins_room(p), LOOM_PINS_FIFO);
	assert_false(loom_pins_idle(p));
	for (unsigned i = 0; i < 10 * PER_BIT; i++)
		loom_pins_drive(p);
	assert_true(loom_pins_idle(p));
	hold(p, 0, 1);
	assert_false(loom_pins_idle(p));
	hold(p, 1, 12 * PER_BIT); // a false start bit
	assert_true(loom_pins_idle(p));
	say(p, 1, PER_BIT);
	hold(p, 1, PER_BIT);
	assert_false(loom_pins_idle(p));
	free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_to_the_board), cmocka_unit_test(test_from_the_board),
	                                   cmocka_unit_test(test_middle), cmocka_unit_test(test_break),
	                                   cmocka_unit_test(test_room)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
