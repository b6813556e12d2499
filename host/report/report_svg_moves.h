// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_MOVES_H
#define LOOM_REPORT_SVG_MOVES_H

#include "report/report_svg.h"

// Declarations shared by the files that draw moves on an OTIS-Mesh.

#define LOOM_MOVES_STEP 0.9 // the seconds of a step
#define LOOM_MOVES_WAY 0.6  // the part of it in which items move
#define LOOM_MOVES_BEFORE 1.2
#define LOOM_MOVES_AFTER 2.6

struct loom_moves_drawing {
	const struct loom_panel *panel;
	double x, y, pitch; // x, y: the middle of node 0; pitch: the distance from processor to processor
	double seconds;     // seconds of a round of the animation
	uint32_t n_steps;
	const uint32_t *pass; // not NULL: only this pass, without animation
};

// In report_svg_moves_items.c:
struct loom_svg_point loom_moves_middle(const struct loom_moves_drawing *d, uint32_t node);
double loom_moves_time(const struct loom_moves_drawing *d, uint32_t step); // when the step begins, 0 to 1
// Draws a dot for each item at its first place, or at that before the pass that is drawn, in the colour of its
// destination, with its moves from step to step. LOOM_ENOMEM.
int loom_moves_items(FILE *stream, const struct loom_moves_drawing *d);

#endif
