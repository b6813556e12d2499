// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks with coordinates whose routers have tables instead of dimension order. Where possible a table has four words
// per node, for routes that are chosen for each message (docs/routes.md). Each virtual channel of a link belongs to a
// virtual network.
#include "topo/grid.h"
#include "topo/topo_cube.h"
#include "topo/topo_kinds.h"

#define SPARE_LABEL_BITS 2

const struct loom_topo_kind loom_topo_kind_table_mesh = {
	.name = "table-mesh",
	.code = 13,
	.sizes = "AxB[xC..][v2..v8]",
	.size_is = "extents, the last one that of x",
	.help = "a mesh with route tables, for chosen routes; v2 to v8: two to eight virtual channels per link",
	.read_size = loom_grid_read_extents,
	.size_near = loom_grid_near_square,
	.router = LOOM_ROUTER_TABLE,
	.spare_label_bits = SPARE_LABEL_BITS,
	LOOM_GRID_DEFAULTS,
};

const struct loom_topo_kind loom_topo_kind_table_torus = {
	.name = "table-torus",
	.code = 14,
	.sizes = "AxB[xC..][v2..v8]",
	.size_is = "extents, the last one that of x",
	.help = "a torus with route tables, for chosen routes; v2 to v8: two to eight virtual channels per link",
	.read_size = loom_grid_read_extents,
	.size_near = loom_grid_near_square,
	.router = LOOM_ROUTER_TABLE,
	.spare_label_bits = SPARE_LABEL_BITS,
	.wraps = true,
	LOOM_GRID_DEFAULTS,
};

const struct loom_topo_kind loom_topo_kind_table_cube = {
	.name = "table-cube",
	.code = 15,
	.help = "a cube with route tables, for chosen routes; v2 to v8: two to eight virtual channels per link",
	.router = LOOM_ROUTER_TABLE,
	.spare_label_bits = SPARE_LABEL_BITS,
	LOOM_CUBE_DEFAULTS,
};
