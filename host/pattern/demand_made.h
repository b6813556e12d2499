// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_DEMAND_MADE_H
#define LOOM_DEMAND_MADE_H

#include <stdbool.h>

#include <flitloom/demand.h>

// Random demands, which are terms of demand:....
bool loom_demand_is_made(const char *spec);
// Adds one to a demand. LOOM_EINPUT: illegal arguments.
int loom_demand_add_made(struct loom_demand *d, const char *spec, uint64_t seed, struct loom_err *err);

#endif
