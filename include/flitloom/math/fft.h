// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FFT_H
#define LOOM_FFT_H

#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/pattern.h>

LOOM_API_BEGIN

// The parallel FFT of [Hou01], section 6.2. It has m = 2^(n+2d) points, block-cyclically on 2^n processors, m/2^n = 4^d
// on each. It begins with the bit reversal of the processors' numbers. Then come n+2d stages of butterflies. The first
// d and the last d of them are local. Before each of the n stages in between, processors whose numbers differ in bit 0,
// 1, ... exchange all their points. There is no barrier: an exchange starts when both partners have computed their
// points.

// The costs of work on a processor. Each flit after the header carries flit_bytes, in one cycle a channel.
struct loom_fft_costs {
	double cycle_us;                  // one cycle
	double software_us;               // from the start of a send to its first flit
	double butterfly_us;              // a butterfly of a local stage, with two points
	double half_us;                   // a point of a stage after an exchange: half a butterfly
	uint32_t point_bytes, flit_bytes; // of a point; of the points in a flit
};

#define LOOM_FFT_COSTS_DEFAULT                                                                                         \
	{                                                                                                              \
		.cycle_us = 0.57, .software_us = 164, .butterfly_us = 5.12, .half_us = 4.47, .point_bytes = 16,        \
		.flit_bytes = 1                                                                                        \
	}

// Reads costs, such as "software=164,half=4.47". Each cost that is named replaces that in *costs. Names: cycle,
// software, butterfly, half (in us), point, flit (in bytes). LOOM_EINPUT: anything else, a name given twice, a number
// out of range.
int loom_fft_costs_parse(struct loom_fft_costs *costs, const char *text, struct loom_err *err);

// An FFT and its costs in cycles, each rounded up.
struct loom_fft {
	uint32_t n_nodes;   // 2^n, n at least 1
	unsigned n_dims;    // n: stages after an exchange
	unsigned n_local;   // d: local stages before these, and after
	uint64_t points;    // m
	uint32_t flits;     // of every message, header included
	uint32_t software;  // before a message
	uint32_t local;     // of the d local stages before the exchanges, together; the stages after them take as many
	uint32_t remote;    // of a stage after an exchange
	uint64_t computing; // of all stages
	double cycle_us;
};

// Computes the stages of an FFT of `points` points, in cycles. points 0: one on each processor. LOOM_EINPUT: n_nodes is
// no power of two, points is not 2^(n+2d), or a message has more than LOOM_FLITS_MOST flits.
int loom_fft_make(struct loom_fft *out, uint32_t n_nodes, uint64_t points, const struct loom_fft_costs *costs,
                  struct loom_err *err);

// Messages 0 .. n_nodes - 1 are the bit reversal, in the order of the sources; message (i + 1) n_nodes + v is that of
// processor v in the exchange of bit i.
#define LOOM_FFT_MESSAGES(fft) ((size_t)((fft)->n_dims + 1) * (fft)->n_nodes)

// Computes when messages begin, and processors end. begin[message] is the cycle in which the message is offered.
// Messages 0 .. n_nodes - 1 are offered in cycle software + 1, all others `software` cycles after both partners are
// ready. tail[message] gives the cycle in which each message's last flit arrived (0 for a message to its sender).
// end[v] is the last cycle in which processor v computes. begin has LOOM_FFT_MESSAGES elements.
void loom_fft_begin(uint64_t *begin, uint64_t *end, const struct loom_fft *fft, const uint64_t *tail);

// Makes the timed pattern. Each processor sends its messages in these cycles, but an exchange not before the messages
// of the exchange before it have come, and computes until `end`.
int loom_fft_pattern(struct loom_pattern *out, const struct loom_fft *fft, const uint64_t *begin, const uint64_t *end,
                     struct loom_err *err);

LOOM_API_END

#endif
