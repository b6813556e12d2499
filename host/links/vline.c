// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/vline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "links/line_settings.h"
#include "links/pins.h"
#include "links/verilated.h"

#define START_CYCLES 128 // the board comes out of its reset

struct loom_vline {
	struct loom_verilated model;
	struct loom_pins pins;
	uint64_t cycles;
};

void loom_vline_run(struct loom_vline *v, uint64_t n_cycles, size_t until, bool want_room)
{
	loom_verilated_enter(&v->model);
	for (uint64_t i = 0; i < n_cycles; i++) {
		if ((until && v->pins.from.fifo.n >= until) || (want_room && loom_pins_room(&v->pins)))
			return;
		loom_pins_drive(&v->pins);
		loom_verilated_cycle(&v->model);
		loom_pins_sample(&v->pins);
		v->cycles++;
	}
}

size_t loom_vline_room(const struct loom_vline *v)
{
	return loom_pins_room(&v->pins);
}

size_t loom_vline_put(struct loom_vline *v, const uint8_t *bytes, size_t n)
{
	return loom_pins_put(&v->pins, bytes, n);
}

size_t loom_vline_waiting(const struct loom_vline *v)
{
	return v->pins.from.fifo.n;
}

size_t loom_vline_get(struct loom_vline *v, uint8_t *out, size_t max)
{
	return loom_pins_get(&v->pins, out, max);
}

uint64_t loom_vline_cycles(const struct loom_vline *v)
{
	return v->cycles;
}

uint64_t loom_vline_damaged(const struct loom_vline *v)
{
	return v->pins.damaged;
}

bool loom_vline_idle(const struct loom_vline *v)
{
	return loom_pins_idle(&v->pins);
}

void loom_vline_set_baud(struct loom_vline *v, unsigned baud)
{
	v->pins.baud = baud;
}

void loom_vline_discard(struct loom_vline *v)
{
	loom_pins_discard(&v->pins);
}

// --- Opening -------------------------------------------------------------------------------------------------------

int loom_vline_parse(struct loom_vline_settings *out, char *text, const char *fabric, struct loom_err *err)
{
	struct loom_vline_settings s = {.board = fabric, .clock_hz = LOOM_VLINE_CLOCK_HZ, .baud = LOOM_BAUD_DEFAULT};
	const struct loom_line_setting settings[] = {
		{.name = "clock", .least = 1000, .most = 1000000000, .number = &s.clock_hz},
		{.name = "baud", .least = 50, .most = LOOM_BAUD_MOST, .number = &s.baud},
	};
	size_t length = strcspn(text, ",");
	if (length && memchr(text, '=', length))
		length = 0; // settings alone
	else if (length)
		s.board = text;
	char *rest = text + length + (text[length] == ',');
	int code = loom_line_settings_parse(settings, sizeof settings / sizeof settings[0], "sim-uart", rest, err);
	if (code)
		return code;
	text[length] = 0;
	if (!s.board)
		return loom_fail(err, LOOM_EINPUT, "link sim-uart: which fabric? sim-uart:cube:2");
	if (s.clock_hz / 4 < s.baud || s.clock_hz / s.baud > 65536)
		return loom_fail(err, LOOM_EINPUT,
		                 "link sim-uart: a clock of %u Hz does %u to %u baud (clock/65536 to clock/4), not %u",
		                 s.clock_hz, s.clock_hz / 65536 + 1, s.clock_hz / 4, s.baud);
	*out = s;
	return 0;
}

int loom_vline_rtl(struct loom_rtl *out, const struct loom_vline_settings *s, struct loom_err *err)
{
	return s->topo ? loom_rtl_of_board_topo(out, s->topo, s->clock_hz, s->baud, err)
	               : loom_rtl_of_board(out, s->board, s->clock_hz, s->baud, err);
}

int loom_vline_open(struct loom_vline **out, const struct loom_vline_settings *settings,
                    const struct loom_link_options *options, struct loom_err *err)
{
	struct loom_rtl rtl = {0};
	const char *missing = NULL;
	struct loom_vline *v = calloc(1, sizeof *v);
	if (!v)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a simulated board");
	int code = loom_vline_rtl(&rtl, settings, err);
	if (code == 0)
		code = loom_verilated_open(&v->model, &rtl, options, err);
	loom_rtl_free(&rtl);
	if (code == 0) {
		LOOM_VERILATED_SYMBOL(&v->model, "loom_pins_rx", v->pins.set_rx, &missing);
		LOOM_VERILATED_SYMBOL(&v->model, "loom_pins_tx", v->pins.get_tx, &missing);
		if (missing)
			code = loom_verilated_fail_symbol(missing, err);
	}
	if (code) {
		loom_vline_close(v);
		return code;
	}
	v->pins.clock_hz = settings->clock_hz;
	v->pins.baud = settings->baud;
	v->pins.set_rx(1);
	loom_vline_run(v, START_CYCLES, 0, false);
	loom_vline_discard(v);
	*out = v;
	return 0;
}

void loom_vline_close(struct loom_vline *v)
{
	if (v)
		loom_verilated_close(&v->model);
	free(v);
}
