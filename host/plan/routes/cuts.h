// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CUTS_H
#define LOOM_CUTS_H

#include <flitloom/routes.h>

#include "plan/routes/box.h"

// *bound: what the busiest cut says of the largest load. Prices that prove it: 1 for each link by which messages get from one
// coordinate of a dimension to the next one, 0 for all others; of all such cuts the one that, shared by its links, is crossed most. price: an element per
// channel, all 0 where nothing crosses any. LOOM_ENOMEM.
int loom_cuts_price(uint64_t *bound, uint64_t *price, struct loom_box *box, const struct loom_message *messages,
                    size_t n, enum loom_load load, struct loom_err *err);

#endif
