// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PINS_H
#define LOOM_PINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOM_PINS_FIFO 4096u // bytes in each direction

struct loom_pins_fifo {
	size_t at, n;
	uint8_t bytes[LOOM_PINS_FIFO];
};

// A wire. Phases count in units of 1/(clock_hz * baud) s: a cycle is `baud` of them, a bit `clock_hz`, so that no
// fraction is lost.
struct loom_pins_wire {
	uint64_t phase;
	unsigned bits; // bits left, with the present one; 0: at rest
	unsigned word;
	struct loom_pins_fifo fifo;
};

// The two pins of a board's UART, bit by bit: a start bit, eight bits, the lowest first, and a stop bit. Time is
// counted in cycles of the board's clock. In each cycle the caller calls drive, runs the cycle, and calls sample.
struct loom_pins {
	void (*set_rx)(unsigned char level);
	unsigned char (*get_tx)(void);
	unsigned clock_hz, baud;
	uint64_t damaged;               // bytes from the board without a stop bit, or without room
	struct loom_pins_wire to, from; // the wires to and from the board
};

// Drives the pin. It changes at the first cycle that begins when the bit before is over.
void loom_pins_drive(struct loom_pins *pins);
// Samples the other pin, in the middle of a bit.
void loom_pins_sample(struct loom_pins *pins);

// Takes bytes to send to the board, as many as there is room for; returns how many.
size_t loom_pins_put(struct loom_pins *pins, const uint8_t *bytes, size_t n);
size_t loom_pins_room(const struct loom_pins *pins); // bytes that put would take
// Takes bytes that came from the board.
size_t loom_pins_get(struct loom_pins *pins, uint8_t *out, size_t max);
bool loom_pins_idle(const struct loom_pins *pins); // both wires are at rest, nothing waits
void loom_pins_discard(struct loom_pins *pins);    // discards the bytes that wait in either direction

#endif
