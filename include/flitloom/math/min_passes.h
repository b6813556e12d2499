// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MIN_PASSES_H
#define LOOM_MIN_PASSES_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/math/min.h>

LOOM_API_BEGIN

// The result of a schedule.
struct loom_min_passes {
	uint32_t n_passes;
	uint32_t lower_bound; // messages on the busiest channel, the nodes' own included: no schedule has fewer passes
};

// Puts n messages source[i] -> destination[i] of a multistage network into passes without conflict. No two messages of
// a pass share a channel, injection and ejection included. pass[i] counts from 0 and no pass is empty. The same message
// may occur several times. A message to its sender takes the network like any other. Deterministic.
//
// The passes are colours of the conflict graph: first the rows of the Latin square (best for dense lists), then DSATUR
// [Brelaz79] (first fit if the graph is too large), then rounds of iterated greedy while they are above the bound.
// LOOM_EINPUT: a node that does not exist.
int loom_min_passes_schedule(uint32_t *pass, struct loom_min_passes *out, const struct loom_min *net,
                             const uint32_t *source, const uint32_t *destination, size_t n, struct loom_err *err);

LOOM_API_END

#endif
