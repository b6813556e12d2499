// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_PATHS_H
#define LOOM_REPORT_SVG_PATHS_H

// Declarations that report_svg_paths.c, which draws, and report_svg_paths_places.c, which finds the places, share; no
// other file includes them.

#include <stdbool.h>
#include <stdint.h>

#include "report/report_svg.h"
#include "report/report_svg_layout.h"
#include "report/report_svg_places.h"

#define LOOM_PATHS_BOX 0.46 // side of a node's box, in parts of the pitch
#define LOOM_PATHS_FOOT 40  // the height below the nodes

// One pass of a panel. Free `planned`, `task`, `places` and `waits`.
struct loom_paths_drawing {
	const struct loom_panel *panel;
	uint32_t pass;
	struct loom_svg_layout at;
	struct loom_svg_places places; // owned; for a graph
	bool straight;                 // `at` is used; else nodes lie in rows of `columns`
	uint32_t columns, rows;
	uint32_t contention, n_messages, n_local;
	uint32_t *planned; // owned, by channel: messages of the plan
	uint32_t *task;    // owned, per node: see loom_svg_tasks
	double pitch, edge, width, height;
	struct loom_svg_waits waits; // owned
};

// The line of a channel: a straight part, two if it leaves at an edge, or a curve.
struct loom_paths_line {
	struct loom_svg_point from, bend, to;
	struct loom_svg_point far_from, far_to; // the part at the other edge
	bool curved, edge;
};

const struct loom_topo *loom_paths_topo(const struct loom_paths_drawing *d);
int loom_paths_fill(struct loom_paths_drawing *d, const struct loom_panel *panel); // zero it first; 0 or LOOM_ENOMEM
struct loom_svg_point loom_paths_middle(const struct loom_paths_drawing *d, uint32_t node);
// Return the points at which a path begins and ends in a box, beside the number.
struct loom_svg_point loom_paths_begin(const struct loom_paths_drawing *d, uint32_t node);
struct loom_svg_point loom_paths_end(const struct loom_paths_drawing *d, uint32_t node);
// False: there is no such link.
bool loom_paths_line_of(struct loom_paths_line *out, const struct loom_paths_drawing *d, uint32_t channel);
bool loom_paths_is_drawn(const struct loom_paths_drawing *d, uint32_t channel);

#endif
