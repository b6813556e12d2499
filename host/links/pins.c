// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/pins.h"

#define BITS 10u // start bit, eight data bits, stop bit

static void push(struct loom_pins_fifo *f, uint8_t byte)
{
	f->bytes[(f->at + f->n++) % LOOM_PINS_FIFO] = byte;
}

static uint8_t pop(struct loom_pins_fifo *f)
{
	uint8_t byte = f->bytes[f->at];
	f->at = (f->at + 1) % LOOM_PINS_FIFO;
	f->n--;
	return byte;
}

void loom_pins_drive(struct loom_pins *p)
{
	struct loom_pins_wire *w = &p->to;
	if (w->bits) {
		w->phase += p->baud;
		if (w->phase < p->clock_hz)
			return;
		w->phase -= p->clock_hz;
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
	p->set_rx(w->word & 1);
}

void loom_pins_sample(struct loom_pins *p)
{
	struct loom_pins_wire *w = &p->from;
	if (w->bits == 0) {
		if (p->get_tx())
			return;
		w->bits = BITS;
		w->word = 0;
		w->phase = p->clock_hz / 2;
		return;
	}
	w->phase += p->baud;
	if (w->phase < p->clock_hz)
		return;
	w->phase -= p->clock_hz;
	bool level = p->get_tx();
	if (w->bits == 1 && !level) { // no stop bit: wait until the line rests
		if (w->word != UINT32_MAX)
			p->damaged++;
		w->word = UINT32_MAX;
		w->bits = 2;
	}
	w->word |= w->word == UINT32_MAX ? 0 : (unsigned)level << (BITS - w->bits);
	if (--w->bits || w->word == UINT32_MAX)
		return;
	if (w->word & 1) // a false start bit
		return;
	if (w->fifo.n == LOOM_PINS_FIFO)
		p->damaged++;
	else
		push(&w->fifo, (uint8_t)(w->word >> 1));
}

size_t loom_pins_put(struct loom_pins *p, const uint8_t *bytes, size_t n)
{
	size_t i = 0;
	while (i < n && p->to.fifo.n < LOOM_PINS_FIFO)
		push(&p->to.fifo, bytes[i++]);
	return i;
}

size_t loom_pins_room(const struct loom_pins *p)
{
	return LOOM_PINS_FIFO - p->to.fifo.n;
}

size_t loom_pins_get(struct loom_pins *p, uint8_t *out, size_t max)
{
	size_t n = 0;
	while (n < max && p->from.fifo.n)
		out[n++] = pop(&p->from.fifo);
	return n;
}

bool loom_pins_idle(const struct loom_pins *p)
{
	return p->to.bits == 0 && p->to.fifo.n == 0 && p->from.bits == 0 && p->from.fifo.n == 0;
}

void loom_pins_discard(struct loom_pins *p)
{
	p->to.fifo.n = p->from.fifo.n = 0;
}
