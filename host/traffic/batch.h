// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_BATCH_H
#define LOOM_TRAFFIC_BATCH_H

#include <flitloom/traffic.h>

#include "traffic/carrier.h"

// Runs a batch through a carrier: options->batch messages of each processor that sends, all released in cycle 1.
// Latencies are those of the messages that the carrier reports. As loom_load_phases_run.
int loom_batch_run(struct loom_load_point *out, uint64_t *n_lost, const struct loom_carrier *carrier,
                   const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
                   const struct loom_load_options *options, struct loom_err *err);

#endif
