// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_SVG_MIN_H
#define LOOM_REPORT_SVG_MIN_H

// Declarations that report_svg_min.c, which draws, and report_svg_min_pass.c, which finds what to draw, share; no
// other file includes them.

#include "report/report_svg.h"
#include "topo/topo_min.h"

#define NAMED_MAX 64 // the most lines at which each bears its number and has a tooltip
#define NODE_ROOM 44 // the width beside the wiring for the nodes' numbers
#define TASK_ROOM 30 // the additional width for their tasks
#define STAGE_HEADING 26
#define STAGE_FOOT 40
#define NOBODY UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

// One pass of a panel.
struct loom_svg_stages_drawing {
	const struct loom_panel *panel;
	uint32_t pass;
	struct loom_min net;
	bool backward;
	uint32_t n, contention;
	// messages of the pass that cross the network in the other direction; they are not drawn
	uint32_t n_other_way;
	uint32_t *task;    // owned, per node: see loom_svg_tasks
	uint32_t *load;    // owned, [k * n + line]; the line is the one at which the wire begins
	uint32_t *source;  // owned, likewise: the source whose path it is, NOBODY or SEVERAL
	uint32_t *through; // owned, [(s * n + input line) * 2 + output]: the source whose path it is
	double room, pitch, box, gap, width, height; // room: the width beside the wiring, on each side
	struct loom_svg_waits waits;                 // owned
};

// Zero it first; free it in any case. LOOM_ENOMEM.
int loom_svg_stages_fill(struct loom_svg_stages_drawing *d, const struct loom_panel *panel, uint32_t pass);
void loom_svg_stages_free(struct loom_svg_stages_drawing *d);

// Returns the channel of the wire that begins at `line` of place k.
uint32_t loom_svg_channel_of(const struct loom_svg_stages_drawing *d, unsigned k, uint32_t line);

#endif
