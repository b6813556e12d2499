// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// HyperX [Ahn09]: nodes with coordinates, and a link between any two nodes that differ in one coordinate. With one
// extent each node has a link to each other node; extents of 2 make a cube. Messages go along x first, then along y and
// so on, which cannot lock.
#include <stdio.h>

#include "topo/made.h"
#include "topo/topo_size.h"

static int make(struct loom_graph_wires *out, char usual[LOOM_TOPO_SIZE], const struct loom_topo_kind *kind,
                const char *size, struct loom_err *err)
{
	struct loom_topo t = {.kind = kind};
	uint32_t n, degree = 0;
	int rc = loom_size_extents(&t, &n, size, 1, 10, err);
	for (unsigned d = 0; rc == 0 && d < t.n_dims; d++)
		degree += t.extent[d] - 1;
	if (rc == 0)
		rc = loom_made_begin(out, n, (uint64_t)n * degree / 2, err);
	if (rc != 0)
		return rc;
	for (unsigned d = 0; d < t.n_dims; d++)
		loom_made_add_extent(out, t.extent[d]);
	for (uint32_t d = 0, stride = 1; d < t.n_dims; stride *= t.extent[d++])
		for (uint32_t u = 0; u < n; u++)
			for (uint32_t x = u / stride % t.extent[d] + 1, v = u + stride; x < t.extent[d];
			     x++, v += stride)
				loom_made_add(out, u, v, d);
	out->n_link_classes = t.n_dims;
	out->in_order = true; // x first, then y
	loom_default_write_size(&t, usual);
	return 0;
}

const struct loom_topo_kind loom_topo_kind_hyperx = {
	.name = "hyperx",
	.sizes = "AxB[xC..][v2..v8]",
	.size_is = "extents, the last one that of x",
	.help = "nodes with coordinates, each joined to all that differ from it in one of them",
	.make = make,
	LOOM_MADE_DEFAULTS,
};
