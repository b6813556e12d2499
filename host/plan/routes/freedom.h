// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FREEDOM_H
#define LOOM_FREEDOM_H

#include <flitloom/pattern.h>

#include "plan/routes/region.h"

// The order in which BLOCK routes messages: by their number of minimal routes, (a + b + ..)! / (a! b! ..) for a, b, ..
// steps, the fewest first and the lower message first among equals. order has n elements. Exact, however large the numbers
// are, on networks with coordinates; elsewhere routes are counted up to 2^64 - 1. LOOM_ENOMEM.
int loom_freedom_order(uint32_t *order, struct loom_region *region, const struct loom_message *messages, size_t n,
                       struct loom_err *err);

#endif
