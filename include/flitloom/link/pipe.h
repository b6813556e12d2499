// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PIPE_H
#define LOOM_PIPE_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>

LOOM_API_BEGIN

// A line that carries bytes both ways and may damage them; the session above it makes words of them.
struct loom_pipe {
	const struct loom_pipe_kind *kind;
	void *state;        // the kind's own
	char name[200];     // for a person: "the board on /dev/ttyUSB1"
	double bytes_per_s; // bytes per second of the line in each direction; 0: not known
	uint64_t damaged;   // errors that the line reported by itself (framing, parity, overrun)
};

// The bytes of one exchange with a line.
struct loom_pipe_bytes {
	const uint8_t *out; // n_out bytes to be sent
	size_t n_out;
	uint8_t *in; // room for in_room bytes that come
	size_t in_room;
	size_t n_sent, n_came; // filled in
};

// The functions by which bytes go through a line.
struct loom_pipe_kind {
	// Sends as many bytes as the line accepts, and takes as many bytes as have come and fit. If neither is
	// possible at once it waits for one of them, at most timeout_us; 0: it does not wait. LOOM_ELINK: the line is
	// gone.
	int (*exchange)(struct loom_pipe *pipe, struct loom_pipe_bytes *bytes, uint64_t timeout_us,
	                struct loom_err *err);
	void (*discard)(struct loom_pipe *pipe); // discards the bytes that wait to be sent or read; may be NULL
	void (*close)(struct loom_pipe *pipe);
	// Only for lines to a simulation; each may be NULL. advance: lets it run for n_cycles. now_us: returns the
	// time that it has reached.
	int (*advance)(struct loom_pipe *pipe, uint64_t n_cycles, struct loom_err *err);
	uint64_t (*now_us)(struct loom_pipe *pipe);
	void (*set_baud)(struct loom_pipe *pipe, unsigned baud); // the rate of this side only
};

LOOM_API_END

#endif
