// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A direct network with the way of every message of one pass, a line from a dot in the source to a ring in the destination.
// A network that can be drawn as it lies (report_svg_layout.h) has straight channels, two lanes side by side for the two
// directions; what leaves at an edge comes in at another. In any other, a cube for example, nodes lie in rows, and
// channels are curves, each on the right of the way it leads.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_svg.h"
#include "report/report_svg_layout.h"

#define PITCH_MIN 18.0
#define PITCH_MAX 64.0
#define PITCHES 760.0 // pixels that the longer side is about, between the two
#define ROW_MAX 1700  // pixels of drawings side by side
#define WIDTH_MIN 420 // a heading needs room
#define WIDTH_LEAST 720
#define NUMBER_MIN 6.5     // smaller ones are left out
#define NUMBERED_PITCH 22  // and in smaller pitches
#define IDLE_CURVES_MAX 64 // nodes up to which channels that carry nothing are drawn where they are curves
#define COLUMNS_MAX 64
#define FOOT 40
#define LEGEND_HEIGHT 86
#define LEGEND_LINE 22
// In parts of the pitch.
#define NODE 0.46    // side of a box
#define LANE 0.11    // from the middle of a link to a lane
#define CORNER 0.175 // from the middle of a box to where paths begin and end, clear of lanes
#define STUB 0.3     // out of an edge or in at one
#define BEND 0.3     // of a curve: from its middle to the point that bends it, and so much more for each pitch
#define BEND_MORE 0.17
#define BEND_TWIN 0.3

struct point {
	double x, y;
};

struct drawing {
	const struct loom_panel *panel;
	uint32_t pass;
	struct loom_svg_layout at;
	bool straight; // `at` holds; else nodes lie in rows of `columns`
	uint32_t columns, rows;
	uint32_t contention, n_messages, n_local;
	uint32_t *planned; // owned, per channel: messages of the plan
	double pitch, edge, width, height;
};

struct picture {
	FILE *stream;
	size_t n_drawings;
	struct drawing *drawings; // owned
	uint32_t max;
	double width, height;
	bool stacked, any_edge, any_local;
};

// A channel as it is drawn: two straight parts, the same where it leaves at no edge, or a curve.
struct line {
	struct point from, bend, to;
	struct point far_from, far_to; // the part at the other edge
	bool curved, edge;
};

// --- Where things are ----------------------------------------------------------------------------------------------

static const struct loom_topo *topo_of(const struct drawing *d)
{
	return &d->panel->plan->topo;
}

static struct point middle_of(const struct drawing *d, uint32_t node)
{
	uint32_t column = node % d->columns, row = node / d->columns;
	if (d->straight)
		loom_svg_place(&column, &row, &d->at, node);
	return (struct point){d->edge + (column + NODE / 2) * d->pitch, d->edge + (row + NODE / 2) * d->pitch};
}

static struct point move(struct point from, struct point way, double along, double right)
{
	return (struct point){from.x + along * way.x - right * way.y, from.y + along * way.y + right * way.x};
}

static struct point way_to(struct point from, struct point to)
{
	double length = hypot(to.x - from.x, to.y - from.y);
	return length > 0 ? (struct point){(to.x - from.x) / length, (to.y - from.y) / length} : (struct point){1, 0};
}

// How far the point lies aside that bends a curve of this length, the number `twin` of those between its ends.
static double bend_of(const struct drawing *d, double length, unsigned twin)
{
	return (BEND + twin * BEND_TWIN) * d->pitch + BEND_MORE * length;
}

// Links of u below k that lead to the same node, as the two directions of a ring of two do.
static unsigned twins_before(const struct loom_topo *topo, uint32_t u, unsigned k, uint32_t v)
{
	unsigned n = 0, q;
	for (unsigned p = 0; p < k; p++) {
		uint32_t other;
		n += topo->kind->link(topo, u, p, &other, &q) && other == v;
	}
	return n;
}

// False: there is no such link.
static bool line_of(struct line *out, const struct drawing *d, uint32_t channel)
{
	const struct loom_topo *topo = topo_of(d);
	uint32_t per_tile = loom_topo_channels_per_tile(topo), u = channel / per_tile, k = channel % per_tile, v;
	struct loom_svg_arrow a;
	unsigned q;
	if (k >= loom_topo_links(topo) || !topo->kind->link(topo, u, k, &v, &q))
		return false;
	struct point from = middle_of(d, u), to = middle_of(d, v);
	double out_of_box = NODE / 2 * d->pitch;
	if (!d->straight) {
		struct point way = way_to(from, to);
		double length = hypot(to.x - from.x, to.y - from.y);
		struct point bend = move(from, way, length / 2, bend_of(d, length, twins_before(topo, u, k, v)));
		*out = (struct line){.from = move(from, way_to(from, bend), out_of_box, 0),
		                     .bend = bend,
		                     .to = move(to, way_to(to, bend), out_of_box, 0),
		                     .curved = true};
		return true;
	}
	(void)loom_svg_arrow_of(&a, &d->at, u, k);
	struct point way = way_to((struct point){0, 0}, (struct point){a.dx, a.dy});
	double lane = LANE * d->pitch, stub = STUB * d->pitch;
	if (a.dx && a.dy)
		out_of_box *= sqrt(2);
	*out = (struct line){
		.from = move(from, way, out_of_box, lane), .to = move(to, way, -out_of_box, lane), .edge = a.edge};
	if (a.edge) {
		out->far_from = move(to, way, -out_of_box - stub, lane);
		out->far_to = out->to;
		out->to = move(from, way, out_of_box + stub, lane);
	}
	return true;
}

// Where a path begins and ends in a box, beside the number.
static struct point begin_in(const struct drawing *d, uint32_t node)
{
	struct point at = middle_of(d, node);
	return (struct point){at.x - CORNER * d->pitch, at.y + CORNER * d->pitch};
}

static struct point end_in(const struct drawing *d, uint32_t node)
{
	struct point at = middle_of(d, node);
	return (struct point){at.x + CORNER * d->pitch, at.y - CORNER * d->pitch};
}

// --- Measuring out -------------------------------------------------------------------------------------------------

// Dimensions that lie across, so many that the picture is about as wide as high. One alone is wrapped like text.
static void lay_out_rows(struct drawing *d)
{
	const struct loom_topo *topo = topo_of(d);
	uint32_t columns = 1;
	for (unsigned k = 0; k < topo->n_dims && (uint64_t)columns * columns < topo->n_nodes; k++)
		columns *= topo->extent[k];
	d->columns = columns > COLUMNS_MAX ? COLUMNS_MAX : columns;
	d->rows = (topo->n_nodes + d->columns - 1) / d->columns;
}

static bool is_drawn(const struct drawing *d, uint32_t channel)
{
	if (loom_topo_is_local(topo_of(d), channel) || !loom_topo_channel_exists(topo_of(d), channel))
		return false;
	return d->straight || topo_of(d)->n_nodes <= IDLE_CURVES_MAX || d->planned[channel] > 0 ||
	       loom_svg_load(d->panel, d->pass, channel) > 0;
}

// Beyond the boxes: stubs, or the highest curve.
static double edge_of(const struct drawing *d)
{
	double most = 4;
	if (d->straight)
		return d->at.edge_x || d->at.edge_y ? STUB * d->pitch + 8 : most;
	for (uint32_t c = 0; c < loom_topo_channels(topo_of(d)); c++) {
		struct line line;
		if (!is_drawn(d, c) || !line_of(&line, d, c))
			continue;
		struct point middle = {(line.from.x + line.to.x) / 2, (line.from.y + line.to.y) / 2};
		most = fmax(most, hypot(line.bend.x - middle.x, line.bend.y - middle.y) / 2);
	}
	return most;
}

static int fill_drawing(struct drawing *d, const struct loom_panel *panel)
{
	const struct loom_plan *plan = panel->plan;
	const struct loom_topo *topo = &plan->topo;
	d->panel = panel;
	d->pass = panel->pass ? *panel->pass : loom_svg_worst_pass(panel);
	d->straight = loom_svg_lay_out(&d->at, topo);
	d->planned = calloc(loom_topo_channels(topo), sizeof *d->planned);
	if (!d->planned)
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
	d->pitch = fmin(fmax(PITCHES / (d->columns > d->rows ? d->columns : d->rows), PITCH_MIN), PITCH_MAX);
	d->edge = edge_of(d);
	d->width = fmax((d->columns - 1 + NODE) * d->pitch + 2 * d->edge, WIDTH_MIN);
	d->height = LOOM_SVG_HEADING + (d->rows - 1 + NODE) * d->pitch + 2 * d->edge + FOOT;
	return 0;
}

// --- Drawing -------------------------------------------------------------------------------------------------------

static double stroke_of(const struct drawing *d)
{
	return fmin(fmax(d->pitch / 24, 1.1), 2.4);
}

static void put_line(FILE *stream, const struct line *line)
{
	if (line->curved)
		(void)fprintf(stream, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", line->from.x, line->from.y, line->bend.x,
		              line->bend.y, line->to.x, line->to.y);
	else
		(void)fprintf(stream, "M%.1f %.1fL%.1f %.1f", line->from.x, line->from.y, line->to.x, line->to.y);
	if (line->edge)
		(void)fprintf(stream, "M%.1f %.1fL%.1f %.1f", line->far_from.x, line->far_from.y, line->far_to.x,
		              line->far_to.y);
}

// Channels without a path: idle, or (in ink) with what the plan has elsewhere.
static void put_other_channels(const struct picture *p, const struct drawing *d)
{
	for (uint32_t c = 0; c < loom_topo_channels(topo_of(d)); c++) {
		struct line line;
		uint32_t load = loom_topo_is_local(topo_of(d), c) ? 0 : loom_svg_load(d->panel, d->pass, c);
		if (d->planned[c] > 0 || !is_drawn(d, c) || !line_of(&line, d, c))
			continue;
		(void)fprintf(p->stream, "<path stroke=\"%s\" stroke-width=\"0.8\" d=\"",
		              load ? LOOM_REPORT_INK : LOOM_SVG_IDLE);
		put_line(p->stream, &line);
		(void)fputs("\"/>\n", p->stream);
	}
}

static void put_nodes(const struct picture *p, const struct drawing *d)
{
	double side = NODE * d->pitch;
	for (uint32_t node = 0; node < topo_of(d)->n_nodes; node++) {
		struct point at = middle_of(d, node);
		(void)fprintf(p->stream,
		              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" "
		              "fill=\"" LOOM_SVG_BOX "\" stroke=\"" LOOM_SVG_EDGE
		              "\" stroke-width=\"0.8\"><title>node %" PRIu32 "</title></rect>\n",
		              at.x - side / 2, at.y - side / 2, side, side, side / 8, node);
	}
}

// Above the boxes' lines, which pass beneath.
static void put_numbers(const struct picture *p, const struct drawing *d)
{
	char text[16];
	(void)snprintf(text, sizeof text, "%" PRIu32, topo_of(d)->n_nodes - 1);
	double side = NODE * d->pitch, size = fmin(10, (side - 4) / loom_svg_width(text, 1, false));
	if (size < NUMBER_MIN || d->pitch < NUMBERED_PITCH)
		return;
	for (uint32_t node = 0; node < topo_of(d)->n_nodes; node++) {
		struct point at = middle_of(d, node);
		(void)snprintf(text, sizeof text, "%" PRIu32, node);
		loom_svg_text(p->stream, at.x, at.y + 0.36 * size, size, side,
		              "fill=\"" LOOM_REPORT_INK "\" text-anchor=\"middle\"", text);
	}
}

// One line from dot to ring: through the boxes on the way, and over the channels.
static void put_path(const struct picture *p, const struct drawing *d, size_t message)
{
	const struct loom_plan *plan = d->panel->plan;
	const struct loom_plan_message *m = &plan->messages[message];
	uint32_t source = plan->map[m->source], destination = plan->map[m->destination], channel, n = 0;
	struct point begin = begin_in(d, source), end = end_in(d, destination);
	double radius = fmax(1.2, d->pitch * 0.045);
	struct loom_route route;
	char colour[8];
	loom_report_path_colour(colour, source, plan->topo.n_nodes);
	(void)fprintf(p->stream, "<path stroke=\"%s\" stroke-width=\"%.2f\" d=\"M%.1f %.1f", colour, stroke_of(d),
	              begin.x, begin.y);
	loom_route_begin(&route, &plan->topo, source, destination, (enum loom_rule)m->rule);
	while (loom_route_next(&route, &channel)) {
		struct line line;
		if (!line_of(&line, d, channel))
			continue;
		(void)fprintf(p->stream, "L%.1f %.1f", line.from.x, line.from.y);
		put_line(p->stream, &line);
		n++;
	}
	(void)fprintf(p->stream,
	              "L%.1f %.1f\"><title>message %zu: node %" PRIu32 " to %" PRIu32 ", %" PRIu32
	              " channels</title></path>\n",
	              end.x, end.y, message, source, destination, n);
	(void)fprintf(p->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n", begin.x, begin.y, radius,
	              colour);
	(void)fprintf(
		p->stream,
		"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#fff\" stroke=\"%s\" stroke-width=\"%.2f\"/>\n",
		end.x, end.y, radius, colour, radius / 2);
}

static void put_conflicts(const struct picture *p, const struct drawing *d)
{
	for (uint32_t c = 0; c < loom_topo_channels(topo_of(d)); c++) {
		struct line line;
		char name[48];
		uint32_t load = loom_topo_is_local(topo_of(d), c) ? 0 : loom_svg_load(d->panel, d->pass, c);
		if (load < 2 || !line_of(&line, d, c))
			continue;
		(void)fprintf(p->stream, "<path stroke=\"" LOOM_SVG_CONFLICT "\" stroke-width=\"%.2f\" d=\"",
		              1.5 * stroke_of(d));
		put_line(p->stream, &line);
		loom_topo_channel_name(topo_of(d), c, name);
		(void)fputs("\"><title>", p->stream);
		loom_svg_escaped(p->stream, name);
		(void)fprintf(p->stream, ": %" PRIu32 " messages</title></path>\n", load);
	}
}

static void put_foot(const struct picture *p, const struct drawing *d, double x, double y)
{
	char text[128];
	(void)snprintf(text, sizeof text, "%" PRIu32 " message%s on the way%s", d->n_messages,
	               d->n_messages == 1 ? "" : "s",
	               d->contention > 1 ? "" : ", no two of them on one channel of the network");
	loom_svg_text(p->stream, x, y, 12.5, d->width, "fill=\"" LOOM_REPORT_INK "\"", text);
}

static void put_drawing(const struct picture *p, const struct drawing *d, double x, double y)
{
	const struct loom_plan *plan = d->panel->plan;
	char title[256];
	loom_svg_title(title, sizeof title, d->panel, &d->pass);
	loom_svg_heading(p->stream, d->panel, title, d->contention, p->max, d->width, x, y);
	(void)fprintf(p->stream,
	              "<g transform=\"translate(%g %g)\" fill=\"none\" stroke-linecap=\"round\" "
	              "stroke-linejoin=\"round\">\n",
	              x, y + LOOM_SVG_HEADING);
	put_other_channels(p, d);
	put_nodes(p, d);
	for (size_t i = 0; i < plan->n_messages; i++)
		if (plan->messages[i].pass == d->pass && loom_plan_uses_network(plan, &plan->messages[i]))
			put_path(p, d, i);
	put_conflicts(p, d);
	put_numbers(p, d);
	(void)fputs("</g>\n", p->stream);
	put_foot(p, d, x, y + d->height - FOOT / 2.0);
}

static void put_legend(const struct picture *p, double y)
{
	char text[160];
	(void)loom_svg_legend_sources(p->stream, LOOM_SVG_MARGIN, y,
	                              "path of a message, from dot to ring, coloured by its source");
	y += LEGEND_LINE;
	double x = loom_svg_legend_line(p->stream, LOOM_SVG_MARGIN, y, LOOM_SVG_CONFLICT, "needed by several");
	(void)loom_svg_legend_line(p->stream, x, y, LOOM_SVG_IDLE, "idle");
	(void)snprintf(text, sizeof text, "%s%s%s", p->any_edge ? "What leaves at an edge comes in at another." : "",
	               p->any_edge && p->any_local ? " " : "",
	               p->any_local ? "Messages to oneself stay in their nodes." : "");
	loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 36, 11.5, p->width - 2 * LOOM_SVG_MARGIN,
	              "fill=\"" LOOM_SVG_GREY "\"", text);
}

// --- The whole -----------------------------------------------------------------------------------------------------

static void arrange(struct picture *p)
{
	double across = 0, down = 0, widest = 0, tallest = 0;
	for (size_t i = 0; i < p->n_drawings; i++) {
		const struct drawing *d = &p->drawings[i];
		across += d->width + (i ? LOOM_SVG_GAP : 0);
		down += d->height + (i ? LOOM_SVG_GAP : 0);
		widest = fmax(widest, d->width);
		tallest = fmax(tallest, d->height);
		p->max = d->contention > p->max ? d->contention : p->max;
		p->any_edge = p->any_edge || (d->straight && (d->at.edge_x || d->at.edge_y));
		p->any_local = p->any_local || d->n_local > 0;
	}
	p->stacked = across > ROW_MAX;
	p->width = fmax(2 * LOOM_SVG_MARGIN + (p->stacked ? widest : across), WIDTH_LEAST);
	p->height = LOOM_SVG_TITLE + 22 + (p->stacked ? down : tallest) + 14 + LEGEND_HEIGHT;
}

int loom_svg_paths(FILE *stream, const struct loom_panel *panels, size_t n_panels)
{
	struct picture p = {.stream = stream};
	double x = LOOM_SVG_MARGIN, y = LOOM_SVG_TITLE + 22;
	int rc = 0;
	p.drawings = calloc(n_panels, sizeof *p.drawings);
	if (!p.drawings)
		return LOOM_ENOMEM;
	for (size_t i = 0; rc == 0 && i < n_panels; i++)
		rc = fill_drawing(&p.drawings[p.n_drawings++], &panels[i]);
	if (rc != 0)
		goto out;
	arrange(&p);
	loom_svg_begin(stream, p.width, p.height, panels[0].plan);
	loom_svg_darken(stream);
	for (size_t i = 0; i < p.n_drawings; i++) {
		put_drawing(&p, &p.drawings[i], x, y);
		if (p.stacked)
			y += p.drawings[i].height + LOOM_SVG_GAP;
		else
			x += p.drawings[i].width + LOOM_SVG_GAP;
	}
	put_legend(&p, p.height - LEGEND_HEIGHT);
	(void)fputs("</svg>\n", stream);
out:
	for (size_t i = 0; i < p.n_drawings; i++)
		free(p.drawings[i].planned);
	free(p.drawings);
	return rc;
}
