// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes bounds by cuts, dimension by dimension. A mesh is cut between two coordinates. Messages from one side to the
// other share the links across, one for each line of nodes along the dimension. A ring is cut in any two places half a
// round apart. Messages that leave a half share two links for each line. On a ring each message also needs at least the
// hops of its shorter way in the dimension, each on one of its links.
#include <stdlib.h>

#include "topo/grid.h"
#include "topo/topo_direct.h"

// The messages that cross each cut upward (out of a half) and downward (into it), as differences from cut to cut,
// because a message counts in a run of consecutive cuts.
struct cuts {
	uint32_t extent;
	int64_t *up, *down; // extent + 1 each
};

// Counts a message in the cuts first, first + 1, ..., first + n - 1, round the ring.
static void count(int64_t *cut, uint32_t extent, uint32_t first, uint32_t n)
{
	uint32_t end = first + n;
	cut[first]++;
	cut[end < extent ? end : extent]--;
	if (end > extent) {
		cut[0]++;
		cut[end - extent]--;
	}
}

// Counts a message from x to y on a mesh. Cut k lies between coordinates k and k + 1.
static void count_on_mesh(struct cuts *cuts, uint32_t x, uint32_t y)
{
	if (x < y)
		count(cuts->up, cuts->extent, x, y - x);
	else
		count(cuts->down, cuts->extent, y, x - y);
}

// Counts a message from x to y on a ring. Half k has the coordinates k, k + 1, ..., k + extent / 2 - 1. The way from x
// to y has `up` links upward, or `down` links downward. The halves with x begin at x or up to extent / 2 - 1 before it;
// `n` of them do not have y.
static void count_on_ring(struct cuts *cuts, uint32_t x, uint32_t y)
{
	uint32_t e = cuts->extent, half = e / 2, up = (y + e - x) % e, down = e - up;
	uint32_t earliest_x = (x + e - half + 1) % e, earliest_y = (y + e - half + 1) % e;
	uint32_t n = up < down ? up : down;
	n = n < half ? n : half;
	// A message leaves the halves with x and without y. It enters those with y and without x.
	count(cuts->up, e, up < half ? earliest_x : (y + 1 + (down > half ? down - half : 0)) % e, n);
	count(cuts->down, e, down < half ? earliest_y : (x + 1 + (up > half ? up - half : 0)) % e, n);
}

static uint32_t largest(const int64_t *cut, uint32_t extent)
{
	int64_t here = 0, most = 0;
	for (uint32_t k = 0; k < extent; k++) {
		here += cut[k];
		most = here > most ? here : most;
	}
	return (uint32_t)most;
}

static uint32_t share(uint64_t of, uint32_t channels)
{
	return (uint32_t)((of + channels - 1) / channels);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t bound_of_dimension(const struct loom_topo *t, struct cuts *cuts, uint32_t stride,
                                   const uint32_t *source, const uint32_t *destination, size_t n)
{
	bool ring = t->kind->wraps;
	uint64_t hops = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t x = source[i] / stride % cuts->extent, y = destination[i] / stride % cuts->extent;
		uint32_t way = x < y ? y - x : x - y;
		if (x == y)
			continue;
		hops += way < cuts->extent - way ? way : cuts->extent - way;
		(ring ? count_on_ring : count_on_mesh)(cuts, x, y);
	}
	uint32_t lines = t->n_nodes / cuts->extent, links_of_node = ring && cuts->extent > 2 ? 2 : 1;
	uint32_t most = larger(largest(cuts->up, cuts->extent), largest(cuts->down, cuts->extent));
	most = share(most, links_of_node * lines);
	return ring ? larger(most, share(hops, links_of_node * t->n_nodes)) : most;
}

int loom_grid_bound(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
                    size_t n, struct loom_err *err)
{
	uint32_t most = 0, stride = 1;
	int rc = loom_direct_bound(&most, t, source, destination, n, err);
	for (unsigned d = 0; rc == 0 && d < t->n_dims; stride *= t->extent[d], d++) {
		struct cuts cuts = {.extent = t->extent[d]};
		cuts.up = calloc(2 * ((size_t)cuts.extent + 1), sizeof *cuts.up);
		if (!cuts.up)
			return loom_fail(err, LOOM_ENOMEM, "out of memory for a bound on %s", t->name);
		cuts.down = cuts.up + cuts.extent + 1;
		if (cuts.extent > 1)
			most = larger(most, bound_of_dimension(t, &cuts, stride, source, destination, n));
		free(cuts.up);
	}
	*out = most;
	return rc;
}
