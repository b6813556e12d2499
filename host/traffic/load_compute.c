// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs traffic at one load on the machine.
#include <flitloom/traffic.h>

#include "traffic/drive.h"
#include "traffic/load_carry.h"
#include "traffic/load_machine.h"

int loom_drive_machine(const struct loom_topo *topo, const uint32_t *map, const struct loom_load_options *options,
                       loom_drive *drive, void *user, struct loom_err *err)
{
	struct loom_load_machine *machine = NULL;
	struct loom_carrier carrier;
	int rc = loom_load_machine_open(&machine, &carrier, topo, map, options, err);
	if (rc == 0)
		rc = drive(user, &carrier, err);
	if (rc == 0)
		rc = loom_load_machine_counts(machine, options->log, err);
	loom_load_machine_close(machine);
	return rc;
}

int loom_load_compute(struct loom_load_point *out, const struct loom_topo *topo, const struct loom_traffic *traffic,
                      const uint32_t *map, const struct loom_load_options *options, struct loom_err *err)
{
	struct loom_load_drive load = {.topo = topo, .traffic = traffic, .map = map, .options = options};
	int rc = loom_load_check(topo, traffic, map, options, err);
	if (rc == 0)
		rc = loom_drive_machine(topo, map, options, loom_load_drive, &load, err);
	if (rc == 0)
		*out = load.point;
	return rc;
}
