// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LANES_H
#define LOOM_LANES_H

#include "machine/engine.h"

// The engine `lanes` reports more about a lock than the other engines do.

// A wait that is part of a circle. The first flit in the FIFO at the end of `lane` belongs to `message`. It cannot
// cross its next lane, which is the lane of the next entry of the circle. (After the last entry comes the first.)
struct loom_engine_wait {
	uint32_t lane;
	uint64_t message; // its id
	// that flit is the header, and asks for its next lane; false: it waits for room in the FIFO at that lane's
	// end
	bool is_header;
};

// Finds a circle of waits after a run that ended in LOOM_ENGINE_LOCKED. The caller frees *out. If no waits form a
// circle, *n_out is 0. LOOM_ENOMEM.
int loom_lanes_lock(const struct loom_engine *engine, struct loom_engine_wait **out, size_t *n_out,
                    struct loom_err *err);

// True if a header waits for the channel, or for a lane of it.
bool loom_lanes_asked(const struct loom_engine *engine, uint32_t channel);

#endif
