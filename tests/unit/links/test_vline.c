// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads random settings behind sim-uart: and compares each with its value.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "links/vline.h"

// The text in a piece of memory of its length, so that what is read before or behind it is noticed.
static char *piece(const char *text)
{
	char *it = strdup(text);
	assert_non_null(it);
	return it;
}

static void test_parsed(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 5);
	static const char *const boards[] = {"", "cube:2", "build/boards/hx8k/cube2.v", "table-mesh:2x2v2"};
	for (int i = 0; i < 400; i++) {
		const char *board = boards[loom_rng_below(&rng, 4)];
		const unsigned baud = 300 + (unsigned)loom_rng_below(&rng, 1000),
			       clock = 4 * baud + (unsigned)loom_rng_below(&rng, 9000);
		const bool clock_first = loom_rng_below(&rng, 2), has_clock = loom_rng_below(&rng, 2),
			   has_baud = loom_rng_below(&rng, 2) && has_clock;
		char settings[80] = "", text[160], *own;
		if (has_clock && has_baud && clock_first)
			(void)snprintf(settings, sizeof settings, "clock=%u,baud=%u", clock, baud);
		else if (has_clock && has_baud)
			(void)snprintf(settings, sizeof settings, "baud=%u,clock=%u", baud, clock);
		else if (has_clock)
			(void)snprintf(settings, sizeof settings, "clock=%u", 40000000 + clock);
		(void)snprintf(text, sizeof text, "%s%s%s", board, *board && *settings ? "," : "", settings);
		own = piece(text);
		struct loom_vline_settings s = {0};
		struct loom_err err = {0};
		if (loom_vline_parse(&s, own, "cube:1", &err) != 0)
			fail_msg("\"%s\": %s", text, err.text);
		if (strcmp(s.board, *board ? board : "cube:1") != 0 || s.topo ||
		    s.clock_hz != (has_baud    ? clock
		                   : has_clock ? 40000000 + clock
		                               : LOOM_VLINE_CLOCK_HZ) ||
		    s.baud != (has_baud ? baud : 3000000))
			fail_msg("\"%s\": board %s, clock %u, baud %u", text, s.board, s.clock_hz, s.baud);
		free(own);
	}
}

static void test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *fabric, *says;
	} rows[] = {
		{"", NULL, "which fabric"},
		{"baud=9600", NULL, "which fabric"},
		{"cube:2,speed=3", NULL, "speed"},
		{"cube:2,clock=999", NULL, "clock"},
		{"cube:2,baud=49", NULL, "baud"},
		{"cube:2,clock=39999,baud=10000", NULL, "not 10000"},
		{"clock=39999,baud=10000", "cube:2", "a clock of 39999 Hz does 1 to 9999 baud"},
		{"clock=65537000,baud=1000", "cube:2", "a clock of 65537000 Hz does 1001 to 16384250 baud"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct loom_vline_settings s = {.clock_hz = 7};
		struct loom_err err = {0};
		char *own = piece(rows[i].text);
		if (loom_vline_parse(&s, own, rows[i].fabric, &err) != LOOM_EINPUT || !strstr(err.text, rows[i].says))
			fail_msg("\"%s\" says \"%s\", not \"%s\"", rows[i].text, err.text, rows[i].says);
		assert_true(s.clock_hz == 7 && !s.board);
		free(own);
	}
	// The limits of a clock.
	for (unsigned baud = 1000; baud <= 1000000; baud *= 10)
		for (unsigned past = 0; past < 2; past++) {
			struct loom_vline_settings s;
			char text[2][64];
			(void)snprintf(text[0], sizeof text[0], "clock=%u,baud=%u", 4 * baud - past, baud);
			assert_true((loom_vline_parse(&s, text[0], "cube:1", NULL) == 0) == !past);
			(void)snprintf(text[1], sizeof text[1], "clock=%u,baud=%u", 65536 * 1000 + past * 1000, 1000u);
			assert_true((loom_vline_parse(&s, text[1], "cube:1", NULL) == 0) == !past);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_parsed), cmocka_unit_test(test_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
