// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "check/light_loss.h"

#include <inttypes.h>
#include <stdio.h>

void loom_light_loss_tell(char out[LOOM_LIGHT_LOSS_TEXT], const struct loom_topo *topo, uint32_t on,
                          const struct loom_light_loss *loss)
{
	const uint32_t n = topo->extent[0];
	(void)snprintf(out, LOOM_LIGHT_LOSS_TEXT,
	               "switch %" PRIu32 " lost %" PRIu32 " flit%s, the first in cycle %" PRIu32 ": from node %" PRIu32
	               " to node %" PRIu32 ", %s",
	               on, loss->flits, loss->flits == 1 ? "" : "s", loss->cycle, loss->source % n,
	               loss->destination % n, loss->lit ? "whose light led elsewhere" : "sent in the dark");
}
