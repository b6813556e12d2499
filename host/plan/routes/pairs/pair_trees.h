// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIR_TREES_H
#define LOOM_PAIR_TREES_H

#include <flitloom/routes/pair_routes.h>

#include "plan/routes/pairs/pair_set.h"

// pair_trees.c: finds routes by destination that rise by these places ([lane * n_links + link]). It changes the set if
// all pairs have such routes and they are better than those of the set, or the set has none. bound: it does not search
// for a lower load. LOOM_ENOMEM.
int loom_pair_of_trees(struct loom_pair_set *set, const struct loom_pair_net *net, const double *place,
                       const struct loom_pair_options *options, uint32_t bound, struct loom_err *err);

#endif
