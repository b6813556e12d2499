// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIR_SEARCH_H
#define LOOM_PAIR_SEARCH_H

#include <flitloom/routes/pair_routes.h>

#include "plan/routes/pairs/pair_set.h"

// pair_search.c: makes a set better, or finds a first one, which may not exist. Does not search if the set is already
// as good as any. LOOM_ENOMEM.
int loom_pair_search(struct loom_pair_set *set, const struct loom_pair_net *net,
                     const struct loom_pair_options *options, struct loom_err *err);
// pair_product.c: if the network is a Cartesian product, as meshes, cubes and HyperX are, in any order of its nodes:
// finds routes that go through one factor after the other, on lane 0. LOOM_ENOMEM.
int loom_pair_of_product(struct loom_pair_set *set, const struct loom_pair_net *net,
                         const struct loom_pair_options *options, struct loom_err *err);
// pair_usual.c: takes the default routes of messages, if each keeps to one of n_lanes lanes and they cannot lock.
// LOOM_ENOMEM.
int loom_pair_of_usual(struct loom_pair_set *set, const struct loom_pair_net *net, const struct loom_topo *topo,
                       uint32_t n_lanes, struct loom_err *err);

#endif
