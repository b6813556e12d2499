// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef BOARD_ON_A_STRING_H
#define BOARD_ON_A_STRING_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/link/pipe.h>

#include "reference/link_device.h"
#include "base/rng.h"

// A board with memory, and a line to it, in simulated time: of a given speed and delay, the same in every run.

enum { BOARD_WORDS = 1 << 16, BOARD_LINE = 1 << 17, BOARD_FIFO = 0x100000 };

struct line { // one direction: bytes and when each arrives
	size_t n, at;
	double free_us; // when the last byte has passed
	uint8_t bytes[BOARD_LINE];
	double due_us[BOARD_LINE];
};

struct board {
	uint32_t memory[BOARD_WORDS];
	uint16_t n_writes[BOARD_WORDS];
	uint32_t n_fifo, fifo_wrong; // words written to BOARD_FIFO: 0, 1, 2, ...
	uint32_t pops;
	struct link_device device;
	struct line to, from;
	double now_us, byte_us, delay_us;
	uint64_t dead_after; // words accessed until the plug is pulled
	uint64_t n_accesses, reset_after;
	int mute; // 1: the bytes vanish, 2: the line is gone, 3: noise
	struct loom_rng rng;
};

struct board *board_new(double byte_us, double delay_us); // to be freed
struct loom_pipe board_pipe_of(struct board *b);
uint32_t board_read(void *user, uint32_t address); // the register port of the device; user: the board
// Sends a byte behind those that are on the line.
void board_put_byte(struct board *b, struct line *line, uint8_t byte);

#endif
