// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_LOAD_CARRY_H
#define LOOM_TRAFFIC_LOAD_CARRY_H

#include <flitloom/traffic.h>

#include "traffic/carrier.h"

// Runs traffic through a carrier, as a drive (traffic/drive.h): `user` is one of these. On the machine it also calls
// loom_load_carry_check; on a chip it does not, because the mismatches are known only later.
struct loom_load_drive {
	const struct loom_topo *topo;
	const struct loom_traffic *traffic;
	const uint32_t *map;
	const struct loom_load_options *options;
	bool is_chip;
	struct loom_load_point point; // the result
};
int loom_load_drive(void *user, const struct loom_carrier *carrier, struct loom_err *err);
// Does what loom_load_phases_check does; a batch always has a result.
int loom_load_carry_check(const struct loom_load_point *point, const struct loom_load_options *options,
                          struct loom_err *err);

#endif
