// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A direct network with the way of every message of one pass, a line from a dot in the source to a ring in the destination.
// A network that can be drawn as it lies (report_svg_layout.h) has straight channels, two lanes side by side for the two
// directions; what leaves at an edge comes in at another. In any other, a cube for example, nodes lie in rows, and
// channels are curves, each on the right of the way it leads.
#include "report/report_svg_paths.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report/report_svg_slow.h"

#define NUMBER_MIN 6.5    // smaller ones are left out
#define NUMBERED_PITCH 22 // and in smaller pitches
#define SLOW 0.3          // of a line, up to the bar of a slow link
#define LEGEND_HEIGHT 86
#define LEGEND_LINE 22

struct picture {
	FILE *stream;
	size_t n_drawings;
	struct loom_paths_drawing *drawings; // owned
	uint32_t max;
	struct loom_svg_sheet sheet;
	bool any_edge, any_local, tells_tasks;
};

// --- Drawing -------------------------------------------------------------------------------------------------------

static double stroke_of(const struct loom_paths_drawing *d)
{
	return fmin(fmax(d->pitch / 24, 1.1), 2.4);
}

static void put_line(FILE *stream, const struct loom_paths_line *line)
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
static void put_other_channels(const struct picture *p, const struct loom_paths_drawing *d)
{
	for (uint32_t c = 0; c < loom_topo_channels(loom_paths_topo(d)); c++) {
		struct loom_paths_line line;
		uint32_t load = loom_topo_is_local(loom_paths_topo(d), c) ? 0 : loom_svg_load(d->panel, d->pass, c);
		if (d->planned[c] > 0 || !loom_paths_is_drawn(d, c) || !loom_paths_line_of(&line, d, c))
			continue;
		(void)fprintf(p->stream, "<path stroke=\"%s\" stroke-width=\"0.8\" d=\"",
		              load ? LOOM_REPORT_INK : LOOM_SVG_IDLE);
		put_line(p->stream, &line);
		(void)fputs("\"/>\n", p->stream);
	}
}

static void put_nodes(const struct picture *p, const struct loom_paths_drawing *d)
{
	char name[LOOM_SVG_NODE_NAME];
	double side = LOOM_PATHS_BOX * d->pitch;
	for (uint32_t node = 0; node < loom_paths_topo(d)->n_nodes; node++) {
		struct loom_svg_point at = loom_paths_middle(d, node);
		(void)fprintf(p->stream,
		              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" "
		              "fill=\"" LOOM_SVG_BOX "\" stroke=\"" LOOM_SVG_EDGE
		              "\" stroke-width=\"0.8\"><title>node ",
		              at.x - side / 2, at.y - side / 2, side, side, side / 8);
		loom_svg_node_name(name, loom_paths_topo(d), node);
		loom_svg_escaped(p->stream, name);
		if (d->task && d->task[node] != LOOM_SVG_NO_TASK)
			(void)fprintf(p->stream, ", task %" PRIu32, d->task[node]);
		(void)fputs("</title></rect>\n", p->stream);
	}
}

static double number_size(const struct loom_paths_drawing *d)
{
	char text[16];
	(void)snprintf(text, sizeof text, "%" PRIu32, loom_paths_topo(d)->n_nodes - 1);
	return fmin(10, (LOOM_PATHS_BOX * d->pitch - 4) / loom_svg_width(text, 1, false));
}

static bool is_numbered(const struct loom_paths_drawing *d)
{
	return number_size(d) >= NUMBER_MIN && d->pitch >= NUMBERED_PITCH;
}

// Draws a task's number below the box, on the ground's colour.
static void put_task(const struct picture *p, const struct loom_paths_drawing *d, uint32_t task,
                     struct loom_svg_point at)
{
	char text[16];
	(void)snprintf(text, sizeof text, "t%" PRIu32, task);
	loom_svg_text(p->stream, at.x, at.y + LOOM_PATHS_BOX / 2 * d->pitch + NUMBER_MIN, NUMBER_MIN, d->pitch,
	              "fill=\"" LOOM_SVG_GREY "\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\" "
	              "text-anchor=\"middle\"",
	              text);
}

// Draws the numbers above the boxes' lines, which pass beneath.
static void put_numbers(const struct picture *p, const struct loom_paths_drawing *d)
{
	char text[LOOM_SVG_NODE_NAME];
	double side = LOOM_PATHS_BOX * d->pitch, size = number_size(d);
	if (!is_numbered(d))
		return;
	for (uint32_t node = 0; node < loom_paths_topo(d)->n_nodes; node++) {
		struct loom_svg_point at = loom_paths_middle(d, node);
		loom_svg_node_name(text, loom_paths_topo(d), node);
		loom_svg_text(p->stream, at.x, at.y + 0.36 * size, size, side,
		              "fill=\"" LOOM_REPORT_INK "\" text-anchor=\"middle\"", text);
		if (d->task && d->task[node] != LOOM_SVG_NO_TASK)
			put_task(p, d, d->task[node], at);
	}
}

// Draws one line from dot to ring: through the boxes on the way, and over the channels.
static void put_path(const struct picture *p, const struct loom_paths_drawing *d, size_t message)
{
	const struct loom_plan *plan = d->panel->plan;
	const struct loom_plan_message *m = &plan->messages[message];
	uint32_t source = plan->map[m->source], destination = plan->map[m->destination], channel, n = 0;
	struct loom_svg_point begin = loom_paths_begin(d, source), end = loom_paths_end(d, destination);
	double radius = fmax(1.2, d->pitch * 0.045);
	struct loom_route route;
	char colour[8];
	loom_report_path_colour(colour, source, plan->topo.n_nodes);
	(void)fprintf(p->stream, "<path stroke=\"%s\" stroke-width=\"%.2f\" d=\"M%.1f %.1f", colour, stroke_of(d),
	              begin.x, begin.y);
	loom_plan_route_begin(&route, plan, message);
	while (loom_route_next(&route, &channel)) {
		struct loom_paths_line line;
		if (!loom_paths_line_of(&line, d, channel))
			continue;
		(void)fprintf(p->stream, "L%.1f %.1f", line.from.x, line.from.y);
		put_line(p->stream, &line);
		n++;
	}
	(void)fprintf(p->stream,
	              "L%.1f %.1f\"><title>message %zu: node %" PRIu32 " to %" PRIu32 ", %" PRIu32 " channels", end.x,
	              end.y, message, source, destination, n);
	loom_svg_waits_message(p->stream, &d->waits, message);
	(void)fputs("</title></path>\n", p->stream);
	(void)fprintf(p->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n", begin.x, begin.y, radius,
	              colour);
	(void)fprintf(
		p->stream,
		"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#fff\" stroke=\"%s\" stroke-width=\"%.2f\"/>\n",
		end.x, end.y, radius, colour, radius / 2);
}

static void put_conflicts(const struct picture *p, const struct loom_paths_drawing *d)
{
	for (uint32_t c = 0; c < loom_topo_channels(loom_paths_topo(d)); c++) {
		struct loom_paths_line line;
		char name[48];
		uint32_t load = loom_topo_is_local(loom_paths_topo(d), c) ? 0 : loom_svg_load(d->panel, d->pass, c);
		if (load < 2 || !loom_paths_line_of(&line, d, c))
			continue;
		(void)fprintf(p->stream, "<path stroke=\"" LOOM_SVG_CONFLICT "\" stroke-width=\"%.2f\" d=\"",
		              1.5 * stroke_of(d));
		put_line(p->stream, &line);
		loom_topo_channel_name(loom_paths_topo(d), c, name);
		(void)fputs("\"><title>", p->stream);
		loom_svg_escaped(p->stream, name);
		(void)fprintf(p->stream, ": %" PRIu32 " messages", load);
		loom_svg_slow_title(p->stream, loom_paths_topo(d), c);
		loom_svg_waits_channel(p->stream, &d->waits, &d->pass, c);
		(void)fputs("</title></path>\n", p->stream);
	}
}

static void put_slow(const struct picture *p, const struct loom_paths_drawing *d)
{
	const struct loom_topo *topo = loom_paths_topo(d);
	struct loom_svg_delays written = {0};
	for (uint32_t c = 0; topo->link_delay > 0 && c < loom_topo_channels(topo); c++) {
		struct loom_paths_line line;
		if (!loom_paths_is_drawn(d, c) || !loom_paths_line_of(&line, d, c))
			continue;
		const double dx = line.to.x - line.from.x, dy = line.to.y - line.from.y, length = hypot(dx, dy);
		struct loom_svg_point at = {line.from.x + SLOW * dx, line.from.y + SLOW * dy};
		if (line.curved) {
			const double aside = 2 * SLOW * (1 - SLOW); // the weight of the point that bends it
			at.x += aside * (line.bend.x - (line.from.x + line.to.x) / 2);
			at.y += aside * (line.bend.y - (line.from.y + line.to.y) / 2);
		}
		loom_svg_slow_bar(p->stream, topo, c,
		                  &(struct loom_svg_slow){.x = at.x,
		                                          .y = at.y,
		                                          .way_x = length > 0 ? dx / length : 1,
		                                          .way_y = length > 0 ? dy / length : 0,
		                                          .half = stroke_of(d),
		                                          .pitch = d->pitch},
		                  &written);
	}
}

static void put_foot(const struct picture *p, const struct loom_paths_drawing *d, double x, double y)
{
	char text[128];
	(void)snprintf(text, sizeof text, "%" PRIu32 " message%s on the way%s", d->n_messages,
	               d->n_messages == 1 ? "" : "s",
	               d->contention > 1 ? "" : ", no two of them on one channel of the network");
	loom_svg_text(p->stream, x, y, 12.5, d->width, "fill=\"" LOOM_REPORT_INK "\"", text);
}

static void put_drawing(const struct picture *p, const struct loom_paths_drawing *d, double x, double y)
{
	const struct loom_plan *plan = d->panel->plan;
	char title[256];
	loom_svg_title(title, sizeof title, d->panel, &d->pass);
	loom_svg_heading(p->stream, d->panel, title,
	                 &(struct loom_svg_sums){.load = d->contention, .max = p->max, .waits = &d->waits}, d->width, x,
	                 y);
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
	put_slow(p, d);
	put_numbers(p, d);
	(void)fputs("</g>\n", p->stream);
	put_foot(p, d, x, y + d->height - LOOM_PATHS_FOOT / 2.0);
}

static void put_legend(const struct picture *p, double y)
{
	char text[160], slow[LOOM_SVG_SLOW_TEXT];
	const bool is_slow = loom_svg_slow_legend(slow, loom_paths_topo(&p->drawings[0]));
	(void)loom_svg_legend_sources(p->stream, LOOM_SVG_MARGIN, y,
	                              "path of a message, from dot to ring, coloured by its source");
	y += LEGEND_LINE;
	double x = loom_svg_legend_line(p->stream, LOOM_SVG_MARGIN, y, LOOM_SVG_CONFLICT, "needed by several");
	(void)loom_svg_legend_line(p->stream, x, y, LOOM_SVG_IDLE, "idle");
	(void)snprintf(text, sizeof text, "%s%s%s", p->any_edge ? "What leaves at an edge comes in at another. " : "",
	               p->any_local ? "Messages to oneself stay in their nodes. " : "",
	               p->tells_tasks ? "Below a node: t and the number of its task." : "");
	loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 36, 11.5, p->sheet.width - 2 * LOOM_SVG_MARGIN,
	              "fill=\"" LOOM_SVG_GREY "\"", text);
	if (is_slow)
		loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 52, 11.5, p->sheet.width - 2 * LOOM_SVG_MARGIN,
		              "fill=\"" LOOM_SVG_GREY "\"", slow);
}

// --- The whole -----------------------------------------------------------------------------------------------------

static void arrange(struct picture *p)
{
	for (size_t i = 0; i < p->n_drawings; i++) {
		const struct loom_paths_drawing *d = &p->drawings[i];
		loom_svg_sheet_add(&p->sheet, d->width, d->height);
		p->max = d->contention > p->max ? d->contention : p->max;
		p->any_edge = p->any_edge || (d->straight && (d->at.edge_x || d->at.edge_y));
		p->any_local = p->any_local || d->n_local > 0;
		p->tells_tasks = p->tells_tasks || (d->task && is_numbered(d));
	}
	loom_svg_sheet_close(&p->sheet, LEGEND_HEIGHT);
}

int loom_svg_paths(FILE *stream, const struct loom_panel *panels, size_t n_panels)
{
	struct picture p = {.stream = stream};
	int rc = 0;
	p.drawings = calloc(n_panels, sizeof *p.drawings);
	if (!p.drawings)
		return LOOM_ENOMEM;
	for (size_t i = 0; rc == 0 && i < n_panels; i++)
		rc = loom_paths_fill(&p.drawings[p.n_drawings++], &panels[i]);
	if (rc != 0)
		goto out;
	arrange(&p);
	loom_svg_begin(stream, p.sheet.width, p.sheet.height, panels[0].plan);
	loom_svg_darken(stream);
	for (size_t i = 0; i < p.n_drawings; i++) {
		put_drawing(&p, &p.drawings[i], p.sheet.x, p.sheet.y);
		loom_svg_sheet_next(&p.sheet, p.drawings[i].width, p.drawings[i].height);
	}
	put_legend(&p, p.sheet.height - LEGEND_HEIGHT);
	(void)fputs("</svg>\n", stream);
out:
	for (size_t i = 0; i < p.n_drawings; i++) {
		loom_svg_places_free(&p.drawings[i].places);
		free(p.drawings[i].planned);
		free(p.drawings[i].task);
		loom_svg_waits_free(&p.drawings[i].waits);
	}
	free(p.drawings);
	return rc;
}
