// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_BLOCKS_H
#define LOOM_REPORT_SVG_BLOCKS_H

#include <stdbool.h>
#include <stdio.h>

#include <flitloom/topo.h>

// An OTIS-Mesh as it lies: groups as blocks at their coordinates, processors at theirs in the block, light as arcs.

bool loom_svg_blocks_suit(const struct loom_topo *topo); // an OTIS-Mesh that is small enough to be read
// In parts of the pitch from processor to processor, the middle of node 0 being at 0, 0.
void loom_svg_blocks_place(double *x, double *y, const struct loom_topo *topo, uint32_t node);
double loom_svg_blocks_side(const struct loom_topo *topo); // from the first node's middle to the last one's

// An arc can be so much aside of the blocks, of their side.
#define LOOM_SVG_ARC_ROOM 0.06

// The point that bends an arc of light from one point to another: on the right of the way, so that the two directions of a
// link are two arcs.
void loom_svg_arc_bend(double *x, double *y, double from_x, double from_y, double to_x, double to_y);
// A point of the arc: `part` of it, 0 to 1, is behind.
void loom_svg_arc_at(double *x, double *y, double from_x, double from_y, double to_x, double to_y, double part);

// A frame round each group; node 0's middle is at x, y.
void loom_svg_blocks_frames(FILE *stream, const struct loom_topo *topo, double x, double y, double pitch);

#endif
