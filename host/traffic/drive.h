// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_DRIVE_H
#define LOOM_TRAFFIC_DRIVE_H

#include <flitloom/traffic.h>

#include "traffic/carrier.h"

// Uses a carrier while there is one. 0, or a negative LOOM_E....
typedef int loom_drive(void *user, const struct loom_carrier *carrier, struct loom_err *err);

// Makes a carrier of the machine (load_compute.c), and passes it to the drive. Reads from options the rules, the
// machine, `closed` and the log, into which it writes the counts of all channels. Errors: LOOM_ENOMEM, and those of
// the drive.
int loom_drive_machine(const struct loom_topo *topo, const uint32_t *map, const struct loom_load_options *options,
                       loom_drive *drive, void *user, struct loom_err *err);
// Does the same for a chip (load_run.c); reads the seed as well. *n_mismatches: how many messages and channels did
// not behave as they should; mismatch, of 200 bytes: the text of the first.
int loom_drive_chip(size_t *n_mismatches, char *mismatch, struct loom_device *device, const struct loom_topo *topo,
                    const uint32_t *map, const struct loom_load_options *options, loom_drive *drive, void *user,
                    struct loom_err *err);

#endif
