// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LOAD_GROUPS_H
#define LOOM_LOAD_GROUPS_H

#include <flitloom/traffic.h>

#include "traffic/carrier.h"
#include "traffic/routing.h"

// Notes the arrival of a message. Without `measured` the message counts only as delivered: `flits` of it in the
// measured cycles, `late` of it since half of the warm-up. LOOM_ENOMEM. Groups by channel ignore it.
int loom_load_groups_add(struct loom_load_groups *groups, const struct loom_routing *routing, const uint32_t *map,
                         const struct loom_carried *m, bool measured, uint32_t flits, uint32_t late,
                         struct loom_err *err);
// Notes what a channel has carried in a window.
int loom_load_groups_add_channel(struct loom_load_groups *groups, uint64_t key, const struct loom_load_count *count,
                                 struct loom_err *err);
// Ends the run: now it is known what counts as delivered, and in how many cycles.
void loom_load_groups_settle(struct loom_load_groups *groups, bool saturated, uint64_t cycles);

#endif
