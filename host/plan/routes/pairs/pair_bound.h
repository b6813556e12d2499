// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIR_BOUND_H
#define LOOM_PAIR_BOUND_H

#include "plan/routes/pairs/pair_net.h"

// Computes a load that the busiest link has with any routes of all pairs: the larger of two bounds. LOOM_ENOMEM.
//
// The bound by prices: for any prices of links, the load of the busiest link times the sum of all prices is at least
// the sum that all pairs pay on their cheapest ways. The function takes the best of `times` sets of prices (fewer on
// large networks); each set raises the prices of the links that the previous cheapest ways used most. The bound by
// cuts: the pairs from a set of nodes to all others, divided by the links that lead out of the set, for the best of
// many sets.
int loom_pair_bound_of_net(uint32_t *out, const struct loom_pair_net *net, unsigned times, struct loom_err *err);

#endif
