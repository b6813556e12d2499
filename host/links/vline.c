// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/vline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "links/verilated.h"
#include "links/line_settings.h"

#define START_CYCLES 128 // the board comes out of its reset
#define BITS 10u         // start, eight, stop

struct fifo {
	size_t at, n;
	uint8_t bytes[LOOM_VLINE_FIFO];
};

// One wire. Phases count in units of 1/(clock_hz * baud) s: a cycle is `baud` of them, a bit `clock_hz`, so that no
// fraction is lost.
struct wire {
	uint64_t phase;
	unsigned bits; // the one under way included; 0: at rest
	unsigned word;
	struct fifo fifo;
};

struct loom_vline {
	struct loom_verilated model;
	void (*set_rx)(unsigned char level);
	unsigned char (*get_tx)(void);
	unsigned clock_hz, baud;
	uint64_t cycles, damaged;
	struct wire to, from; // the board
};

static void push(struct fifo *f, uint8_t byte)
{
	f->bytes[(f->at + f->n++) % LOOM_VLINE_FIFO] = byte;
}

static uint8_t pop(struct fifo *f)
{
	uint8_t byte = f->bytes[f->at];
	f->at = (f->at + 1) % LOOM_VLINE_FIFO;
	f->n--;
	return byte;
}

// The pin changes at the first cycle that begins when the bit before is over.
static void drive(struct loom_vline *v)
{
	struct wire *w = &v->to;
	if (w->bits) {
		w->phase += v->baud;
		if (w->phase < v->clock_hz)
			return;
		w->phase -= v->clock_hz;
		w->bits--;
		w->word >>= 1;
	} else {
		w->phase = 0;
	}
	if (w->bits == 0) {
		if (w->fifo.n == 0)
			return;
		w->word = 1u << (BITS - 1) | (unsigned)pop(&w->fifo) << 1;
		w->bits = BITS;
	}
	v->set_rx(w->word & 1);
}

// Samples in the middle of a bit.
static void sample(struct loom_vline *v)
{
	struct wire *w = &v->from;
	if (w->bits == 0) {
		if (v->get_tx())
			return;
		w->bits = BITS;
		w->word = 0;
		w->phase = v->clock_hz / 2;
		return;
	}
	w->phase += v->baud;
	if (w->phase < v->clock_hz)
		return;
	w->phase -= v->clock_hz;
	bool level = v->get_tx();
	if (w->bits == 1 && !level) { // no stop bit: wait for rest
		if (w->word != UINT32_MAX)
			v->damaged++;
		w->word = UINT32_MAX;
		w->bits = 2;
	}
	w->word |= w->word == UINT32_MAX ? 0 : (unsigned)level << (BITS - w->bits);
	if (--w->bits || w->word == UINT32_MAX)
		return;
	if (w->word & 1) // a start bit that was none
		return;
	if (w->fifo.n == LOOM_VLINE_FIFO)
		v->damaged++;
	else
		push(&w->fifo, (uint8_t)(w->word >> 1));
}

void loom_vline_run(struct loom_vline *v, uint64_t n_cycles, size_t until, bool want_room)
{
	loom_verilated_enter(&v->model);
	for (uint64_t i = 0; i < n_cycles; i++) {
		if ((until && v->from.fifo.n >= until) || (want_room && v->to.fifo.n < LOOM_VLINE_FIFO))
			return;
		drive(v);
		loom_verilated_cycle(&v->model);
		sample(v);
		v->cycles++;
	}
}

size_t loom_vline_room(const struct loom_vline *v)
{
	return LOOM_VLINE_FIFO - v->to.fifo.n;
}

size_t loom_vline_put(struct loom_vline *v, const uint8_t *bytes, size_t n)
{
	size_t i = 0;
	while (i < n && v->to.fifo.n < LOOM_VLINE_FIFO)
		push(&v->to.fifo, bytes[i++]);
	return i;
}

size_t loom_vline_waiting(const struct loom_vline *v)
{
	return v->from.fifo.n;
}

size_t loom_vline_get(struct loom_vline *v, uint8_t *out, size_t max)
{
	size_t n = 0;
	while (n < max && v->from.fifo.n)
		out[n++] = pop(&v->from.fifo);
	return n;
}

uint64_t loom_vline_cycles(const struct loom_vline *v)
{
	return v->cycles;
}

uint64_t loom_vline_damaged(const struct loom_vline *v)
{
	return v->damaged;
}

bool loom_vline_idle(const struct loom_vline *v)
{
	return v->to.bits == 0 && v->to.fifo.n == 0 && v->from.bits == 0 && v->from.fifo.n == 0;
}

void loom_vline_set_baud(struct loom_vline *v, unsigned baud)
{
	v->baud = baud;
}

void loom_vline_discard(struct loom_vline *v)
{
	v->to.fifo.n = v->from.fifo.n = 0;
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
		LOOM_VERILATED_SYMBOL(&v->model, "loom_pins_rx", v->set_rx, &missing);
		LOOM_VERILATED_SYMBOL(&v->model, "loom_pins_tx", v->get_tx, &missing);
		if (missing)
			code = loom_verilated_fail_symbol(missing, err);
	}
	if (code) {
		loom_vline_close(v);
		return code;
	}
	v->clock_hz = settings->clock_hz;
	v->baud = settings->baud;
	v->set_rx(1);
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
