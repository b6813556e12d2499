// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_SIM_STREAMS_H
#define LOOM_SIM_STREAMS_H

#include <stdbool.h>

#include <flitloom/err.h>
#include <flitloom/link/stream.h>

#include "links/verilated.h"

// The streams of a verilated chip. While a pass runs, they give the nodes the entries of their programs, and hand out
// the messages that arrive.
struct loom_sim_streams {
	void (*turn)(unsigned char on); // functions that rtl/chip/sim_top.sv exports
	int (*handing)(void);
	uint32_t n_nodes;
	struct loom_stream *stream; // that of the present call, or NULL
	// Logs that came between two calls, while words were read or written; the next call hands them out. `log` is
	// owned.
	struct loom_stream kept;
	bool lost; // a log was lost, because there was no memory
};

// The receiver of the calls of a model's nodes. tools/model_stream.c has it; each loaded model has its own.
struct loom_sim_user {
	void *self;
	bool (*next)(void *self, unsigned node, unsigned word[3]);
	void (*take)(void *self, unsigned node, const unsigned word[5]);
};

// Finds the streams in the model of a fabric with n_nodes nodes; *out must stay where it is. LOOM_ELINK: such a model
// has no streams.
int loom_sim_streams_find(struct loom_sim_streams *out, const struct loom_verilated *model, uint32_t n_nodes,
                          struct loom_err *err);
// Returns a receiver that serves *streams, which must stay where it is.
struct loom_sim_user loom_sim_streams_user(struct loom_sim_streams *streams);
void loom_sim_streams_free(struct loom_sim_streams *streams);
// Runs the chip as struct loom_link_kind.stream does. `cycle` is called with `of` for each clock cycle; the model
// must have been entered. LOOM_EINPUT: the stream has another number of nodes. LOOM_ENOMEM: logs are lost.
int loom_sim_streams_run(struct loom_sim_streams *streams, struct loom_stream *stream, uint64_t n_cycles,
                         void (*cycle)(void *of), void *of, struct loom_err *err);

#endif
