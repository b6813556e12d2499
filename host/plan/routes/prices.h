// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PRICES_H
#define LOOM_PRICES_H

#include <flitloom/routes/routes.h>

#include "plan/planners/budget.h"
#include "plan/routes/cuts.h"

// Does what loom_routes_bound does with a share of a caller's budget. Ends early when the bound is `enough`, or
// provably cannot rise.
int loom_prices_bound(uint64_t *out, uint32_t *price, const struct loom_demand *demand, uint64_t enough,
                      struct loom_budget *budget, struct loom_err *err);

#endif
