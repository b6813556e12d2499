// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_svg_blocks.h"

#include <inttypes.h>

#include "report/report_svg.h"

#define NODES_MAX 256
#define GAP 0.9    // between groups, more than between their processors
#define FRAME 0.52 // from the middle of a processor at the edge of its group to the frame
#define BEND 0.16  // of the way, from its middle to the point that bends it

bool loom_svg_blocks_suit(const struct loom_topo *topo)
{
	return topo->kind->router == LOOM_ROUTER_OTIS && topo->n_nodes <= NODES_MAX;
}

void loom_svg_blocks_place(double *x, double *y, const struct loom_topo *topo, uint32_t node)
{
	uint32_t side = topo->extent[0], n = side * side, group = node / n, at = node % n;
	*x = group % side * (side + GAP) + at % side;
	*y = group / side * (side + GAP) + at / side;
}

double loom_svg_blocks_side(const struct loom_topo *topo)
{
	double x, y;
	loom_svg_blocks_place(&x, &y, topo, topo->n_nodes - 1);
	return x;
}

void loom_svg_arc_bend(double *x, double *y, double from_x, double from_y, double to_x, double to_y)
{
	*x = (from_x + to_x) / 2 - BEND * (to_y - from_y);
	*y = (from_y + to_y) / 2 + BEND * (to_x - from_x);
}

void loom_svg_arc_at(double *x, double *y, double from_x, double from_y, double to_x, double to_y, double part)
{
	double bend_x, bend_y, rest = 1 - part;
	loom_svg_arc_bend(&bend_x, &bend_y, from_x, from_y, to_x, to_y);
	*x = rest * rest * from_x + 2 * rest * part * bend_x + part * part * to_x;
	*y = rest * rest * from_y + 2 * rest * part * bend_y + part * part * to_y;
}

void loom_svg_blocks_frames(FILE *stream, const struct loom_topo *topo, double x, double y, double pitch)
{
	uint32_t side = topo->extent[0], n = side * side;
	for (uint32_t group = 0; group < n; group++) {
		double left, top, width = (side - 1 + 2 * FRAME) * pitch;
		loom_svg_blocks_place(&left, &top, topo, group * n);
		(void)fprintf(stream,
		              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" fill=\"none\" "
		              "stroke=\"" LOOM_SVG_EDGE "\" stroke-width=\"1\"><title>group %" PRIu32
		              "</title></rect>\n",
		              x + (left - FRAME) * pitch, y + (top - FRAME) * pitch, width, width, pitch / 8, group);
	}
}
