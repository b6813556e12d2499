// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ADAPTIVE_H
#define LOOM_ADAPTIVE_H

#include "machine/engine.h"
#include "machine/lanes.h"

// The engine `adaptive`: routers that choose. A header at the head of its FIFO has a set of lanes, and takes a free
// one of them by a rule of preference (flitloom/routes/choice.h; docs/adaptive.md says in which order headers are
// served). For a message with a fixed route each set is one lane, so without choices this engine gives the same
// cycles as the others.

// Finds a circle of waits after a run that ended in LOOM_ENGINE_LOCKED, as loom_lanes_lock does. If a header waits
// for several lanes, all of them held, the circle continues with the lowest.
int loom_adaptive_lock(const struct loom_engine *engine, struct loom_engine_wait **out, size_t *n_out,
                       struct loom_err *err);

#endif
