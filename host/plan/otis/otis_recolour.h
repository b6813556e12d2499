// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OTIS_RECOLOUR_H
#define LOOM_OTIS_RECOLOUR_H

#include <flitloom/math/otis.h>

#include "plan/planners/budget.h"

// Changes the middles of items (otis_any.c), so that loom_otis_by_middle takes fewer electronic steps, never more than
// before. No two items of a group share a middle, and no two that go to one group. A step of the budget is an item
// whose middle is changed or examined.
int loom_otis_recolour(uint32_t *middle, uint32_t side, const uint32_t *source, const uint32_t *destination,
                       uint32_t n_items, struct loom_budget *budget, struct loom_err *err);

#endif
