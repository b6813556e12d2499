// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/grid.h"

#include <inttypes.h>
#include <stdio.h>

#include "topo/topo_size.h"

static void fill(struct loom_topo *t, uint32_t n_nodes)
{
	t->n_nodes = t->n_tiles = n_nodes;
	t->ports = 2 * t->n_dims + 1;
}

int loom_grid_read_number(struct loom_topo *t, const char *size, struct loom_err *err)
{
	int rc = loom_size_number(&t->extent[0], t, size, 2, LOOM_NODES_MAX, err);
	t->n_dims = 1;
	fill(t, t->extent[0]);
	return rc;
}

int loom_grid_read_extents(struct loom_topo *t, const char *size, struct loom_err *err)
{
	uint32_t n_nodes = 0;
	int rc = loom_size_extents(t, &n_nodes, size, 1, LOOM_SIZE_EXTENTS, err);
	fill(t, n_nodes);
	return rc;
}

static uint32_t within(uint32_t n_nodes)
{
	return n_nodes < 2 ? 2 : n_nodes > LOOM_NODES_MAX ? LOOM_NODES_MAX : n_nodes;
}

void loom_grid_near_number(char out[40], uint32_t n_nodes)
{
	(void)snprintf(out, 40, "%" PRIu32, within(n_nodes));
}

// Writes the next number with two factors of which one is at most twice the other, as these factors. Every power of two
// has them.
void loom_grid_near_square(char out[40], uint32_t n_nodes)
{
	for (uint32_t n = within(n_nodes);; n++) {
		uint32_t low = 1;
		for (uint32_t side = 2; side <= n / side; side++)
			low = n % side == 0 ? side : low;
		if (n / low > 2 * low)
			continue;
		(void)snprintf(out, 40, "%" PRIu32 "x%" PRIu32, low, n / low);
		return;
	}
}

bool loom_grid_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	bool minus = p & 1, wraps = t->kind->wraps;
	const uint32_t stride = loom_grid_stride(t, p / 2), extent = t->extent[p / 2];
	uint32_t x = u / stride % extent, end = minus ? 0 : extent - 1;
	if (extent < 2 || (wraps ? extent == 2 && minus : x == end))
		return false;
	uint32_t beyond = minus ? extent - 1 : 0, to = x == end ? beyond : minus ? x - 1 : x + 1;
	*v = u - x * stride + to * stride;
	*q = wraps && extent == 2 ? p : p ^ 1;
	return true;
}

unsigned loom_grid_next(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	unsigned p = t->ports - 1;
	for (unsigned d = 0; d < t->n_dims; d++) {
		uint32_t extent = t->extent[d], x = here % extent, y = destination % extent;
		here /= extent;
		destination /= extent;
		if (x == y)
			continue;
		uint32_t up = y > x ? y - x : extent - x + y;
		bool is_longer = up > extent - up;
		p = 2 * d + (t->kind->wraps ? is_longer && !(rule & LOOM_RULE_ONE_WAY) : y < x);
		if (!(rule & LOOM_RULE_DESCENDING))
			break;
	}
	return p;
}

unsigned loom_grid_vc(const struct loom_topo *t, uint32_t here, unsigned p, uint32_t destination, unsigned came_by)
{
	const uint32_t stride = loom_grid_stride(t, p / 2), extent = t->extent[p / 2];
	uint32_t x = here / stride % extent, y = destination / stride % extent;
	const bool minus = p & 1, crosses = t->kind->wraps && (minus ? y > x : y < x);
	if (crosses)
		return 2 * (y % (t->n_vcs / 2)) + (x == (minus ? 0 : extent - 1));
	return came_by == LOOM_GRID_BEGINS ? y % t->n_vcs : came_by;
}

void loom_grid_link_name(const struct loom_topo *t, unsigned p, char out[16])
{
	static const char axes[] = "xyzw";
	unsigned d = p / 2;
	(void)t;
	if (d < sizeof axes - 1)
		(void)snprintf(out, 16, "%c%c", p & 1 ? '-' : '+', axes[d]);
	else
		(void)snprintf(out, 16, "%c%u", p & 1 ? '-' : '+', d + 1);
}
