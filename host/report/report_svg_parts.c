// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts that all pictures have in common: texts, the title and the headings of panels.
#include "report/report_svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/report_text.h"

#define FONT "font-family=\"Helvetica Neue,Helvetica,Arial,Liberation Sans,DejaVu Sans,sans-serif\""

uint32_t loom_svg_load(const struct loom_panel *panel, uint32_t pass, uint32_t channel)
{
	if (!panel->trace)
		return panel->plan->load[(size_t)pass * loom_topo_channels(&panel->plan->topo) + channel];
	return panel->trace->counts[(size_t)pass * panel->trace->n_channels + channel].worms;
}

uint32_t loom_svg_worst_pass(const struct loom_panel *panel)
{
	const struct loom_topo *topo = &panel->plan->topo;
	uint32_t worst = 0, worst_load = 0, worst_many = 0;
	for (uint32_t pass = 0; pass < panel->plan->n_passes; pass++) {
		uint32_t most = 0, many = 0;
		for (uint32_t c = 0; c < loom_topo_channels(topo); c++) {
			uint32_t load = loom_topo_is_local(topo, c) ? 0 : loom_svg_load(panel, pass, c);
			most = load > most ? load : most;
			many += load > 1;
		}
		if (most > worst_load || (most == worst_load && many > worst_many)) {
			worst = pass;
			worst_load = most;
			worst_many = many;
		}
	}
	return worst;
}

void loom_svg_mark(FILE *stream, const struct loom_panel *panel, char letter, uint32_t number)
{
	if (panel->marked)
		(void)fprintf(stream, " data-%c=\"%" PRIu32 "\"", letter, number);
}

struct loom_svg_point loom_svg_beside(struct loom_svg_point from, struct loom_svg_point way, double along, double right)
{
	return (struct loom_svg_point){from.x + along * way.x - right * way.y, from.y + along * way.y + right * way.x};
}

// --- Text ----------------------------------------------------------------------------------------------------------

void loom_svg_escaped(FILE *stream, const char *text)
{
	for (const char *c = text; *c; c++)
		switch (*c) {
		case '&': (void)fputs("&amp;", stream); break;
		case '<': (void)fputs("&lt;", stream); break;
		case '>': (void)fputs("&gt;", stream); break;
		case '"': (void)fputs("&quot;", stream); break;
		default: (void)fputc(*c, stream);
		}
}

// The width of a character at a size of 1: 1.3 times the mean of Helvetica. Wider fonts for screens (DejaVu Sans,
// Verdana) come to less.
#define EM 0.66
#define EM_BOLD 0.72
#define SIZE_LEAST 0.7 // of what was asked for

static size_t count_characters(const char *text)
{
	size_t n = 0;
	for (const char *c = text; *c; c++)
		n += (*c & 0xc0) != 0x80;
	return n;
}

double loom_svg_width(const char *text, double size, bool bold)
{
	return (double)count_characters(text) * size * (bold ? EM_BOLD : EM);
}

// Writes the first characters, at most `most`.
static void put_cut(FILE *stream, char *text, size_t most)
{
	size_t n = 0, i = 0;
	for (; text[i]; i++)
		if ((text[i] & 0xc0) != 0x80 && n++ == most)
			break;
	bool cut = text[i] != '\0';
	text[i] = '\0';
	loom_svg_escaped(stream, text);
	if (cut)
		(void)fputs("\xe2\x80\xa6", stream);
}

void loom_svg_text(FILE *stream, double x, double y, double size, double room, const char *attributes, const char *text)
{
	char clean[512];
	loom_text_show(clean, sizeof clean, text);
	bool bold = strstr(attributes, "bold") != NULL;
	double width = loom_svg_width(clean, size, bold);
	if (width > room)
		size *= room / width > SIZE_LEAST ? room / width : SIZE_LEAST;
	(void)fprintf(stream, "<text x=\"%g\" y=\"%g\" font-size=\"%.3g\" %s>", x, y, size, attributes);
	double most = room / loom_svg_width("x", size, bold) + 0.01;
	put_cut(stream, clean, most > 2 ? (size_t)most - (loom_svg_width(clean, size, bold) > room + 0.1) : 1);
	(void)fputs("</text>\n", stream);
}

// --- Headings ------------------------------------------------------------------------------------------------------

void loom_svg_begin(FILE *stream, double width, double height, const struct loom_plan *plan)
{
	char title[512], name[LOOM_TEXT_NAME], slow[LOOM_SLOW_TEXT];
	uint64_t flits = 0;
	loom_text_show(name, sizeof name, plan->pattern);
	(void)snprintf(title, sizeof title, "%s on %s", name, plan->topo.name);
	(void)fprintf(stream,
	              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
	              "width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" role=\"img\" " FONT ">\n<title>",
	              width, height, width, height);
	loom_svg_escaped(stream, title);
	(void)fprintf(stream, "</title>\n<rect width=\"%g\" height=\"%g\" fill=\"#fff\"/>\n", width, height);
	loom_svg_text(stream, LOOM_SVG_MARGIN, 44, 22, width - 2 * LOOM_SVG_MARGIN,
	              "fill=\"" LOOM_REPORT_INK "\" font-weight=\"bold\"", title);
	for (size_t i = 0; i < plan->n_messages; i++)
		flits += plan->messages[i].flits;
	char size[48];
	loom_topo_size_text(size, &plan->topo);
	(void)snprintf(title, sizeof title,
	               "%s  \xc2\xb7  %zu messages  \xc2\xb7  %" PRIu64 " flits  \xc2\xb7  %" PRIu32 " pass%s%s", size,
	               plan->n_messages, flits, plan->n_passes, plan->n_passes == 1 ? "" : "es",
	               plan->free_running ? ", free-running" : "");
	if (loom_topo_slow_text(slow, &plan->topo))
		(void)snprintf(title + strlen(title), sizeof title - strlen(title), "  \xc2\xb7  slow links: %s", slow);
	loom_svg_text(stream, LOOM_SVG_MARGIN, 64, 12.5, width - 2 * LOOM_SVG_MARGIN, "fill=\"" LOOM_SVG_GREY "\"",
	              title);
}

void loom_svg_darken(FILE *stream)
{
	(void)fputs("<style>@media (prefers-color-scheme:dark){rect[fill=\"#fff\"],circle[fill=\"#fff\"]{fill:#0d1117}"
	            "[fill=\"" LOOM_REPORT_INK "\"]:not(.on){fill:#e6edf3}[stroke=\"" LOOM_REPORT_INK
	            "\"]{stroke:#e6edf3}[fill=\"" LOOM_SVG_GREY "\"]{fill:#9aa4af}[fill=\"" LOOM_SVG_BOX
	            "\"]{fill:#161b22}[stroke=\"" LOOM_SVG_EDGE "\"]{stroke:#57606a}[stroke=\"" LOOM_SVG_IDLE
	            "\"]{stroke:#39414b}[stroke=\"" LOOM_SVG_GRID "\"]{stroke:#30363d}[fill=\"" LOOM_SVG_BARRIER
	            "\"]{fill:#21262d}}</style>\n",
	            stream);
}

// Cycles of the whole run until all programs were done, or its last tail arrived: summed over the passes, each of which begins with cycle 1, or
// counted through where they follow each other freely. 0: nothing arrived.
static uint64_t measured_cycles(const struct loom_plan *plan, const struct loom_trace *trace,
                                const struct loom_svg_waits *waits)
{
	if (waits && waits->programs_end != 0)
		return waits->programs_end;
	// Some passes at a time: a heading cannot say that memory ran out.
	enum { PASSES = 256 };
	uint64_t sum = 0, latest = 0;
	for (uint32_t first = 0; first < trace->n_passes; first += PASSES) {
		uint32_t last[PASSES] = {0};
		for (size_t i = 0; i < trace->n_arrivals; i++) {
			const struct loom_arrival *a = &trace->arrivals[i];
			if (a->pass < first || a->pass - first >= PASSES || a->pass >= trace->n_passes)
				continue;
			if (a->last_cycle > last[a->pass - first])
				last[a->pass - first] = a->last_cycle;
		}
		for (uint32_t k = 0; k < PASSES; k++) {
			sum += last[k];
			latest = last[k] > latest ? last[k] : latest;
		}
	}
	return plan->free_running ? latest : sum;
}

int loom_svg_tasks(uint32_t **out, const struct loom_plan *plan)
{
	bool is_placed = false;
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++)
		is_placed = is_placed || plan->map[v] != v;
	*out = is_placed ? malloc(plan->topo.n_nodes * sizeof **out) : NULL;
	for (uint32_t v = 0; *out && v < plan->topo.n_nodes; v++)
		(*out)[plan->map[v]] = v < loom_topo_hosts(&plan->topo) ? v : LOOM_SVG_NO_TASK;
	return is_placed && !*out ? LOOM_ENOMEM : 0;
}

void loom_svg_title(char *out, size_t size, const struct loom_panel *panel, const uint32_t *pass)
{
	const uint32_t n = panel->plan->n_passes;
	if (pass && n > 1)
		(void)snprintf(out, size, "%.200s%spass %" PRIu32 " of 0 to %" PRIu32, panel->title ? panel->title : "",
		               panel->title ? ", " : "", *pass, n - 1);
	else if (panel->title)
		(void)snprintf(out, size, "%.200s", panel->title);
	else if (n == 1)
		(void)snprintf(out, size, "one pass");
	else
		(void)snprintf(out, size, "all %" PRIu32 " passes", n);
}

void loom_svg_heading(FILE *stream, const struct loom_panel *panel, const char *title, const struct loom_svg_sums *sums,
                      double width, double x, double y)
{
	const struct loom_plan *plan = panel->plan;
	const struct loom_trace *trace = panel->trace;
	char text[512], map[LOOM_TEXT_NAME], colour[8];
	const bool computed = sums->waits && loom_due_is_known(&sums->waits->due);
	const uint64_t predicted = computed ? sums->waits->due.cycles : loom_plan_cycles(plan);
	const uint64_t n = trace ? measured_cycles(plan, trace, sums->waits) : predicted;
	loom_svg_text(stream, x, y + 16, 17, width, "fill=\"" LOOM_REPORT_INK "\" font-weight=\"bold\"", title);

	(void)snprintf(text, sizeof text, sums->in_flits ? "%" PRIu32 " flits" : "contention %" PRIu32, sums->load);
	double badge = 14 + loom_svg_width(text, 13, true);
	loom_report_colour(colour, sums->load, sums->max);
	(void)fprintf(stream,
	              "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"20\" rx=\"4\" fill=\"%s\"/>\n"
	              "<text x=\"%g\" y=\"%g\" font-size=\"13\" class=\"on\" font-weight=\"bold\" "
	              "text-anchor=\"middle\" fill=\"%s\">%s"
	              "</text>\n",
	              x, y + 25, badge, colour, x + badge / 2, y + 39.5, loom_report_ink_on(sums->load, sums->max),
	              text);
	if (sums->cycles)
		(void)snprintf(text, sizeof text, "%.200s  \xc2\xb7  %s", sums->cycles,
		               trace ? "measured" : "predicted");
	else if (n != 0 && n != LOOM_CYCLES_UNKNOWN)
		(void)snprintf(text, sizeof text, "%" PRIu64 " cycles%s  \xc2\xb7  %s", n,
		               plan->n_passes > 1 ? " in all" : "", trace ? "measured" : "predicted");
	else
		(void)snprintf(text, sizeof text, "%s", trace ? "measured" : "predicted");
	if (trace && computed && !sums->cycles && n != predicted)
		(void)snprintf(text + strlen(text), sizeof text - strlen(text), ", %" PRIu64 " predicted", predicted);
	loom_svg_text(stream, x + badge + 10, y + 39.5, 13, width - badge - 10, "fill=\"" LOOM_REPORT_INK "\"", text);

	loom_report_map(map, sizeof map, plan);
	(void)snprintf(text, sizeof text, "planner %s  \xc2\xb7  map %s", plan->planner, map);
	loom_svg_text(stream, x, y + 62, 12, width, "fill=\"" LOOM_SVG_GREY "\"", text);
}

// --- Legends -------------------------------------------------------------------------------------------------------

#define LEGEND_TEXT 500

double loom_svg_legend_sources(FILE *stream, double x, double y, const char *text)
{
	enum { STEPS = 13 };
	for (uint32_t i = 0; i < STEPS; i++) {
		char colour[8];
		loom_report_path_colour(colour, i, STEPS);
		(void)fprintf(stream, "<path stroke=\"%s\" stroke-width=\"3\" d=\"M%g %gh4\"/>\n", colour, x + 4 * i,
		              y + 9);
	}
	loom_svg_text(stream, x + 60, y + 13, 12, LEGEND_TEXT, "fill=\"" LOOM_REPORT_INK "\"", text);
	return x + 87 + loom_svg_width(text, 12, false);
}

void loom_svg_legend_box(FILE *stream, double x, double y, const char *colour, const char *text)
{
	(void)fprintf(stream, "<rect x=\"%g\" y=\"%g\" width=\"26\" height=\"14\" fill=\"%s\"/>\n", x, y + 2, colour);
	loom_svg_text(stream, x + 33, y + 13, 12, 400, "fill=\"" LOOM_REPORT_INK "\"", text);
}

double loom_svg_legend_line(FILE *stream, double x, double y, const char *colour, const char *text)
{
	(void)fprintf(stream, "<path stroke=\"%s\" stroke-width=\"3\" d=\"M%g %gh26\"/>\n", colour, x, y + 9);
	loom_svg_text(stream, x + 33, y + 13, 12, LEGEND_TEXT, "fill=\"" LOOM_REPORT_INK "\"", text);
	return x + 60 + loom_svg_width(text, 12, false);
}

// --- Where drawings go -----------------------------------------------------------------------------------------------

#define ROW_MAX 1700    // pixels of drawings side by side
#define WIDTH_LEAST 720 // for the legend

void loom_svg_sheet_add(struct loom_svg_sheet *sheet, double width, double height)
{
	double gap = sheet->n++ ? LOOM_SVG_GAP : 0;
	sheet->across += width + gap;
	sheet->down += height + gap;
	sheet->widest = fmax(sheet->widest, width);
	sheet->tallest = fmax(sheet->tallest, height);
}

void loom_svg_sheet_close(struct loom_svg_sheet *sheet, double legend_height)
{
	sheet->stacked = sheet->across > ROW_MAX;
	sheet->width = fmax(2 * LOOM_SVG_MARGIN + (sheet->stacked ? sheet->widest : sheet->across), WIDTH_LEAST);
	sheet->x = LOOM_SVG_MARGIN;
	sheet->y = LOOM_SVG_TITLE + 22;
	sheet->height = sheet->y + (sheet->stacked ? sheet->down : sheet->tallest) + 14 + legend_height;
}

void loom_svg_sheet_next(struct loom_svg_sheet *sheet, double width, double height)
{
	if (sheet->stacked)
		sheet->y += height + LOOM_SVG_GAP;
	else
		sheet->x += width + LOOM_SVG_GAP;
}
