// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_BLOCKS_H
#define LOOM_REPORT_SVG_BLOCKS_H

#include <stdbool.h>
#include <stdio.h>

#include <flitloom/topo.h>

// An OTIS-Mesh by coordinates: groups are blocks, processors have their places in the block, and light is drawn as
// arcs.

bool loom_svg_blocks_suit(const struct loom_topo *topo); // an OTIS-Mesh that is small enough to be readable
// Finds the place of a node, in units of the distance between processors; the middle of node 0 is at 0, 0.
void loom_svg_blocks_place(double *x, double *y, const struct loom_topo *topo, uint32_t node);
double loom_svg_blocks_side(const struct loom_topo *topo); // from the first node's middle to the last one's

// The most by which an arc leaves the blocks, as a part of their side.
#define LOOM_SVG_ARC_ROOM 0.06

// Finds the point that bends an arc of light: on the right of the direction from one end to the other, so that the
// two directions of a link are two arcs.
void loom_svg_arc_bend(double *x, double *y, double from_x, double from_y, double to_x, double to_y);
// Finds a point of the arc. part: how much of the arc, 0 to 1, lies before it.
void loom_svg_arc_at(double *x, double *y, double from_x, double from_y, double to_x, double to_y, double part);

// Draws a frame round each group; node 0's middle is at x, y.
void loom_svg_blocks_frames(FILE *stream, const struct loom_topo *topo, double x, double y, double pitch);

#endif
