// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/routes/lane_search.h"

#include <stdlib.h>

bool loom_lane_search_init(struct loom_lane_search *out, const struct loom_topo *topo)
{
	uint32_t per_tile = loom_topo_channels_per_tile(topo), n_channels = loom_topo_channels(topo);
	*out = (struct loom_lane_search){.end = calloc(n_channels, sizeof *out->end),
	                                 .seen = calloc(n_channels, sizeof *out->seen),
	                                 .path = malloc(n_channels * sizeof *out->path),
	                                 .left = malloc(n_channels * sizeof *out->left)};
	if (!out->end || !out->seen || !out->path || !out->left)
		return false;
	for (uint32_t u = 0; u < topo->n_nodes; u++)
		for (unsigned p = 0; p < loom_topo_links(topo); p++) {
			uint32_t v;
			unsigned back;
			if (topo->kind->link(topo, u, p, &v, &back))
				out->end[u * per_tile + p] = v * per_tile;
		}
	return true;
}

void loom_lane_search_free(struct loom_lane_search *search)
{
	free(search->end);
	free(search->seen);
	free(search->path);
	free(search->left);
	*search = (struct loom_lane_search){0};
}

// Depth first; what is on the way to where we are must not be met again.
bool loom_lane_has_circle(struct loom_lane_search *s, const uint64_t *after, uint32_t from)
{
	uint32_t n = 1;
	s->round++;
	s->path[0] = from;
	s->left[0] = after[from];
	s->seen[from] = 2 * s->round;
	while (n > 0) {
		uint32_t at = s->path[n - 1];
		if (s->left[n - 1] == 0) {
			s->seen[at] = 2 * s->round + 1;
			n--;
			continue;
		}
		uint32_t next = s->end[at] + (uint32_t)__builtin_ctzll(s->left[n - 1]);
		s->left[n - 1] &= s->left[n - 1] - 1;
		if (s->seen[next] == 2 * s->round)
			return true;
		if (s->seen[next] == 2 * s->round + 1)
			continue;
		s->seen[next] = 2 * s->round;
		s->path[n] = next;
		s->left[n++] = after[next];
	}
	return false;
}
