// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_SIM_STREAM_H
#define LOOM_SIM_STREAM_H

#include <stdbool.h>

#include <flitloom/link/stream.h>

#include "links/verilated.h"

// The streams of a verilated chip: they bring its nodes the entries for their programs, and hand out what these
// receive, while a pass runs.
struct loom_sim_stream {
	void (*turn)(unsigned char on); // functions that rtl/chip/sim_top.sv exports
	int (*handing)(void);
	uint32_t n_nodes;
	struct loom_stream *stream; // of the call under way, or NULL
	// Logs that came between two calls, while words were read or written: the next call brings them. `log` is
	// owned.
	struct loom_stream kept;
	bool lost; // a log, for there was no memory
};

// Finds the streams in the model of a fabric with so many nodes; *out must stay where it is. LOOM_ELINK: such a model
// has no streams.
int loom_sim_stream_find(struct loom_sim_stream *out, const struct loom_verilated *model, uint32_t n_nodes,
                         struct loom_err *err);
void loom_sim_stream_free(struct loom_sim_stream *s);
// Does what struct loom_link_kind.stream says. LOOM_EINPUT: the stream has another number of nodes.
int loom_sim_stream_run(struct loom_sim_stream *s, struct loom_verilated *model, struct loom_stream *stream,
                        uint64_t n_cycles, struct loom_err *err);

#endif
