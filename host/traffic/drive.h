// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_DRIVE_H
#define LOOM_TRAFFIC_DRIVE_H

#include <flitloom/traffic.h>

#include "traffic/carrier.h"

// Uses a carrier while there is one. 0, or a negative LOOM_E....
typedef int loom_drive(void *user, const struct loom_carrier *carrier, struct loom_err *err);

// Makes a carrier of the machine (load_compute.c), and has it driven. Of options the rules, the machine, `closed` and the log are
// looked at: the counts of all channels are written into it. Errors: LOOM_ENOMEM, and those of the drive.
int loom_drive_machine(const struct loom_topo *topo, const uint32_t *map, const struct loom_load_options *options,
                       loom_drive *drive, void *user, struct loom_err *err);
// The same of a chip (load_run.c), beside that the seed. *n_mismatches and mismatch, of 200 bytes: what messages and channels did otherwise
// than they should.
int loom_drive_chip(size_t *n_mismatches, char *mismatch, struct loom_device *device, const struct loom_topo *topo,
                    const uint32_t *map, const struct loom_load_options *options, loom_drive *drive, void *user,
                    struct loom_err *err);

#endif
