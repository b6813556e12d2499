// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Passes over time: a row for each channel, group by group; a bar for each message on it, from its header to its tail, in
// the colour of its source (of a free run, of its pass). One scale for all panels, which lie below each other.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report/report_chart.h"
#include "report/report_svg.h"
#include "report/report_text.h"

#define PLOT_WIDTH 1000.0
#define PLOT_WIDTH_MAX 2400.0
#define CYCLE_MAX 14.0 // pixels
#define LABEL_SIZE 8.5
#define LABEL_ROW 9.0   // rows at least so high bear their channel's name
#define GROUP_HEIGHT 17 // of its heading
#define PASSES_HEIGHT 18
#define AXIS_HEIGHT 40
#define TICK_DISTANCE 64.0
#define NOTE_HEIGHT 16
#define NOTES_MAX 3
#define LEGEND_LINE 22
#define LEGEND_HEIGHT (3 * LEGEND_LINE + 14)
#define WIDTH_LEAST 720

struct drawing {
	struct loom_chart chart;
	double row, label, height; // pixels: of a row, of the names beside them, of all
	char notes[NOTES_MAX][200];
	unsigned n_notes;
};

struct picture {
	FILE *stream;
	size_t n_drawings;
	struct drawing *drawings; // owned
	double cycle;             // pixels
	double label;             // the largest
	double width, height;
	uint32_t max;
	bool any_pale, any_barrier, any_free, any_computes;
};

// --- Measuring out -------------------------------------------------------------------------------------------------

static void name_row(char out[48], const struct loom_chart *chart, uint32_t row)
{
	if (chart->rows[row].group == LOOM_CHART_NODES)
		(void)snprintf(out, 48, "node %" PRIu32, chart->rows[row].channel);
	else
		loom_topo_channel_name(&chart->panel->plan->topo, chart->rows[row].channel, out);
}

static unsigned count_groups(const struct loom_chart *chart)
{
	unsigned n = 0;
	for (uint32_t r = 0; r < chart->n_rows; r++)
		n += r == 0 || chart->rows[r].group != chart->rows[r - 1].group;
	return n;
}

static void note(struct drawing *d, const char *format, uint64_t a, uint64_t b)
{
	if (d->n_notes < NOTES_MAX)
		(void)snprintf(d->notes[d->n_notes++], sizeof d->notes[0], format, a, b);
}

static void take_notes(struct drawing *d)
{
	const struct loom_chart *chart = &d->chart;
	const struct loom_plan *plan = chart->panel->plan;
	uint64_t n_local = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		uint32_t pass = plan->messages[i].pass;
		n_local += pass >= chart->first_pass && pass - chart->first_pass < chart->n_passes &&
		           !loom_plan_uses_network(plan, &plan->messages[i]);
	}
	if (chart->n_rows - chart->n_nodes < chart->n_used)
		note(d,
		     "Only the %" PRIu64 " busiest of %" PRIu64
		     " channels with messages are drawn: more rows or bars could not be told apart.",
		     chart->n_rows - chart->n_nodes, chart->n_used);
	if (chart->n_nodes < chart->n_computing)
		note(d, "Of %" PRIu64 " nodes that compute %" PRIu64 " are drawn.", chart->n_computing, chart->n_nodes);
	if (chart->n_lost)
		note(d, "Messages that did not arrive as planned, and have no bars: %" PRIu64 ".", chart->n_lost, 0);
	if (n_local)
		note(d, "Messages to oneself, which stay in their nodes: %" PRIu64 ".", n_local, 0);
}

static void measure_out(struct drawing *d)
{
	const struct loom_chart *chart = &d->chart;
	uint32_t n = chart->n_rows;
	d->row = n <= 40 ? 15 : n <= 100 ? 11.5 : n <= 200 ? LABEL_ROW : 5;
	d->label = 60;
	for (uint32_t r = 0; d->row >= LABEL_ROW && r < n; r++) {
		char name[48];
		name_row(name, chart, r);
		d->label = fmax(d->label, loom_svg_width(name, LABEL_SIZE, false) + 8);
	}
	take_notes(d);
	d->height = LOOM_SVG_HEADING + PASSES_HEIGHT + count_groups(chart) * GROUP_HEIGHT + n * d->row + AXIS_HEIGHT +
	            d->n_notes * NOTE_HEIGHT;
}

static void arrange(struct picture *p)
{
	double length = 1;
	p->height = LOOM_SVG_TITLE + 22;
	for (size_t i = 0; i < p->n_drawings; i++) {
		const struct drawing *d = &p->drawings[i];
		const struct loom_chart *chart = &d->chart;
		length = fmax(length, chart->length);
		p->label = fmax(p->label, d->label);
		p->height += d->height + (i ? LOOM_SVG_GAP : 0);
		p->max = chart->contention > p->max ? chart->contention : p->max;
		p->any_barrier = p->any_barrier || chart->axis == LOOM_CHART_ONE_START;
		p->any_computes = p->any_computes || chart->n_nodes > 0;
		p->any_free = p->any_free || chart->axis == LOOM_CHART_FREE_RUN;
		for (size_t b = 0; b < chart->n_bars; b++)
			p->any_pale = p->any_pale || !chart->bars[b].exact;
	}
	double width = length > PLOT_WIDTH ? fmin(PLOT_WIDTH + (length - PLOT_WIDTH) / 5, PLOT_WIDTH_MAX) : PLOT_WIDTH;
	p->cycle = fmin(width / length, CYCLE_MAX);
	p->width = fmax(2 * LOOM_SVG_MARGIN + p->label + p->cycle * length, WIDTH_LEAST);
	p->height += LEGEND_HEIGHT;
}

// --- Drawing -------------------------------------------------------------------------------------------------------

// The side of the plot on which time begins.
static double left_of(const struct picture *p)
{
	return LOOM_SVG_MARGIN + p->label;
}

static void put_band(const struct picture *p, double from, double to, double y, double height, const char *what)
{
	(void)fprintf(p->stream,
	              "<rect x=\"%.2f\" y=\"%g\" width=\"%.2f\" height=\"%g\" fill=\"" LOOM_SVG_BARRIER
	              "\"><title>%s</title></rect>\n",
	              left_of(p) + from * p->cycle, y, (to - from) * p->cycle, height, what);
}

// Draws what is between passes, and above each of them its number if there is room.
static void put_passes(const struct picture *p, const struct drawing *d, double y, double height)
{
	const struct loom_chart *chart = &d->chart;
	double free_from = -1;
	if (chart->axis == LOOM_CHART_FREE_RUN)
		return;
	for (uint32_t k = 0; k < chart->n_passes; k++) {
		double began = chart->began[k], ended = began + (double)chart->cycles[k];
		double before = k ? chart->began[k - 1] + (double)chart->cycles[k - 1] : 0;
		double middle = left_of(p) + (began + ended) / 2 * p->cycle;
		char text[32];
		(void)snprintf(text, sizeof text, "pass %" PRIu32, chart->first_pass + k);
		if (chart->axis == LOOM_CHART_ONE_START)
			put_band(p, before, began, y + PASSES_HEIGHT, height,
			         k ? "barrier" : "the nodes lay their first messages ready");
		double half = loom_svg_width(text, 10, false) / 2;
		if (middle - half < free_from || middle - half < LOOM_SVG_MARGIN)
			continue;
		loom_svg_text(p->stream, middle, y + 12, 10, 2 * half + 1,
		              "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"middle\"", text);
		free_from = middle + half + 6;
	}
}

// 1, 2 or 5 times a power of ten.
static double step_of(const struct picture *p)
{
	static const double factors[] = {1, 2, 5};
	for (double power = 1;; power *= 10)
		for (size_t i = 0; i < 3; i++)
			if (factors[i] * power * p->cycle >= TICK_DISTANCE)
				return factors[i] * power;
}

// The end of cycle `cycle` of what began there.
static void put_tick(const struct picture *p, double began, double cycle, double y, double height)
{
	double x = left_of(p) + (began + cycle) * p->cycle;
	char text[24];
	(void)fprintf(p->stream, "<path stroke=\"" LOOM_SVG_GRID "\" stroke-width=\"0.6\" d=\"M%.2f %gv%g\"/>\n", x, y,
	              height + 4);
	(void)snprintf(text, sizeof text, "%.0f", cycle);
	loom_svg_text(p->stream, x, y + height + 14, 10, TICK_DISTANCE,
	              "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"middle\"", text);
}

static void put_axis(const struct picture *p, const struct drawing *d, double y, double height)
{
	static const char *const names[] = {
		[LOOM_CHART_ONE_START] = "cycles from START, barriers included",
		[LOOM_CHART_FREE_RUN] = "cycle of the run",
		[LOOM_CHART_EACH] = "cycle of the pass",
	};
	const struct loom_chart *chart = &d->chart;
	double step = step_of(p), free_from = -1;
	char text[64];
	(void)snprintf(text, sizeof text, "%s", names[chart->axis]);
	if (chart->axis == LOOM_CHART_EACH)
		for (uint32_t k = 0; k < chart->n_passes; k++)
			for (double c = 0; c <= (double)chart->cycles[k]; c += step) {
				double x = (chart->began[k] + c) * p->cycle;
				if (x < free_from)
					continue;
				put_tick(p, chart->began[k], c, y, height);
				free_from = x + TICK_DISTANCE / 2;
			}
	else {
		double began = chart->axis == LOOM_CHART_FREE_RUN ? chart->began[0] : 0;
		for (double c = fmax(ceil(-began / step) * step, 0); began + c <= chart->length; c += step)
			put_tick(p, began, c, y, height);
	}
	loom_svg_text(p->stream, left_of(p), y + height + 30, 11, p->width - left_of(p) - LOOM_SVG_MARGIN,
	              "fill=\"" LOOM_REPORT_INK "\"", text);
}

static void put_row_names(const struct picture *p, const struct drawing *d, double y)
{
	const struct loom_chart *chart = &d->chart;
	const struct loom_topo *topo = &chart->panel->plan->topo;
	for (uint32_t r = 0; r < chart->n_rows; r++, y += d->row) {
		char name[48];
		if (r == 0 || chart->rows[r].group != chart->rows[r - 1].group) {
			if (chart->rows[r].group == LOOM_CHART_NODES)
				(void)snprintf(name, sizeof name, "compute");
			else
				loom_topo_group_name(topo, chart->rows[r].group, name);
			loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 12, 11.5, p->label,
			              "fill=\"" LOOM_REPORT_INK "\" font-weight=\"bold\"", name);
			y += GROUP_HEIGHT;
		}
		if (d->row < LABEL_ROW)
			continue;
		name_row(name, chart, r);
		loom_svg_text(p->stream, left_of(p) - 5, y + d->row / 2 + 3, LABEL_SIZE, p->label,
		              "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"end\"", name);
	}
}

// Height of the middle of each row; malloc'ed.
static double *heights_of_rows(const struct drawing *d, double y)
{
	const struct loom_chart *chart = &d->chart;
	double *out = calloc((size_t)chart->n_rows + 1, sizeof *out);
	for (uint32_t r = 0; out && r < chart->n_rows; r++, y += d->row) {
		y += r == 0 || chart->rows[r].group != chart->rows[r - 1].group ? GROUP_HEIGHT : 0;
		out[r] = y + d->row / 2;
	}
	return out;
}

static void put_bar(const struct picture *p, const struct drawing *d, const struct loom_chart_bar *bar, double middle)
{
	const struct loom_chart *chart = &d->chart;
	const struct loom_plan *plan = chart->panel->plan;
	bool computes = bar->message == LOOM_CHART_COMPUTES;
	const struct loom_plan_message none = {.pass = chart->first_pass},
				       *m = computes ? &none : &plan->messages[bar->message];
	double from = chart->began[m->pass - chart->first_pass] + (double)bar->first - 1,
	       length = (double)(bar->last - bar->first + 1), height = d->row > 6 ? d->row - 3 : d->row - 1;
	char colour[8], name[48];
	if (computes)
		(void)snprintf(colour, sizeof colour, LOOM_SVG_EDGE);
	else if (chart->axis == LOOM_CHART_FREE_RUN)
		loom_report_path_colour(colour, m->pass, plan->n_passes);
	else
		loom_report_path_colour(colour, plan->map[m->source], plan->topo.n_nodes);
	name_row(name, chart, bar->row);
	(void)fprintf(p->stream, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%g\" fill=\"%s\"%s><title>",
	              left_of(p) + from * p->cycle, middle - height / 2, length * p->cycle, height, colour,
	              bar->exact ? "" : " fill-opacity=\"0.3\"");
	loom_svg_escaped(p->stream, name);
	if (computes)
		(void)fprintf(p->stream, " computes, cycles %" PRIu64 " to %" PRIu64 "</title></rect>\n", bar->first,
		              bar->last);
	else
		(void)fprintf(p->stream,
		              ": message %zu, node %" PRIu32 " to %" PRIu32 ", pass %" PRIu32 ", %s %" PRIu64
		              " to %" PRIu64 "</title></rect>\n",
		              bar->message, plan->map[m->source], plan->map[m->destination], m->pass,
		              bar->exact ? "cycles" : "within cycles", bar->first, bar->last);
}

static int put_drawing(const struct picture *p, const struct drawing *d, double y)
{
	const struct loom_chart *chart = &d->chart;
	double height = d->height - LOOM_SVG_HEADING - PASSES_HEIGHT - AXIS_HEIGHT - d->n_notes * NOTE_HEIGHT;
	double *middles = heights_of_rows(d, y + LOOM_SVG_HEADING + PASSES_HEIGHT);
	char title[256];
	if (!middles)
		return LOOM_ENOMEM;
	loom_svg_title(title, sizeof title, chart->panel, chart->panel->pass);
	char cycles[96] = "";
	if (chart->axis == LOOM_CHART_ONE_START)
		(void)snprintf(cycles, sizeof cycles, "%.0f cycles from START with barriers, %" PRIu64 " without",
		               chart->length, chart->cycles_alone);
	else if (chart->axis == LOOM_CHART_EACH && chart->cycles_alone)
		(void)snprintf(cycles, sizeof cycles, "%" PRIu64 " cycles%s", chart->cycles_alone,
		               chart->n_passes > 1 ? " in all" : "");
	loom_svg_heading(
		p->stream, chart->panel, title,
		&(struct loom_svg_sums){.load = chart->contention, .max = p->max, .cycles = *cycles ? cycles : NULL},
		p->width - 2 * LOOM_SVG_MARGIN, LOOM_SVG_MARGIN, y);
	y += LOOM_SVG_HEADING;
	put_passes(p, d, y, height);
	y += PASSES_HEIGHT;
	put_axis(p, d, y, height);
	put_row_names(p, d, y);
	for (size_t b = 0; b < chart->n_bars; b++)
		put_bar(p, d, &chart->bars[b], middles[chart->bars[b].row]);
	free(middles);
	y += height + AXIS_HEIGHT;
	for (unsigned i = 0; i < d->n_notes; i++, y += NOTE_HEIGHT)
		loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 10, 11.5, p->width - 2 * LOOM_SVG_MARGIN,
		              "fill=\"" LOOM_REPORT_INK "\"", d->notes[i]);
	return 0;
}

static void put_legend(const struct picture *p, double y)
{
	const double x = LOOM_SVG_MARGIN;
	(void)loom_svg_legend_sources(p->stream, x, y,
	                              p->any_free
	                                      ? "a message on a channel, from header to tail, coloured by its pass"
	                                      : "a message on a channel, from header to tail, coloured by its source");
	y += LEGEND_LINE;
	if (p->any_barrier) {
		loom_svg_legend_box(p->stream, x, y, LOOM_SVG_BARRIER, "barrier: nothing is on the way");
		y += LEGEND_LINE;
	}
	if (p->any_computes) {
		loom_svg_legend_box(p->stream, x, y, LOOM_SVG_EDGE, "a node computes, or is delayed by its program");
		y += LEGEND_LINE;
	}
	if (p->any_pale)
		loom_svg_text(p->stream, x, y + 13, 11.5, p->width - 2 * LOOM_SVG_MARGIN, "fill=\"" LOOM_SVG_GREY "\"",
		              "Pale: the message waited, and crossed the channel somewhere within.");
}

// --- The whole -----------------------------------------------------------------------------------------------------

int loom_svg_chart(FILE *stream, const struct loom_panel *panels, size_t n_panels, const char *path,
                   struct loom_err *err)
{
	struct picture p = {.stream = stream};
	double y = LOOM_SVG_TITLE + 22;
	int rc = 0;
	p.drawings = calloc(n_panels, sizeof *p.drawings);
	if (!p.drawings)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a picture of %zu panels", n_panels);
	for (size_t i = 0; rc == 0 && i < n_panels; i++) {
		struct drawing *d = &p.drawings[p.n_drawings];
		rc = loom_chart_make(&d->chart, &panels[i], path, err);
		if (rc != 0)
			break;
		p.n_drawings++;
		measure_out(d);
	}
	if (rc != 0)
		goto out;
	arrange(&p);
	loom_svg_begin(stream, p.width, p.height, panels[0].plan);
	loom_svg_darken(stream);
	for (size_t i = 0; rc == 0 && i < p.n_drawings; i++) {
		rc = put_drawing(&p, &p.drawings[i], y);
		y += p.drawings[i].height + LOOM_SVG_GAP;
	}
	if (rc != 0)
		(void)loom_fail(err, rc, "out of memory for a picture of %zu panels", n_panels);
	put_legend(&p, p.height - LEGEND_HEIGHT);
	(void)fputs("</svg>\n", stream);
out:
	for (size_t i = 0; i < p.n_drawings; i++)
		loom_chart_free(&p.drawings[i].chart);
	free(p.drawings);
	return rc;
}
