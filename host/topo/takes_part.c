// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells which nodes take part in a network with failures.
#include <flitloom/routes/failures.h>

#include "topo/graph.h"

bool loom_topo_takes_part(const struct loom_topo *topo, uint32_t node)
{
	return !topo->graph || !topo->graph->damage || !topo->graph->damage->is_out[node];
}

uint32_t loom_topo_parts_count(const struct loom_topo *topo)
{
	uint32_t n = 0;
	for (uint32_t u = 0; u < topo->n_nodes; u++)
		n += loom_topo_takes_part(topo, u);
	return n;
}
