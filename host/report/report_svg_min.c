// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A multistage network stage by stage: nodes, the wiring in front of each stage, switches as boxes, nodes again. One
// pass is drawn, each message along its path in the colour of its source; a channel that several need is red. Lines of
// one place in the network are wires[k]: k = 0 from the nodes, k = s + 1 from stage s, the last to the nodes.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_svg_min.h"

#define BADGES_MAX 16
#define ROW_MAX 1700 // pixels of drawings side by side
#define LEGEND_HEIGHT 84
#define LEGEND_LINE 22
#define CONFLICT LOOM_SVG_CONFLICT
#define CROWDED "#e08a00" // a node's own channel with several messages

struct picture {
	FILE *stream;
	size_t n_drawings;
	struct loom_svg_stages_drawing *drawings; // owned
	uint32_t max;
	double width, height;
	bool stacked, crowded, tells_tasks;
};

// --- Drawing -------------------------------------------------------------------------------------------------------

// Left end of the wires of place k, and the height of a line.
static double left_of(const struct loom_svg_stages_drawing *d, unsigned k)
{
	return d->room + k * (d->gap + d->box);
}

static double height_of(const struct loom_svg_stages_drawing *d, uint32_t line)
{
	return STAGE_HEADING + (line + 0.5) * d->pitch;
}

static double stroke_of(const struct loom_svg_stages_drawing *d)
{
	return d->n <= 16 ? 2.2 : d->n <= 32 ? 1.8 : d->n <= NAMED_MAX ? 1.4 : d->n <= 256 ? 0.7 : 0.4;
}

enum layer { IDLE, PATHS, CONFLICTS };

static bool is_local(const struct loom_svg_stages_drawing *d, unsigned k)
{
	return k == 0 || k == d->net.m;
}

// Marks what holds of the pass that is drawn alone, where programs colour channels anew.
static const char *of_pass(const struct loom_svg_stages_drawing *d)
{
	return d->panel->marked ? " class=\"of-pass\"" : "";
}

static void put_wire(const struct picture *p, const struct loom_svg_stages_drawing *d, unsigned k, uint32_t line)
{
	uint32_t load = d->load[k * d->n + line], source = d->source[k * d->n + line];
	double x = left_of(d, k), y = height_of(d, line), to = height_of(d, loom_min_wire(&d->net, k, line));
	double stroke = load == 0 ? fmin(stroke_of(d), 1) : load > 1 ? 1.6 * stroke_of(d) : stroke_of(d);
	char colour[8] = LOOM_REPORT_INK, name[48]; // ink: a message that the plan has elsewhere
	if (load > 1)
		(void)snprintf(colour, sizeof colour, "%s", is_local(d, k) ? CROWDED : CONFLICT);
	else if (load == 0)
		(void)snprintf(colour, sizeof colour, "%s", LOOM_SVG_IDLE);
	else if (source < d->n)
		loom_report_path_colour(colour, source, d->n);
	(void)fputs("<path", p->stream);
	loom_svg_mark(p->stream, d->panel, 'c', loom_svg_channel_of(d, k, line));
	(void)fprintf(p->stream, " stroke=\"%s\" stroke-width=\"%.2f\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"",
	              colour, stroke, x, y, x + 0.4 * d->gap, y, x + 0.6 * d->gap, to, x + d->gap, to);
	if (d->n > NAMED_MAX) {
		(void)fputs("/>\n", p->stream);
		return;
	}
	loom_topo_channel_name(&d->panel->plan->topo, loom_svg_channel_of(d, k, line), name);
	(void)fputs("><title>", p->stream);
	loom_svg_escaped(p->stream, name);
	(void)fprintf(p->stream, ": %" PRIu32, load);
	loom_svg_waits_channel(p->stream, &d->waits, &d->pass, loom_svg_channel_of(d, k, line));
	(void)fputs("</title></path>\n", p->stream);
}

static void put_wires(const struct picture *p, const struct loom_svg_stages_drawing *d, enum layer layer)
{
	for (unsigned k = 0; k <= d->net.m; k++)
		for (uint32_t line = 0; line < d->n; line++) {
			uint32_t load = d->load[k * d->n + line];
			if (layer == (load > 1 ? CONFLICTS : load == 1 ? PATHS : IDLE))
				put_wire(p, d, k, line);
		}
}

// Puts beside a red line how many messages it stands for.
static void put_badges(const struct picture *p, const struct loom_svg_stages_drawing *d)
{
	for (unsigned k = 0; k <= d->net.m && d->n <= BADGES_MAX; k++)
		for (uint32_t line = 0; line < d->n; line++) {
			uint32_t load = d->load[k * d->n + line];
			double x = left_of(d, k) + 13, y = height_of(d, line);
			if (load < 2)
				continue;
			(void)fprintf(
				p->stream,
				"<circle%s cx=\"%.1f\" cy=\"%.1f\" r=\"8\" fill=\"%s\"/>"
				"<text%s x=\"%.1f\" y=\"%.1f\" font-size=\"11\" font-weight=\"bold\" fill=\"#fff\" "
				"text-anchor=\"middle\">%" PRIu32 "</text>\n",
				of_pass(d), x, y, is_local(d, k) ? CROWDED : CONFLICT, of_pass(d), x, y + 3.9, load);
		}
}

static void put_switch(const struct picture *p, const struct loom_svg_stages_drawing *d, unsigned s, uint32_t q)
{
	double x = left_of(d, s) + d->gap, y = height_of(d, 2 * q) - 0.34 * d->pitch, height = 1.68 * d->pitch;
	bool conflict = false;
	for (uint32_t out = 0; out < 2; out++) {
		uint32_t upper = d->through[(s * d->n + 2 * q) * 2 + out];
		uint32_t lower = d->through[(s * d->n + 2 * q + 1) * 2 + out];
		conflict = conflict || (upper != NOBODY && lower != NOBODY);
	}
	(void)fprintf(p->stream,
	              "<rect%s x=\"%.1f\" y=\"%.1f\" width=\"%g\" height=\"%.1f\" rx=\"%g\" fill=\"%s\" stroke=\"%s\" "
	              "stroke-width=\"%g\">",
	              conflict ? of_pass(d) : "", x, y, d->box, height, d->n <= NAMED_MAX ? 3.0 : 0.5,
	              conflict ? "#fdeaed" : "#f4f6f8", conflict ? CONFLICT : "#aab2bc", d->n <= NAMED_MAX ? 1.0 : 0.3);
	if (d->n <= NAMED_MAX)
		(void)fprintf(p->stream, "<title>stage %u, switch %" PRIu32 "%s</title>", s, q,
		              conflict ? ": two messages need one output" : "");
	(void)fputs("</rect>\n", p->stream);
	for (unsigned way = 0; way < 4; way++) {
		uint32_t in = 2 * q + way / 2, out = 2 * q + way % 2,
			 source = d->through[(s * d->n + in) * 2 + way % 2];
		char colour[8] = CONFLICT;
		if (source == NOBODY)
			continue;
		if (source < d->n)
			loom_report_path_colour(colour, source, d->n);
		(void)fprintf(p->stream, "<path%s stroke=\"%s\" stroke-width=\"%.2f\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
		              of_pass(d), colour, stroke_of(d), x, height_of(d, in), x + d->box, height_of(d, out));
	}
}

static void put_nodes(const struct picture *p, const struct loom_svg_stages_drawing *d)
{
	double right = left_of(d, d->net.m) + d->gap, size = fmin(12, fmax(d->pitch * 0.8, 10));
	uint32_t step = d->n <= NAMED_MAX ? 1 : d->n / 16;
	const char *const ends[] = {"from", "to"};
	for (unsigned end = 0; end < 2; end++) {
		double x = end ? right + 8 : d->room - 8;
		const char *anchor =
			end ? "fill=\"" LOOM_REPORT_INK "\"" : "fill=\"" LOOM_REPORT_INK "\" text-anchor=\"end\"";
		const char *grey =
			end ? "fill=\"" LOOM_SVG_GREY "\"" : "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"end\"";
		loom_svg_text(p->stream, x, 12, 11.5, d->room, grey, ends[end]);
		for (uint32_t node = 0; node < d->n; node += step) {
			char text[32];
			int used = snprintf(text, sizeof text, "%" PRIu32, node);
			if (d->task)
				(void)snprintf(text + used, sizeof text - (size_t)used, " t%" PRIu32, d->task[node]);
			loom_svg_text(p->stream, x, height_of(d, node) + 0.35 * size, size, d->room, anchor, text);
		}
	}
}

// Puts above and below a stage its number, and what the channels behind it carry.
static void put_stage(const struct picture *p, const struct loom_svg_stages_drawing *d, unsigned s)
{
	double x = left_of(d, s) + d->gap + d->box / 2, y = STAGE_HEADING + d->n * d->pitch;
	uint32_t most = 0, many = 0;
	char text[48];
	(void)snprintf(text, sizeof text, "stage %u", s);
	loom_svg_text(p->stream, x, 12, 11.5, 100, "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"middle\"", text);
	if (d->panel->marked) // what is below is of one pass, and who can point at wires can be told of all
		return;
	for (uint32_t line = 0; line < d->n; line++) {
		uint32_t load = d->load[(s + 1) * d->n + line];
		most = load > most ? load : most;
		many += load > 1;
	}
	x += (d->box + d->gap) / 2;
	(void)snprintf(text, sizeof text, "at most %" PRIu32, most);
	loom_svg_text(p->stream, x, y + 14, 11.5, 200, "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"middle\"", text);
	if (many == 0)
		return;
	(void)snprintf(text, sizeof text, "%" PRIu32 " of %" PRIu32, many, d->n);
	loom_svg_text(p->stream, x, y + 29, 11.5, 200,
	              is_local(d, s + 1) ? "fill=\"" CROWDED "\" text-anchor=\"middle\""
	                                 : "fill=\"" CONFLICT "\" text-anchor=\"middle\"",
	              text);
}

static void put_drawing(const struct picture *p, const struct loom_svg_stages_drawing *d, double x, double y)
{
	char title[320];
	loom_svg_title(title, sizeof title, d->panel, &d->pass);
	size_t used = strlen(title);
	if (d->panel->plan->topo.kind->two_directions)
		used += (size_t)snprintf(title + used, sizeof title - used, ", %s",
		                         d->backward ? "backward (inverse omega)" : "forward (omega)");
	if (d->n_other_way)
		(void)snprintf(title + used, sizeof title - used, ", %" PRIu32 " the other way not drawn",
		               d->n_other_way);
	loom_svg_heading(p->stream, d->panel, title,
	                 &(struct loom_svg_sums){.load = d->contention, .max = p->max, .waits = &d->waits}, d->width, x,
	                 y);
	(void)fprintf(p->stream, "<g transform=\"translate(%g %g)\" fill=\"none\" stroke-linecap=\"round\">\n", x,
	              y + LOOM_SVG_HEADING);
	put_wires(p, d, IDLE);
	put_wires(p, d, PATHS);
	put_wires(p, d, CONFLICTS);
	for (unsigned s = 0; s < d->net.m; s++)
		for (uint32_t q = 0; q < d->n / 2; q++)
			put_switch(p, d, s, q);
	put_badges(p, d);
	put_nodes(p, d);
	for (unsigned s = 0; s < d->net.m; s++)
		put_stage(p, d, s);
	(void)fputs("</g>\n", p->stream);
}

static double legend_height(const struct picture *p)
{
	return LEGEND_HEIGHT + (p->crowded ? LEGEND_LINE : 0);
}

static void put_legend(const struct picture *p, double y)
{
	double x = LOOM_SVG_MARGIN;
	const bool marked = p->drawings[0].panel->marked;
	(void)fputs(marked ? "<g class=\"of-pass\">\n" : "", p->stream);
	(void)loom_svg_legend_sources(p->stream, x, y, "path of a message, coloured by its source");
	y += LEGEND_LINE;
	x = loom_svg_legend_line(p->stream, x, y, CONFLICT, "needed by several");
	x = loom_svg_legend_line(p->stream, x, y, LOOM_SVG_IDLE, "idle");
	if (p->tells_tasks)
		loom_svg_text(p->stream, x, y + 13, 12, 200, "fill=\"" LOOM_REPORT_INK "\"", "t: the task on a node");
	if (p->crowded) {
		y += LEGEND_LINE;
		(void)loom_svg_legend_line(p->stream, LOOM_SVG_MARGIN, y, CROWDED,
		                           "a node's own channel, needed by several: no contention");
	}
	loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 36, 11.5, p->width - 2 * LOOM_SVG_MARGIN,
	              "fill=\"" LOOM_SVG_GREY "\"",
	              marked ? "" : "Below the wires: messages on the busiest, and how many bear more than one.");
	(void)fputs(marked ? "</g>\n" : "", p->stream);
}

// --- The whole -----------------------------------------------------------------------------------------------------

// The two passes of a network that is passed both ways belong together; of other plans the worst pass is drawn.
static bool draws_both(const struct loom_panel *panel)
{
	return !panel->pass && panel->plan->topo.kind->two_directions && panel->plan->n_passes == 2;
}

static void arrange(struct picture *p)
{
	double across = 0, down = 0, widest = 0, tallest = 0;
	for (size_t i = 0; i < p->n_drawings; i++) {
		const struct loom_svg_stages_drawing *d = &p->drawings[i];
		across += d->width + (i ? LOOM_SVG_GAP : 0);
		down += d->height + (i ? LOOM_SVG_GAP : 0);
		widest = fmax(widest, d->width);
		tallest = fmax(tallest, d->height);
		p->max = d->contention > p->max ? d->contention : p->max;
		p->tells_tasks = p->tells_tasks || d->task;
		for (uint32_t line = 0; line < d->n; line++)
			p->crowded = p->crowded || d->load[line] > 1 || d->load[d->net.m * d->n + line] > 1;
	}
	p->stacked = across > ROW_MAX;
	p->width = fmax(2 * LOOM_SVG_MARGIN + (p->stacked ? widest : across), 640);
	p->height = LOOM_SVG_TITLE + 22 + (p->stacked ? down : tallest) + 14 + legend_height(p);
}

int loom_svg_stages(FILE *stream, const struct loom_panel *panels, size_t n_panels)
{
	struct picture p = {.stream = stream};
	double x = LOOM_SVG_MARGIN, y = LOOM_SVG_TITLE + 22;
	int rc = 0;
	p.drawings = calloc(2 * n_panels, sizeof *p.drawings);
	if (!p.drawings)
		return LOOM_ENOMEM;
	for (size_t i = 0; rc == 0 && i < n_panels; i++) {
		const struct loom_panel *panel = &panels[i];
		uint32_t pass = panel->pass ? *panel->pass : draws_both(panel) ? 0 : loom_svg_worst_pass(panel);
		rc = loom_svg_stages_fill(&p.drawings[p.n_drawings++], panel, pass);
		if (rc == 0 && draws_both(panel))
			rc = loom_svg_stages_fill(&p.drawings[p.n_drawings++], panel, 1);
	}
	if (rc != 0)
		goto out;
	arrange(&p);
	loom_svg_begin(stream, p.width, p.height, panels[0].plan);
	for (size_t i = 0; i < p.n_drawings; i++) {
		put_drawing(&p, &p.drawings[i], x, y);
		if (p.stacked)
			y += p.drawings[i].height + LOOM_SVG_GAP;
		else
			x += p.drawings[i].width + LOOM_SVG_GAP;
	}
	put_legend(&p, p.height - legend_height(&p));
	(void)fputs("</svg>\n", stream);
out:
	for (size_t i = 0; i < p.n_drawings; i++)
		loom_svg_stages_free(&p.drawings[i]);
	free(p.drawings);
	return rc;
}
