// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A simulated board's UART as a line: everything, time-outs too, in the board's time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/link/pipe.h>
#include <flitloom/link/session.h>

#include "links/links.h"
#include "links/rtl.h"
#include "links/vline.h"

#define REST_US 10000u

struct sim_uart {
	struct loom_vline *line;
	unsigned clock_hz;
	uint64_t skipped_us; // time that was skipped without simulation, because nothing would have happened
};

// Runs until bytes have come, at most for timeout_us. A board only answers, so a line that has been idle for a while
// stays idle.
static void run(struct sim_uart *u, uint64_t timeout_us, size_t until, bool want_room)
{
	for (bool rested = false; timeout_us;) {
		uint64_t slice_us = timeout_us < REST_US ? timeout_us : REST_US;
		uint64_t cycles = slice_us * u->clock_hz / 1000000u + 1, before = loom_vline_cycles(u->line);
		loom_vline_run(u->line, cycles, until, want_room);
		if (loom_vline_cycles(u->line) - before < cycles)
			return;
		timeout_us -= slice_us;
		if (rested && loom_vline_idle(u->line)) {
			u->skipped_us += timeout_us;
			return;
		}
		rested = loom_vline_idle(u->line);
	}
}

static int sim_uart_exchange(struct loom_pipe *pipe, struct loom_pipe_bytes *bytes, uint64_t timeout_us,
                             struct loom_err *err)
{
	struct sim_uart *u = pipe->state;
	(void)err;
	bytes->n_sent = bytes->n_came = 0;
	for (int waited = 0;; waited = 1) {
		bytes->n_sent = loom_vline_put(u->line, bytes->out, bytes->n_out);
		bytes->n_came = loom_vline_get(u->line, bytes->in, bytes->in_room);
		if (bytes->n_sent || bytes->n_came || waited || timeout_us == 0)
			break;
		run(u, timeout_us, bytes->in_room ? 1 : 0, bytes->n_out > 0);
	}
	pipe->damaged = loom_vline_damaged(u->line);
	return 0;
}

static void sim_uart_discard(struct loom_pipe *pipe)
{
	struct sim_uart *u = pipe->state;
	loom_vline_discard(u->line);
}

static void sim_uart_close(struct loom_pipe *pipe)
{
	struct sim_uart *u = pipe->state;
	loom_vline_close(u->line);
	free(u);
	pipe->state = NULL;
}

static int sim_uart_advance(struct loom_pipe *pipe, uint64_t n_cycles, struct loom_err *err)
{
	struct sim_uart *u = pipe->state;
	(void)err;
	loom_vline_run(u->line, n_cycles, 0, false);
	return 0;
}

static uint64_t sim_uart_now_us(struct loom_pipe *pipe)
{
	struct sim_uart *u = pipe->state;
	return (uint64_t)((double)loom_vline_cycles(u->line) * 1e6 / u->clock_hz) + u->skipped_us;
}

static void sim_uart_set_baud(struct loom_pipe *pipe, unsigned baud)
{
	struct sim_uart *u = pipe->state;
	loom_vline_set_baud(u->line, baud);
	pipe->bytes_per_s = baud / 10.0;
}

static const struct loom_pipe_kind sim_uart_pipe = {
	.exchange = sim_uart_exchange,
	.discard = sim_uart_discard,
	.close = sim_uart_close,
	.advance = sim_uart_advance,
	.now_us = sim_uart_now_us,
	.set_baud = sim_uart_set_baud,
};

static int get_settings(struct loom_vline_settings *out, char *text, const struct loom_link_options *options,
                        struct loom_err *err)
{
	const char *fabric = options && options->topo ? options->topo->name : options ? options->fabric : NULL;
	int code = text ? loom_vline_parse(out, text, fabric, err)
	                : loom_fail(err, LOOM_ENOMEM, "no memory for a simulated board");
	if (code == 0 && options && out->board == fabric)
		out->topo = options->topo;
	return code;
}

static int sim_uart_open(struct loom_pipe *out, const char *argument, const struct loom_link_options *options,
                         struct loom_err *err)
{
	struct loom_vline_settings settings;
	struct sim_uart *u = calloc(1, sizeof *u);
	char *text = strdup(argument);
	int code = u ? get_settings(&settings, text, options, err)
	             : loom_fail(err, LOOM_ENOMEM, "no memory for a simulated board");
	if (code == 0)
		code = loom_vline_open(&u->line, &settings, options, err);
	if (code == 0) {
		u->clock_hz = settings.clock_hz;
		*out = (struct loom_pipe){.kind = &sim_uart_pipe, .state = u, .bytes_per_s = settings.baud / 10.0};
		(void)snprintf(out->name, sizeof out->name, "the simulated board %.150s", settings.board);
	} else {
		free(u);
	}
	free(text);
	return code;
}

static int sim_uart_expect(struct loom_chip *out, const char *argument, const struct loom_link_options *options,
                           struct loom_err *err)
{
	struct loom_vline_settings settings;
	struct loom_rtl rtl = {0};
	char *text = strdup(argument);
	int code = get_settings(&settings, text, options, err);
	if (code == 0)
		code = loom_vline_rtl(&rtl, &settings, err);
	if (code == 0)
		*out = rtl.chip;
	loom_rtl_free(&rtl);
	free(text);
	return code;
}

const struct loom_link_kind loom_link_sim_uart = {
	.name = "sim-uart",
	.argument = "[FABRIC|NETLIST.v][,clock=HZ][,baud=N]",
	.help = "the RTL of a board, or what its bitstream says, by the pins of its UART, in simulated time",
	.pipe = sim_uart_open,
	.expect = sim_uart_expect,
	LOOM_SESSION_LINK,
};
