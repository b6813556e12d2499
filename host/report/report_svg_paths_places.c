// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds where nodes and channels lie in a picture of paths.
#include "report/report_svg_paths.h"

#include <math.h>
#include <stdlib.h>

#define PITCH_MIN 18.0
#define PITCH_MAX 64.0
#define PITCHES 760.0      // pixels that the longer side is about, between the two
#define WIDTH_MIN 420      // a heading needs room
#define IDLE_CURVES_MAX 64 // nodes up to which channels that carry nothing are drawn where they are curves
#define COLUMNS_MAX 64
// In parts of the pitch.
#define LANE 0.11    // from the middle of a link to a lane
#define CORNER 0.175 // from the middle of a box to where paths begin and end, clear of lanes
#define STUB 0.3     // out of an edge or in at one
#define BEND 0.3     // of a curve: from its middle to the point that bends it, and BEND_MORE more for each pitch
#define BEND_MORE 0.17
#define BEND_TWIN 0.3

// --- Where things are ----------------------------------------------------------------------------------------------

const struct loom_topo *loom_paths_topo(const struct loom_paths_drawing *d)
{
	return &d->panel->plan->topo;
}

struct loom_svg_point loom_paths_middle(const struct loom_paths_drawing *d, uint32_t node)
{
	uint32_t column = node % d->columns, row = node / d->columns;
	if (d->places.at)
		return (struct loom_svg_point){d->edge + (d->places.at[node].x + LOOM_PATHS_BOX / 2) * d->pitch,
		                               d->edge + (d->places.at[node].y + LOOM_PATHS_BOX / 2) * d->pitch};
	if (d->straight)
		loom_svg_place(&column, &row, &d->at, node);
	return (struct loom_svg_point){d->edge + (column + LOOM_PATHS_BOX / 2) * d->pitch,
	                               d->edge + (row + LOOM_PATHS_BOX / 2) * d->pitch};
}

static struct loom_svg_point way_to(struct loom_svg_point from, struct loom_svg_point to)
{
	double length = hypot(to.x - from.x, to.y - from.y);
	return length > 0 ? (struct loom_svg_point){(to.x - from.x) / length, (to.y - from.y) / length}
	                  : (struct loom_svg_point){1, 0};
}

// The distance by which the point lies aside that bends a curve of this length, the number `twin` of those between its
// ends.
static double bend_of(const struct loom_paths_drawing *d, double length, unsigned twin)
{
	return (BEND + twin * BEND_TWIN) * d->pitch + BEND_MORE * length;
}

bool loom_paths_line_of(struct loom_paths_line *out, const struct loom_paths_drawing *d, uint32_t channel)
{
	const struct loom_topo *topo = loom_paths_topo(d);
	uint32_t per_tile = loom_topo_channels_per_tile(topo), u = channel / per_tile, k = channel % per_tile, v;
	struct loom_svg_arrow a;
	unsigned q;
	if (k >= loom_topo_links(topo) || !topo->kind->link(topo, u, k, &v, &q))
		return false;
	struct loom_svg_point from = loom_paths_middle(d, u), to = loom_paths_middle(d, v);
	double out_of_box = LOOM_PATHS_BOX / 2 * d->pitch;
	if (!d->straight) {
		struct loom_svg_point way = way_to(from, to);
		double length = hypot(to.x - from.x, to.y - from.y);
		struct loom_svg_point bend = loom_svg_beside(from, way, length / 2,
		                                             bend_of(d, length, loom_svg_twins_before(topo, u, k, v)));
		*out = (struct loom_paths_line){.from = loom_svg_beside(from, way_to(from, bend), out_of_box, 0),
		                                .bend = bend,
		                                .to = loom_svg_beside(to, way_to(to, bend), out_of_box, 0),
		                                .curved = true};
		return true;
	}
	(void)loom_svg_arrow_of(&a, &d->at, u, k);
	struct loom_svg_point way = way_to((struct loom_svg_point){0, 0}, (struct loom_svg_point){a.dx, a.dy});
	double lane = LANE * d->pitch, stub = STUB * d->pitch;
	if (a.dx && a.dy)
		out_of_box *= sqrt(2);
	*out = (struct loom_paths_line){.from = loom_svg_beside(from, way, out_of_box, lane),
	                                .to = loom_svg_beside(to, way, -out_of_box, lane),
	                                .edge = a.edge};
	if (a.edge) {
		out->far_from = loom_svg_beside(to, way, -out_of_box - stub, lane);
		out->far_to = out->to;
		out->to = loom_svg_beside(from, way, out_of_box + stub, lane);
	}
	return true;
}

struct loom_svg_point loom_paths_begin(const struct loom_paths_drawing *d, uint32_t node)
{
	struct loom_svg_point at = loom_paths_middle(d, node);
	return (struct loom_svg_point){at.x - CORNER * d->pitch, at.y + CORNER * d->pitch};
}

struct loom_svg_point loom_paths_end(const struct loom_paths_drawing *d, uint32_t node)
{
	struct loom_svg_point at = loom_paths_middle(d, node);
	return (struct loom_svg_point){at.x + CORNER * d->pitch, at.y - CORNER * d->pitch};
}

// --- Measuring out -------------------------------------------------------------------------------------------------

// Chooses how many dimensions lie across, for a picture about as wide as high. One alone is wrapped like text.
static void lay_out_rows(struct loom_paths_drawing *d)
{
	const struct loom_topo *topo = loom_paths_topo(d);
	uint32_t columns = 1;
	for (unsigned k = 0; k < topo->n_dims && (uint64_t)columns * columns < topo->n_nodes; k++)
		columns *= topo->extent[k];
	d->columns = columns > COLUMNS_MAX ? COLUMNS_MAX : columns;
	d->rows = (topo->n_nodes + d->columns - 1) / d->columns;
}

bool loom_paths_is_drawn(const struct loom_paths_drawing *d, uint32_t channel)
{
	if (loom_topo_is_local(loom_paths_topo(d), channel) || !loom_topo_channel_exists(loom_paths_topo(d), channel))
		return false;
	return d->straight || loom_paths_topo(d)->n_nodes <= IDLE_CURVES_MAX || d->planned[channel] > 0 ||
	       loom_svg_load(d->panel, d->pass, channel) > 0;
}

// Beyond the boxes: stubs, or the highest curve.
static double edge_of(const struct loom_paths_drawing *d)
{
	double most = 4;
	if (d->straight)
		return d->at.edge_x || d->at.edge_y ? STUB * d->pitch + 8 : most;
	for (uint32_t c = 0; c < loom_topo_channels(loom_paths_topo(d)); c++) {
		struct loom_paths_line line;
		if (!loom_paths_is_drawn(d, c) || !loom_paths_line_of(&line, d, c))
			continue;
		struct loom_svg_point middle = {(line.from.x + line.to.x) / 2, (line.from.y + line.to.y) / 2};
		most = fmax(most, hypot(line.bend.x - middle.x, line.bend.y - middle.y) / 2);
	}
	return most;
}

int loom_paths_fill(struct loom_paths_drawing *d, const struct loom_panel *panel)
{
	const struct loom_plan *plan = panel->plan;
	const struct loom_topo *topo = &plan->topo;
	d->panel = panel;
	d->pass = panel->pass ? *panel->pass : loom_svg_worst_pass(panel);
	d->straight = loom_svg_lay_out(&d->at, topo);
	if (loom_svg_places_make(&d->places, topo) != 0)
		return LOOM_ENOMEM;
	d->planned = calloc(loom_topo_channels(topo), sizeof *d->planned);
	if (!d->planned || loom_svg_tasks(&d->task, plan) != 0 || loom_svg_waits_make(&d->waits, panel) != 0)
		return LOOM_ENOMEM;
	for (size_t i = 0; i < plan->n_messages; i++) {
		bool here = plan->messages[i].pass == d->pass, goes = loom_plan_uses_network(plan, &plan->messages[i]);
		d->n_messages += here && goes;
		d->n_local += here && !goes;
	}
	for (uint32_t c = 0; c < loom_topo_channels(topo); c++) {
		d->planned[c] = plan->load[(size_t)d->pass * loom_topo_channels(topo) + c];
		uint32_t load = loom_topo_is_local(topo, c) ? 0 : loom_svg_load(panel, d->pass, c);
		d->contention = load > d->contention ? load : d->contention;
	}
	lay_out_rows(d);
	if (d->straight) {
		d->columns = d->at.columns;
		d->rows = d->at.rows;
	}
	double across = d->places.at ? d->places.width : d->columns - 1;
	double down = d->places.at ? d->places.height : d->rows - 1;
	d->pitch = fmin(fmax(PITCHES / (fmax(across, down) + 1), PITCH_MIN), PITCH_MAX);
	d->edge = edge_of(d);
	d->width = fmax((across + LOOM_PATHS_BOX) * d->pitch + 2 * d->edge, WIDTH_MIN);
	d->height = LOOM_SVG_HEADING + (down + LOOM_PATHS_BOX) * d->pitch + 2 * d->edge + LOOM_PATHS_FOOT;
	return 0;
}
