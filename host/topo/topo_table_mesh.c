// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A mesh whose routers have tables instead of the rule of dimension order, with four times as many words as there are nodes:
// for routes chosen message by message (docs/routes.md).
#include "topo/grid.h"
#include "topo/topo_kinds.h"

const struct loom_topo_kind loom_topo_kind_table_mesh = {
	.name = "table-mesh",
	.code = 13,
	.sizes = "AxB[xC..]",
	.size_is = "extents, the last one that of x",
	.help = "a mesh whose routers have tables, for chosen routes",
	.read_size = loom_grid_read_extents,
	.size_near = loom_grid_near_square,
	.router = LOOM_ROUTER_TABLE,
	.spare_label_bits = 2,
	.link = loom_grid_link,
	.next = loom_grid_next,
	.link_name = loom_grid_link_name,
	.bound = loom_grid_bound,
};
