// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VLINE_H
#define LOOM_VLINE_H

#include <flitloom/link.h>

#include "links/rtl.h"

// A simulated board on the two wires of its UART: the pins are driven and read bit by bit. Time is counted in cycles of
// the board's clock and passes in loom_vline_run only.
struct loom_vline;

#define LOOM_VLINE_CLOCK_HZ 12000000u

struct loom_vline_settings {
	// the fabric itself, which must exist during opening; NULL: it is given by its name
	const struct loom_topo *topo;
	const char *board; // a fabric ("cube:2"), or the path of a netlist in Verilog (tools/netlist.py)
	unsigned clock_hz; // clock of the board; a netlist does not show it
	unsigned baud;     // baud rate of the board, and of this side until loom_vline_set_baud
};

// Reads settings, "cube:2,clock=12000000,baud=3000000". Those not named are `fabric` (or LOOM_EINPUT) and this clock
// and rate. `text` is modified and must last as long as *out.
int loom_vline_parse(struct loom_vline_settings *out, char *text, const char *fabric, struct loom_err *err);
int loom_vline_rtl(struct loom_rtl *out, const struct loom_vline_settings *settings, struct loom_err *err);
// options: trace_file, coverage, progress; may be NULL.
int loom_vline_open(struct loom_vline **out, const struct loom_vline_settings *settings,
                    const struct loom_link_options *options, struct loom_err *err);
void loom_vline_close(struct loom_vline *line); // NULL allowed

// Takes bytes to send to the board, as many as there is room for; returns how many.
size_t loom_vline_put(struct loom_vline *line, const uint8_t *bytes, size_t n);
size_t loom_vline_room(const struct loom_vline *line); // bytes that put would take
// Takes bytes that came from the board. Bytes that find no room here are lost, and counted.
size_t loom_vline_get(struct loom_vline *line, uint8_t *out, size_t max);
size_t loom_vline_waiting(const struct loom_vline *line); // bytes that get would give
// Runs up to n_cycles, or until `until` bytes wait to be got (0: no such limit), or until put takes bytes again (if
// want_room).
void loom_vline_run(struct loom_vline *line, uint64_t n_cycles, size_t until, bool want_room);
uint64_t loom_vline_cycles(const struct loom_vline *line);  // since the start
uint64_t loom_vline_damaged(const struct loom_vline *line); // bytes from the board without a stop bit, or without room
bool loom_vline_idle(const struct loom_vline *line);        // both wires are at rest, nothing waits
void loom_vline_set_baud(struct loom_vline *line, unsigned baud);
void loom_vline_discard(struct loom_vline *line); // discards the bytes that wait in either direction

#endif
