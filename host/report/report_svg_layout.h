// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_LAYOUT_H
#define LOOM_REPORT_SVG_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/topo.h>

// The places of the nodes of a direct network of one or two dimensions in a picture: at their coordinates, the first to
// the right, the second downwards. One dimension is wrapped into rows like text. Extents of 1 do not count.
struct loom_svg_layout {
	const struct loom_topo *topo;
	uint32_t columns, rows;
	// for the dimensions that lead to the right and downwards; extent 1: there is none
	uint32_t extent[2], stride[2];
	bool edge_x, edge_y; // some channel leads from edge to edge in that direction
};

// Link p of node u.
struct loom_svg_arrow {
	uint32_t u, v;
	int dx, dy; // one column and one row at most, never none
	bool edge;  // v lies at the other edge instead
};

// Returns the network whose shape a picture has: for a network with failures, the whole one.
const struct loom_topo *loom_svg_shape(const struct loom_topo *topo);
// Lays the network out. False: no drawing of this network is readable. It is too large, has more dimensions, or has
// links that lead to nodes that are no neighbours in the picture, two links of a node in the same direction, or
// diagonals that cross.
bool loom_svg_lay_out(struct loom_svg_layout *out, const struct loom_topo *topo);
void loom_svg_place(uint32_t *column, uint32_t *row, const struct loom_svg_layout *l, uint32_t node);
// Counts the links of u below k that lead to v, such as the two directions of a ring of two, and parallel links.
unsigned loom_svg_twins_before(const struct loom_topo *topo, uint32_t u, unsigned k, uint32_t v);
// False: there is no such link.
bool loom_svg_arrow_of(struct loom_svg_arrow *out, const struct loom_svg_layout *l, uint32_t u, unsigned p);

#endif
