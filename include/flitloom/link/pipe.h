// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PIPE_H
#define LOOM_PIPE_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>

LOOM_API_BEGIN

// A line that carries bytes both ways and may damage them; the session on top of it makes words of them.
struct loom_pipe {
	const struct loom_pipe_kind *kind;
	void *state;        // the kind's own
	char name[200];     // for a person: "the board on /dev/ttyUSB1"
	double bytes_per_s; // of the line each way; 0: not known
	uint64_t damaged;   // errors that the line reported by itself (framing, parity, overrun)
};

// The functions by which bytes go through a line.
struct loom_pipe_kind {
	// Hands over as many of the n_write bytes as find room (*n_written) and takes up to `max` that have come
	// (*n_read). When neither is possible at once it waits for one of them, at most timeout_us; 0: not at all.
	// LOOM_ELINK: the line is gone.
	int (*exchange)(struct loom_pipe *pipe, const uint8_t *bytes, size_t n_write, size_t *n_written, uint8_t *out,
	                size_t max, size_t *n_read, uint64_t timeout_us, struct loom_err *err);
	void (*discard)(struct loom_pipe *pipe); // throws away what waits to be sent or read; may be NULL
	void (*close)(struct loom_pipe *pipe);
	// Only for lines to something simulated; each may be NULL. Lets it run for n_cycles; the time that it has
	// reached.
	int (*advance)(struct loom_pipe *pipe, uint64_t n_cycles, struct loom_err *err);
	uint64_t (*now_us)(struct loom_pipe *pipe);
	void (*set_baud)(struct loom_pipe *pipe, unsigned baud); // the rate of this side only
};

LOOM_API_END

#endif
