// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/load_image.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int loom_load_image_make(struct loom_image *out, const struct loom_topo *topo, const uint32_t *map,
                         const struct loom_chip *chip, const struct loom_image_options *options, struct loom_err *err)
{
	struct loom_plan_message none = {0};
	struct loom_plan plan = {.topo = *topo, .n_passes = 1, .messages = &none, .n_lanes = 1};
	struct loom_image_options with = *options;
	with.may_lock = true;
	plan.map = malloc(topo->n_nodes * sizeof *plan.map);
	if (!plan.map)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a map of %" PRIu32 " nodes", topo->n_nodes);
	memcpy(plan.map, map, topo->n_nodes * sizeof *plan.map);
	int rc = loom_image_make(out, &plan, chip, &with, err);
	free(plan.map);
	return rc;
}
