// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A mesh of one dimension.
#include "topo/grid.h"
#include "topo/topo_direct.h"
#include "topo/topo_kinds.h"

const struct loom_topo_kind loom_topo_kind_line = {
	.name = "line",
	.code = 9,
	.sizes = "2..1048576[v2..v8]",
	.size_is = "nodes",
	.help = "a row of nodes; v2 to v8: two to eight virtual channels per link",
	.read_size = loom_grid_read_number,
	.size_near = loom_grid_near_number,
	.router = LOOM_ROUTER_ORDER,
	LOOM_GRID_DEFAULTS,
};
