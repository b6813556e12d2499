// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves on an OTIS-Mesh, step by step: items as dots, which go from processor to processor; above them the step's name, below
// them all steps in a row. The animation (SMIL) is of attributes that have a value without it: a viewer that has none shows
// where the items begin, and all steps.
#include "report/report_svg_moves.h"

#include <inttypes.h>
#include <math.h>

#include "report/report_moves.h"
#include "report/report_svg_blocks.h"
#include "topo/topo_otis.h"

#define BOX 0.62  // side of a processor, of the pitch
#define EDGE 0.55 // from the middle of node 0 to the edge
#define PITCH_MAX 92.0
#define DRAWING 760.0 // pixels that the blocks take, unless the pitch is at its most
#define WIDTH_MIN 520
#define STEP_LINE 44 // the step's name
#define STRIP 62     // all steps
#define CELL 18
#define LEGEND_HEIGHT 78
#define LIGHT "#e0a526" // a colour that neither items nor loads have

bool loom_svg_moves_suit(const struct loom_plan *plan)
{
	return loom_svg_blocks_suit(&plan->topo) && loom_plan_is_of_moves(plan);
}

// Links that carry something in a pass, as bits.
static uint32_t links_of(const struct loom_moves_drawing *d, uint32_t pass)
{
	const struct loom_topo *t = &d->panel->plan->topo;
	uint32_t links = 0;
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (unsigned p = 0; p < loom_topo_links(t); p++)
			if (loom_svg_load(d->panel, pass, u * loom_topo_channels_per_tile(t) + p))
				links |= UINT32_C(1) << p;
	return links;
}

// An attribute that has `value` during a step, and before and after it what the element has.
static void put_during(FILE *stream, const struct loom_moves_drawing *d, uint32_t step, const char *attribute,
                       const char *value, const char *else_value)
{
	double from = loom_moves_time(d, step), to = loom_moves_time(d, step + 1);
	(void)fprintf(stream,
	              "<animate attributeName=\"%s\" dur=\"%gs\" repeatCount=\"indefinite\" calcMode=\"discrete\" "
	              "keyTimes=\"0;%.5g;%.5g\" values=\"%s;%s;%s\"/>",
	              attribute, d->seconds, from, to, else_value, value, else_value);
}

// ---- The network ----

static void put_link(FILE *stream, const struct loom_moves_drawing *d, uint32_t u, unsigned p)
{
	uint32_t v;
	unsigned q;
	if (!d->panel->plan->topo.kind->link(&d->panel->plan->topo, u, p, &v, &q))
		return;
	struct loom_svg_point a = loom_moves_middle(d, u), b = loom_moves_middle(d, v), bend;
	loom_svg_arc_bend(&bend.x, &bend.y, a.x, a.y, b.x, b.y);
	if (p == LOOM_OTIS_OPTICAL)
		(void)fprintf(stream, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", a.x, a.y, bend.x, bend.y, b.x, b.y);
	else
		(void)fprintf(stream, "M%.1f %.1fL%.1f %.1f", a.x, a.y, b.x, b.y);
}

static void put_network(FILE *stream, const struct loom_moves_drawing *d)
{
	const struct loom_topo *t = &d->panel->plan->topo;
	double side = BOX * d->pitch;
	for (unsigned light = 0; light < 2; light++) {
		(void)fprintf(stream, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" d=\"",
		              light ? LOOM_SVG_GRID : LOOM_SVG_EDGE, light ? 0.5 : 1.2);
		for (uint32_t u = 0; u < t->n_nodes; u++)
			for (unsigned p = 0; p < loom_topo_links(t); p++)
				if ((p == LOOM_OTIS_OPTICAL) == light)
					put_link(stream, d, u, p);
		(void)fputs("\"/>\n", stream);
	}
	loom_svg_blocks_frames(stream, t, d->x, d->y, d->pitch);
	for (uint32_t u = 0; u < t->n_nodes; u++) {
		struct loom_svg_point at = loom_moves_middle(d, u);
		(void)fprintf(stream,
		              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" "
		              "fill=\"" LOOM_SVG_BOX "\" stroke=\"" LOOM_SVG_EDGE
		              "\" stroke-width=\"0.8\"><title>node %" PRIu32 "</title></rect>\n",
		              at.x - side / 2, at.y - side / 2, side, side, side / 8, u);
	}
}

// The links of each step, there while it lasts.
static void put_used(FILE *stream, const struct loom_moves_drawing *d)
{
	const struct loom_topo *t = &d->panel->plan->topo;
	for (uint32_t pass = d->pass ? *d->pass : 0; pass < (d->pass ? *d->pass + 1 : d->n_steps); pass++) {
		bool light = links_of(d, pass) >> LOOM_OTIS_OPTICAL & 1;
		(void)fprintf(stream,
		              "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" stroke-linecap=\"round\" "
		              "opacity=\"%s\" d=\"",
		              light ? LIGHT : LOOM_REPORT_INK, light ? 1.4 : 2.0, d->pass ? "0.8" : "0");
		for (uint32_t u = 0; u < t->n_nodes; u++)
			for (unsigned p = 0; p < loom_topo_links(t); p++)
				if (loom_svg_load(d->panel, pass, u * loom_topo_channels_per_tile(t) + p))
					put_link(stream, d, u, p);
		(void)fputs("\">", stream);
		if (!d->pass)
			put_during(stream, d, pass, "opacity", "0.8", "0");
		(void)fputs("</path>\n", stream);
	}
}

// ---- Steps ----

static void step_text(char out[96], const struct loom_moves_drawing *d, uint32_t pass)
{
	static const char *const arrows[] = {"\xe2\x86\x92 right", "\xe2\x86\x90 left", "\xe2\x86\x93 down",
	                                     "\xe2\x86\x91 up", "light"};
	char name[48];
	uint32_t links = links_of(d, pass);
	loom_report_step_name(name, &d->panel->plan->topo, links);
	for (unsigned p = 0; p < sizeof arrows / sizeof arrows[0]; p++)
		if (links == UINT32_C(1) << p)
			(void)snprintf(name, sizeof name, "%s", arrows[p]);
	(void)snprintf(out, 96, "step %" PRIu32 " of %" PRIu32 ": %s", pass + 1, d->n_steps,
	               links ? name : "nothing moves");
}

#define NAME "fill=\"" LOOM_REPORT_INK "\" font-weight=\"bold\""

static void put_step_names(FILE *stream, const struct loom_moves_drawing *d, double y)
{
	char text[96];
	const double x = d->x - EDGE * d->pitch, end = loom_moves_time(d, d->n_steps);
	if (d->pass) {
		step_text(text, d, *d->pass);
		loom_svg_text(stream, x, y, 15, WIDTH_MIN, NAME, text);
		return;
	}
	(void)fputs("<g>", stream);
	(void)fprintf(stream,
	              "<animate attributeName=\"opacity\" dur=\"%gs\" repeatCount=\"indefinite\" calcMode=\"discrete\" "
	              "keyTimes=\"0;%.5g\" values=\"1;0\"/>\n",
	              d->seconds, loom_moves_time(d, 0));
	(void)snprintf(text, sizeof text, "%" PRIu32 " step%s: where the items begin", d->n_steps,
	               d->n_steps == 1 ? "" : "s");
	loom_svg_text(stream, x, y, 15, WIDTH_MIN, NAME, text);
	(void)fputs("</g>\n", stream);
	for (uint32_t pass = 0; pass < d->n_steps; pass++) {
		(void)fputs("<g opacity=\"0\">", stream);
		put_during(stream, d, pass, "opacity", "1", "0");
		step_text(text, d, pass);
		loom_svg_text(stream, x, y, 15, WIDTH_MIN, NAME, text);
		(void)fputs("</g>\n", stream);
	}
	(void)fprintf(stream,
	              "<g opacity=\"0\"><animate attributeName=\"opacity\" dur=\"%gs\" repeatCount=\"indefinite\" "
	              "calcMode=\"discrete\" keyTimes=\"0;%.5g\" values=\"0;1\"/>\n",
	              d->seconds, end);
	loom_svg_text(stream, x, y, 15, WIDTH_MIN, NAME, "every item is where it was to go");
	(void)fputs("</g>\n", stream);
}

// Draws all steps in a row; the one that is on is outlined.
static void put_strip(FILE *stream, const struct loom_moves_drawing *d, double width, double y)
{
	static const char *const arrows[] = {"\xe2\x86\x92", "\xe2\x86\x90", "\xe2\x86\x93", "\xe2\x86\x91"};
	const double x = d->x - EDGE * d->pitch, cell = fmin(CELL, width / d->n_steps);
	for (uint32_t pass = 0; pass < d->n_steps; pass++) {
		uint32_t links = links_of(d, pass);
		bool light = links >> LOOM_OTIS_OPTICAL & 1;
		const char *arrow = "";
		char name[96];
		for (unsigned p = 0; p < 4; p++)
			if (links == UINT32_C(1) << p)
				arrow = arrows[p];
		step_text(name, d, pass);
		(void)fprintf(stream,
		              "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" fill=\"%s\" stroke=\"%s\" "
		              "stroke-width=\"%g\"><title>",
		              x + pass * cell, y, cell, CELL, light ? LIGHT : LOOM_SVG_BARRIER,
		              d->pass && *d->pass == pass ? LOOM_REPORT_INK : "#fff",
		              d->pass && *d->pass == pass ? 2.0 : 1.0);
		loom_svg_escaped(stream, name);
		(void)fputs("</title>", stream);
		if (!d->pass)
			put_during(stream, d, pass, "stroke", LOOM_REPORT_INK, "#fff");
		(void)fputs("</rect>\n", stream);
		if (cell >= 9 && *arrow)
			loom_svg_text(stream, x + (pass + 0.5) * cell, y + 13, 11, cell + 2,
			              "fill=\"" LOOM_REPORT_INK "\" text-anchor=\"middle\"", arrow);
	}
}

// ---- The whole ----

static double blocks_side(const struct loom_moves_drawing *d)
{
	return (loom_svg_blocks_side(&d->panel->plan->topo) + 2 * EDGE) * d->pitch;
}

static double width_of(const struct loom_moves_drawing *d)
{
	return fmax(blocks_side(d), WIDTH_MIN);
}

static double height_of(const struct loom_moves_drawing *d)
{
	return LOOM_SVG_HEADING + STEP_LINE + blocks_side(d) + STRIP;
}

static void fill_drawing(struct loom_moves_drawing *d, const struct loom_panel *panel)
{
	*d = (struct loom_moves_drawing){.panel = panel, .n_steps = panel->plan->n_passes, .pass = panel->pass};
	d->seconds = LOOM_MOVES_BEFORE + LOOM_MOVES_STEP * d->n_steps + LOOM_MOVES_AFTER;
	d->pitch = fmin(PITCH_MAX, DRAWING / (loom_svg_blocks_side(&panel->plan->topo) + 2 * EDGE));
}

static int put_drawing(FILE *stream, struct loom_moves_drawing *d, double x, double y)
{
	char title[256];
	uint32_t contention = 0;
	const struct loom_topo *t = &d->panel->plan->topo;
	for (uint32_t pass = 0; pass < d->n_steps; pass++)
		for (uint32_t c = 0; c < loom_topo_channels(t); c++) {
			uint32_t load = loom_topo_is_local(t, c) ? 0 : loom_svg_load(d->panel, pass, c);
			contention = load > contention ? load : contention;
		}
	loom_svg_title(title, sizeof title, d->panel, d->pass);
	loom_svg_heading(stream, d->panel, title, &(struct loom_svg_sums){.load = contention, .max = contention},
	                 width_of(d), x, y);
	d->x = x + EDGE * d->pitch;
	d->y = y + LOOM_SVG_HEADING + STEP_LINE + EDGE * d->pitch;
	put_step_names(stream, d, d->y - EDGE * d->pitch - 22);
	put_network(stream, d);
	put_used(stream, d);
	int rc = loom_moves_items(stream, d);
	put_strip(stream, d, width_of(d) - 8, d->y + blocks_side(d) - EDGE * d->pitch + 14);
	return rc;
}

static void put_legend(FILE *stream, double width, double y)
{
	double x = loom_svg_legend_sources(stream, LOOM_SVG_MARGIN, y, "an item, by the node for which it is");
	x = loom_svg_legend_line(stream, x, y, LIGHT, "light");
	(void)loom_svg_legend_line(stream, x, y, LOOM_REPORT_INK, "a link within a group");
	loom_svg_text(
		stream, LOOM_SVG_MARGIN, y + 38, 11.5, width - 2 * LOOM_SVG_MARGIN, "fill=\"" LOOM_SVG_GREY "\"",
		"The row of squares: all steps, those by light in its colour. Pointing at one shows its direction.");
	loom_svg_text(stream, LOOM_SVG_MARGIN, y + 54, 11.5, width - 2 * LOOM_SVG_MARGIN, "fill=\"" LOOM_SVG_GREY "\"",
	              "Groups are blocks; light joins processor p of group g and processor g of group p.");
}

int loom_svg_moves(FILE *stream, const struct loom_panel *panels, size_t n_panels)
{
	struct loom_svg_sheet sheet = {0};
	struct loom_moves_drawing d;
	int rc = 0;
	for (size_t i = 0; i < n_panels; i++) {
		fill_drawing(&d, &panels[i]);
		loom_svg_sheet_add(&sheet, width_of(&d), height_of(&d));
	}
	loom_svg_sheet_close(&sheet, LEGEND_HEIGHT);
	loom_svg_begin(stream, sheet.width, sheet.height, panels[0].plan);
	for (size_t i = 0; rc == 0 && i < n_panels; i++) {
		fill_drawing(&d, &panels[i]);
		rc = put_drawing(stream, &d, sheet.x, sheet.y);
		loom_svg_sheet_next(&sheet, width_of(&d), height_of(&d));
	}
	put_legend(stream, sheet.width, sheet.height - LEGEND_HEIGHT);
	(void)fputs("</svg>\n", stream);
	return rc;
}
