// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FREEDOM_H
#define LOOM_FREEDOM_H

#include <flitloom/pattern.h>

#include "plan/routes/region.h"

// Computes the order in which BLOCK routes messages: those with the fewest minimal routes first, and the lower message
// first among equals. A message with a, b, .. steps has (a + b + ..)! / (a! b! ..) routes. order has n elements. The
// numbers are exact, however large they are, on networks with coordinates; on others routes are counted up to 2^64 - 1.
// LOOM_ENOMEM.
int loom_freedom_order(uint32_t *order, struct loom_region *region, const struct loom_message *messages, size_t n,
                       struct loom_err *err);

#endif
