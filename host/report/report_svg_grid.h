// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_GRID_H
#define LOOM_REPORT_SVG_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "report/report_svg.h"
#include "report/report_svg_layout.h"
#include "report/report_svg_loads.h"
#include "report/report_svg_places.h"

// Declarations shared by the files that draw a direct network by coordinates.

#define LOOM_GRID_FONT_MIN 6.5 // smaller numbers are left out
// In parts of the pitch, the distance from node to node.
#define LOOM_GRID_NODE 0.44 // the side of a box
#define LOOM_GRID_STUB 0.4  // the length of an arrow out of an edge or in at one

struct loom_grid_drawing {
	const struct loom_panel *panel;
	struct loom_svg_layout at;
	struct loom_svg_places places; // owned; for a graph, instead of `at`
	uint32_t n_sets;
	struct loom_svg_set *sets;                 // owned
	uint32_t *load;                            // owned, by channel: its largest load in the passes drawn
	uint32_t contention, heaviest, n_heaviest; // heaviest: the first channel with that load
	uint32_t *task;                            // owned, by node, if tasks were placed; else NULL
	uint32_t bars;                             // bars side by side
	// numbered: numbers fit into the nodes; beside: else, if there is room, beside rows and columns
	bool numbered, beside;
	double pitch, edge_x, edge_y, width, height;
	struct loom_svg_waits waits; // owned
};

struct loom_grid_picture {
	FILE *stream;
	size_t n_drawings;
	struct loom_grid_drawing *drawings; // owned
	uint32_t max;
	bool in_flits; // loads are in flits, else in messages
	struct loom_svg_sheet sheet;
	struct loom_svg_delays *delays; // borrowed; for the drawing whose slow links are being drawn
};

// In report_svg_grid_channels.c:
// Returns the middle of a node's box, if the grid's upper left corner is at `origin`.
struct loom_svg_point loom_grid_middle(const struct loom_grid_drawing *d, struct loom_svg_point origin, uint32_t node);
// Draws an arrow for every channel.
void loom_grid_channels(const struct loom_grid_picture *p, const struct loom_grid_drawing *d,
                        struct loom_svg_point origin);

#endif
