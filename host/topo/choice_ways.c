// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/choice_ways.h"

#include "topo/grid.h"

uint32_t loom_ways_at(const struct loom_topo *t, uint32_t node, unsigned d)
{
	return node / loom_grid_stride(t, d) % t->extent[d];
}

struct loom_ways loom_ways_of(const struct loom_topo *t, uint32_t here, uint32_t destination)
{
	struct loom_ways ways = {0, 0};
	for (unsigned d = 0; d < t->n_dims; d++) {
		const uint32_t n = t->extent[d], x = here % n, y = destination % n, up = y >= x ? y - x : n - x + y;
		here /= n;
		destination /= n;
		if (x == y)
			continue;
		// A ring of two nodes has only the link up, and a cube has one link for both.
		const bool plus = t->kind->wraps ? n == 2 || up <= n - up : y > x;
		const bool minus = t->kind->wraps ? n > 2 && up >= n - up : y < x;
		ways.plus |= (uint32_t)plus << d;
		ways.minus |= (uint32_t)minus << d;
	}
	return ways;
}

unsigned loom_ways_link(const struct loom_topo *t, unsigned d, bool minus)
{
	return t->kind->complements_bits ? d : 2 * d + minus;
}

uint64_t loom_ways_lanes(const struct loom_topo *t, struct loom_ways ways, unsigned first)
{
	const uint64_t of_link = ((UINT64_C(1) << t->n_vcs) - 1) >> first << first;
	uint64_t lanes = 0;
	for (unsigned d = 0; d < t->n_dims; d++) {
		if (ways.plus >> d & 1)
			lanes |= of_link << loom_ways_link(t, d, false) * t->n_vcs;
		if (ways.minus >> d & 1)
			lanes |= of_link << loom_ways_link(t, d, true) * t->n_vcs;
	}
	return lanes;
}
