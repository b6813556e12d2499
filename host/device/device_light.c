// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the flits that circuit switches lost in the last pass.
#include <stdlib.h>

#include <flitloom/link/regmap.h>

#include "device/device_internal.h"
#include "topo/topo_ocs.h"

#define SWITCH_LOW 24 // the place of the switch in an address
#define WORDS 3       // CIRCUIT_LOST, CIRCUIT_LOST_CYCLE, CIRCUIT_LOST_WAY

int loom_device_lost(struct loom_device *d, struct loom_light_loss **out, uint32_t *n_out, struct loom_err *err)
{
	const struct loom_topo_kind *kind = loom_topo_kind_by_code(d->chip.kind);
	struct loom_topo t;
	struct loom_light_loss *lost = NULL;
	uint32_t words[LOOM_TOPO_OCS_SWITCHES][WORDS], n = 0, per_switch = 1;
	int code = 0;
	*out = NULL;
	*n_out = 0;
	if (!kind || kind->router != LOOM_ROUTER_CIRCUITS) // a kind of the user's own loses nothing either
		return 0;
	code = loom_chip_topo(&t, &d->chip, err);
	if (code)
		return code;
	per_switch = t.extent[0];
	n = t.n_nodes / per_switch;
	if (!(lost = calloc(n, sizeof *lost)))
		return loom_fail(err, LOOM_ENOMEM, "no memory for the losses of %u circuit switches", n);
	for (uint32_t k = 0; code == 0 && k < n; k++)
		code = loom_device_get(d, LOOM_WINDOW_CIRCUIT_LOST | k << SWITCH_LOW, words[k], WORDS, err);
	for (uint32_t k = 0; code == 0 && k < n; k++)
		lost[k] = (struct loom_light_loss){.flits = words[k][0],
		                                   .cycle = words[k][1],
		                                   .source = k * per_switch + FIELD(words[k][2], CIRCUIT_LOST_WAY_PORT),
		                                   .destination = FIELD(words[k][2], CIRCUIT_LOST_WAY_LABEL),
		                                   .lit = FIELD(words[k][2], CIRCUIT_LOST_WAY_LIT)};
	if (code) {
		free(lost);
		return code;
	}
	*out = lost;
	*n_out = n;
	return 0;
}
