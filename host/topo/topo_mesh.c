// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A grid: a node has a neighbour on each side in each dimension, and none beyond an edge.
#include "topo/grid.h"
#include "topo/topo_direct.h"
#include "topo/topo_kinds.h"

const struct loom_topo_kind loom_topo_kind_mesh = {
	.name = "mesh",
	.code = 11,
	.sizes = "AxB[xC..][v2..v8]",
	.size_is = "extents, the last one that of x",
	.help = "rows of nodes, in as many dimensions as extents; v2 to v8: two to eight virtual channels per link",
	.read_size = loom_grid_read_extents,
	.size_near = loom_grid_near_square,
	.router = LOOM_ROUTER_ORDER,
	LOOM_GRID_DEFAULTS,
};
