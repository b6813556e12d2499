// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "board_on_a_string.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

uint32_t board_read(void *user, uint32_t address)
{
	struct board *b = user;
	b->n_accesses++;
	return address < BOARD_WORDS ? b->memory[address] : address ^ 0x5a5a5a5a;
}

static void board_write(void *user, uint32_t address, uint32_t word)
{
	struct board *b = user;
	b->n_accesses++;
	if (address == BOARD_FIFO) {
		b->fifo_wrong += word != b->n_fifo;
		b->n_fifo++;
	}
	if (address >= BOARD_WORDS)
		return;
	b->memory[address] = word;
	b->n_writes[address]++;
}

void board_put_byte(struct board *b, struct line *line, uint8_t byte)
{
	if (line->n == BOARD_LINE && line->at) {
		memmove(line->bytes, line->bytes + line->at, line->n - line->at);
		memmove(line->due_us, line->due_us + line->at, (line->n - line->at) * sizeof *line->due_us);
		line->n -= line->at;
		line->at = 0;
	}
	assert_true(line->n < BOARD_LINE);
	line->free_us = (line->free_us > b->now_us ? line->free_us : b->now_us) + b->byte_us;
	line->bytes[line->n] = byte;
	line->due_us[line->n++] = line->free_us + b->delay_us;
}

static void run_board(struct board *b)
{
	while (b->to.at < b->to.n && b->to.due_us[b->to.at] <= b->now_us) {
		link_device_take(&b->device, b->to.bytes[b->to.at++]);
		if (b->n_accesses >= b->reset_after) {
			b->reset_after = UINT64_MAX;
			link_device_reset(&b->device);
		}
		if (b->n_accesses >= b->dead_after && !b->mute)
			b->mute = 1;
		while (b->device.out_at < b->device.n_out)
			board_put_byte(b, &b->from, b->device.out[b->device.out_at++]);
	}
}

// Lets time pass until bytes arrive, or until the time-out.
static int board_exchange(struct loom_pipe *pipe, struct loom_pipe_bytes *bytes, uint64_t timeout_us,
                          struct loom_err *err)
{
	struct board *b = pipe->state;
	double end = b->now_us + (double)timeout_us;
	if (b->mute == 2)
		return loom_fail(err, LOOM_ELINK, "%s is gone", pipe->name);
	bytes->n_sent = bytes->n_out < 4096 ? bytes->n_out : 4096;
	for (size_t i = 0; i < bytes->n_sent && !b->mute; i++)
		board_put_byte(b, &b->to, bytes->out[i]);
	if (bytes->n_sent)
		end = b->now_us;
	bytes->n_came = 0;
	for (;;) {
		run_board(b);
		while (!b->mute && bytes->n_came < bytes->in_room && b->from.at < b->from.n &&
		       b->from.due_us[b->from.at] <= b->now_us)
			bytes->in[bytes->n_came++] = b->from.bytes[b->from.at++];
		if (b->mute == 3)
			bytes->in[bytes->n_came++] = (uint8_t)loom_rng_below(&b->rng, 256);
		if (bytes->n_came || b->now_us >= end) {
			b->now_us += 1; // a call takes time, too
			return 0;
		}
		double next = end;
		if (b->to.at < b->to.n && b->to.due_us[b->to.at] < next)
			next = b->to.due_us[b->to.at];
		if (!b->mute && bytes->in_room && b->from.at < b->from.n && b->from.due_us[b->from.at] < next)
			next = b->from.due_us[b->from.at];
		b->now_us = next;
	}
}

static void board_close(struct loom_pipe *pipe)
{
	pipe->state = NULL;
}

static uint64_t board_now_us(struct loom_pipe *pipe)
{
	const struct board *b = pipe->state;
	return (uint64_t)b->now_us;
}

static const struct loom_pipe_kind board_pipe = {
	.exchange = board_exchange, .close = board_close, .now_us = board_now_us};

struct board *board_new(double byte_us, double delay_us)
{
	struct board *b = calloc(1, sizeof *b);
	assert_non_null(b);
	b->device = (struct link_device){.user = b,
	                                 .read = board_read,
	                                 .write = board_write,
	                                 .version = 1,
	                                 .clock_hz = 12000000,
	                                 .baud = 3000000};
	link_device_reset(&b->device);
	b->byte_us = byte_us;
	b->delay_us = delay_us;
	b->dead_after = b->reset_after = UINT64_MAX;
	loom_rng_init(&b->rng, 3);
	return b;
}

struct loom_pipe board_pipe_of(struct board *b)
{
	struct loom_pipe pipe = {.kind = &board_pipe, .state = b, .bytes_per_s = 1e6 / b->byte_us};
	(void)snprintf(pipe.name, sizeof pipe.name, "the board on a string");
	return pipe;
}
