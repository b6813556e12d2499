// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A grid in which each row is a ring.
#include "topo/grid.h"
#include "topo/topo_direct.h"
#include "topo/topo_kinds.h"

const struct loom_topo_kind loom_topo_kind_torus = {
	.name = "torus",
	.code = 12,
	.sizes = "AxB[xC..][v2..v8]",
	.size_is = "extents, the last one that of x",
	.help = "a mesh in which the ends of each row are joined; v2 to v8: two to eight virtual channels per link",
	.read_size = loom_grid_read_extents,
	.size_near = loom_grid_near_square,
	.router = LOOM_ROUTER_ORDER,
	.wraps = true,
	LOOM_GRID_DEFAULTS,
};
