// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_LOAD_PHASES_H
#define LOOM_TRAFFIC_LOAD_PHASES_H

#include <flitloom/traffic.h>

#include "traffic/carrier.h"

// Cycles without an arrival, while messages are due, after which the watchdog, of 4096 cycles, has been asked.
#define LOOM_LOAD_QUIET_CYCLES 16384u
// Returns how many messages of `flits` flits or more a source may have under way. With fewer it could run out of
// messages before the next block, though others wait. The number covers the messages of a block, of the lead, and
// those in the FIFOs and optical links of a way.
uint64_t loom_load_most_under_way(const struct loom_topo *topo, uint32_t flits);

// Runs traffic at one load through a carrier, in blocks of cycles, and measures it: warm-up, measurement and what follows. The check is the
// caller's: *out has no mismatches. *n_lost is how many messages never arrived; then the run ended without them. LOOM_EFIT: the run
// takes more cycles than the carrier can count. LOOM_ETIMEOUT: options->watch gave up. Otherwise the carrier's error. On failure
// both are untouched.
int loom_load_phases_run(struct loom_load_point *out, uint64_t *n_lost, const struct loom_carrier *carrier,
                         const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
                         const struct loom_load_options *options, struct loom_err *err);
// Fails if the point has no result, because no message was released in the cycles measured.
int loom_load_phases_check(const struct loom_load_point *point, const struct loom_load_options *options,
                           struct loom_err *err);

#endif
