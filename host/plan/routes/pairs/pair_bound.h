// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIR_BOUND_H
#define LOOM_PAIR_BOUND_H

#include "plan/routes/pairs/pair_net.h"

// A load that the busiest link has with any routes of all pairs: the larger of two bounds. LOOM_ENOMEM.
//
// By prices: whatever the prices of links, the busiest link's load times all prices together is no less than what all pairs pay on their
// cheapest ways. The best of `times` prices, or of fewer on large networks, each of which makes dear what the cheapest ways before it
// took most.
// By cuts: the pairs from some nodes to all others, shared by the links that lead there. The best of many such sets.
int loom_pair_bound_of_net(uint32_t *out, const struct loom_pair_net *net, unsigned times, struct loom_err *err);

#endif
