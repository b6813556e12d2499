// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CYCLES_LEAST_H
#define LOOM_CYCLES_LEAST_H

#include <flitloom/plan.h>

// Computes a lower bound of loom_machine_cycles for any plan of these messages on this fabric, whatever its map,
// routes, order and passes. A processor sends a flit a cycle and takes in as many. The first flit that it takes in, and
// the last one that it sends, go at least one hop. In a set each member takes that long alone, with a barrier
// before the next.
int loom_cycles_least(uint64_t *out, const struct loom_plan *plan, struct loom_err *err);

#endif
