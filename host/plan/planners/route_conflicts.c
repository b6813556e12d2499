// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/planners/route_conflicts.h"

#include <stdlib.h>

// Returns the number of a link: the lower number of its two channels.
static uint32_t link_of(const struct loom_topo *t, uint32_t channel)
{
	uint32_t per_tile = loom_topo_channels_per_tile(t), k = channel % per_tile, v;
	unsigned q;
	if (k >= loom_topo_links(t) || !t->kind->link(t, channel / per_tile, k, &v, &q))
		return channel;
	uint32_t back = v * per_tile + q;
	return back < channel ? back : channel;
}

bool loom_route_conflicts_make(struct loom_conflicts *out, const struct loom_plan *plan, size_t first, size_t n)
{
	struct loom_route route;
	uint32_t channel;
	size_t *at = malloc((n + 1) * sizeof *at), n_hops = 0;
	for (size_t i = 0; at && i < n; i++) {
		at[i] = n_hops;
		n_hops += loom_plan_route_length(plan, first + i);
	}
	uint32_t *hop = malloc((n_hops + 1) * sizeof *hop);
	if (!at || !hop) {
		free(at);
		free(hop);
		return false;
	}
	at[n] = n_hops;
	for (size_t i = 0; i < n; i++) {
		uint32_t *next = hop + at[i];
		if (!loom_plan_uses_network(plan, &plan->messages[first + i]))
			continue;
		for (loom_plan_route_begin(&route, plan, first + i); loom_route_next(&route, &channel);)
			*next++ = plan->half_duplex ? link_of(&plan->topo, channel) : channel;
	}
	return loom_conflicts_make(out, n, at, hop, loom_topo_channels(&plan->topo));
}
