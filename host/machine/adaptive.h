// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ADAPTIVE_H
#define LOOM_ADAPTIVE_H

#include "machine/engine.h"
#include "machine/lanes.h"

// The engine `adaptive`: routers that choose. A header that stands first in its FIFO has a set of lanes, and takes one of those that are
// free, by a rule of preference (flitloom/routes/choice.h; docs/adaptive.md says in which order headers are served). A message that
// has a way has sets of one lane, so this engine does what the others do where no message has a choice.

// Finds a circle of waits after a run that ended in LOOM_ENGINE_LOCKED, as loom_lanes_lock does. Of a header that has several lanes to
// wait for, all of which are held, the circle goes by the lowest.
int loom_adaptive_lock(const struct loom_engine *engine, struct loom_engine_wait **out, size_t *n_out,
                       struct loom_err *err);

#endif
