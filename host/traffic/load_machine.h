// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LOAD_MACHINE_H
#define LOOM_LOAD_MACHINE_H

#include <flitloom/traffic.h>

#include "traffic/carrier.h"

// The carrier that computes.
struct loom_load_machine;

// LOOM_ENOMEM. *carrier is the machine's, and topo, map and options stay the caller's, until it is closed.
int loom_load_machine_open(struct loom_load_machine **out, struct loom_carrier *carrier, const struct loom_topo *topo,
                           const uint32_t *map, const struct loom_load_options *options, struct loom_err *err);
// Writes what the channels have carried so far to a log; NULL allowed. LOOM_ENOMEM.
int loom_load_machine_counts(const struct loom_load_machine *machine, struct loom_load_log *log, struct loom_err *err);
void loom_load_machine_close(struct loom_load_machine *machine); // NULL allowed

#endif
