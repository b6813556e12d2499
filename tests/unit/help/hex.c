// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "hex.h"

#include <stdio.h>

#include "topo/grid.h"
#include "topo/topo_direct.h"
#include "topo/topo_size.h"

static int read_size(struct loom_topo *t, const char *size, struct loom_err *err)
{
	int rc = loom_size_extents(t, &t->n_nodes, size, 2, 2, err);
	t->n_tiles = t->n_nodes;
	t->ports = HEX_LINKS + 1;
	return rc;
}

static bool leads_to(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	static const int steps[HEX_LINKS][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}};
	int x = (int)(u % t->extent[0]) + steps[p][0], y = (int)(u / t->extent[0]) + steps[p][1];
	if (x < 0 || y < 0 || x >= (int)t->extent[0] || y >= (int)t->extent[1])
		return false;
	*v = (uint32_t)y * t->extent[0] + (uint32_t)x;
	*q = p ^ 1;
	return true;
}

// By the diagonals while these lead nearer in both coordinates, then along the row, then along the column.
static unsigned next(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	uint32_t n = t->extent[0], x = here % n, to_x = destination % n, y = here / n, to_y = destination / n;
	(void)rule;
	if (to_x > x && to_y < y)
		return 4;
	if (to_x < x && to_y > y)
		return 5;
	return x < to_x ? 0 : x > to_x ? 1 : y < to_y ? 2 : 3;
}

static void link_name(const struct loom_topo *t, unsigned p, char out[16])
{
	(void)t;
	(void)snprintf(out, 16, "to %u o'clock", (unsigned[]){3, 9, 5, 11, 1, 7}[p]);
}

const struct loom_topo_kind hex_kind = {
	.name = "hex",
	.code = 99,
	.sizes = "AxB",
	.size_is = "rows and columns",
	.help = "rows of nodes with six neighbours each",
	.read_size = read_size,
	.write_size = loom_default_write_size,
	.size_near = loom_grid_near_square,
	.router = LOOM_ROUTER_TABLE,
	.link = leads_to,
	.next = next,
	.link_name = link_name,
	.bound = loom_direct_bound,
	LOOM_DIRECT_DEFAULTS,
};
