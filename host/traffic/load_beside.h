// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LOAD_BESIDE_H
#define LOOM_LOAD_BESIDE_H

#include <flitloom/traffic.h>

#include "traffic/carrier.h"

// The machine beside a chip. It is offered the same messages, and supplies, for each arrival, the cycles that the
// chip does not log.
struct loom_load_beside;

int loom_load_beside_open(struct loom_load_beside **out, const struct loom_topo *topo, const uint32_t *map,
                          const struct loom_load_options *options, struct loom_err *err);
int loom_load_beside_offer(struct loom_load_beside *beside, uint32_t source, const struct loom_queued *message,
                           struct loom_err *err);
// Runs to the end of cycle `until`, and fills in `entered` of the n messages that a chip says have arrived since the last call.
// *n_differ: how many messages arrived otherwise than computed, or on one side only. `first`, of `size` bytes: the
// text of the first difference.
int loom_load_beside_run(struct loom_load_beside *beside, uint64_t until, struct loom_carried *arrived, size_t n,
                         size_t *n_differ, char *first, size_t size, struct loom_err *err);
void loom_load_beside_close(struct loom_load_beside *beside); // NULL allowed

#endif
