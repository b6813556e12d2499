// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws a sweep for readers without JavaScript: mean latency over the load, or cycles over the nodes, with a line for
// each curve; and the rows. The script replaces both.
#include "report/report_html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "report/report_colour.h"
#include "report/report_svg.h"

#define WIDTH 860.0
#define HEIGHT 480.0
#define LEFT 64.0
#define BOTTOM 48.0
#define TOP 14.0
#define RIGHT 16.0
#define COLUMNS_MOST 64

// A point of the plot; not numbers: there is none.
struct point {
	double x, y;
};

struct plot {
	FILE *stream;
	const json_t *curves; // of loads; NULL: rows of sizes
	const json_t *runs;
	double x_least, x_most, y_most;
	bool any;
	bool over_darks; // of rows of sizes: over the dark times of circuit switches
};

static double number_of(const json_t *value)
{
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static struct point point_of(const struct plot *p, const json_t *row)
{
	const json_t *measured = json_object_get(row, "measured_cycles"), *finish = json_object_get(row, "finish");
	if (!p->curves)
		return (struct point){
			number_of(json_object_get(row, p->over_darks ? "dark" : "nodes")),
			number_of(json_is_number(measured) ? measured : json_object_get(row, "predicted_cycles"))};
	if (finish)
		return (struct point){number_of(json_object_get(row, "accepted")),
		                      number_of(json_object_get(finish, "cycles"))};
	return (struct point){number_of(json_object_get(row, "load")),
	                      number_of(json_object_get(json_object_get(row, "latency"), "mean"))};
}

static bool is_known(struct point at)
{
	return isfinite(at.x) && isfinite(at.y);
}

static const json_t *rows_of(const struct plot *p, size_t k)
{
	return p->curves ? json_object_get(json_array_get(p->curves, k), "points") : p->runs;
}

static size_t count_lines(const struct plot *p)
{
	return p->curves ? json_array_size(p->curves) : 1;
}

static void measure_out(struct plot *p)
{
	for (size_t k = 0; k < count_lines(p); k++)
		for (size_t i = 0; i < json_array_size(rows_of(p, k)); i++) {
			const struct point at = point_of(p, json_array_get(rows_of(p, k), i));
			if (isfinite(at.y) && p->over_darks)
				p->y_most = fmax(p->y_most, at.y);
			if (!is_known(at))
				continue;
			p->x_least = p->any ? fmin(p->x_least, at.x) : at.x;
			p->x_most = p->any ? fmax(p->x_most, at.x) : at.x;
			p->y_most = fmax(p->y_most, at.y);
			p->any = true;
		}
}

static double x_of(const struct plot *p, double x)
{
	const double span = p->x_most - p->x_least;
	return LEFT + (span > 0 ? (x - p->x_least) / span : 0.5) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct plot *p, double y)
{
	return HEIGHT - BOTTOM - (p->y_most > 0 ? y / p->y_most : 0) * (HEIGHT - BOTTOM - TOP);
}

static void put_axes(const struct plot *p)
{
	enum { STEPS = 4 };
	for (int k = 0; k <= STEPS; k++) {
		const double y = p->y_most * k / STEPS, x = p->x_least + (p->x_most - p->x_least) * k / STEPS;
		char text[32];
		(void)fprintf(p->stream, "<path class=\"grid\" d=\"M%g %.1fH%g\"/>\n", LEFT, y_of(p, y), WIDTH - RIGHT);
		(void)snprintf(text, sizeof text, "%.4g", y);
		loom_svg_text(p->stream, LEFT - 6, y_of(p, y) + 4, 12, LEFT,
		              "fill=\"" LOOM_REPORT_INK "\" text-anchor=\"end\"", text);
		(void)snprintf(text, sizeof text, "%.4g", x);
		loom_svg_text(p->stream, x_of(p, x), HEIGHT - BOTTOM + 18, 12, 80,
		              "fill=\"" LOOM_REPORT_INK "\" text-anchor=\"middle\"", text);
	}
	const char *below = p->over_darks ? "cycles in which a switch is dark while it turns"
	                    : !p->curves  ? "nodes"
	                                  : "load, or what is accepted of a batch: flits per cycle and node";
	loom_svg_text(p->stream, WIDTH / 2, HEIGHT - 8, 13, WIDTH,
	              "fill=\"" LOOM_REPORT_INK "\" text-anchor=\"middle\"", below);
	loom_svg_text(p->stream, LEFT + 6, TOP + 12, 13, WIDTH, "fill=\"" LOOM_REPORT_INK "\"",
	              p->curves ? "mean latency, or the last arrival of a batch: cycles" : "cycles");
}

static void put_line(const struct plot *p, size_t k)
{
	char colour[8];
	bool first = true;
	loom_report_path_colour(colour, (uint32_t)k, (uint32_t)count_lines(p));
	(void)fprintf(p->stream,
	              "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%zu %zu\" d=\"", colour,
	              12 - 2 * (k % 5), 3 * (k % 5));
	for (size_t i = 0; i < json_array_size(rows_of(p, k)); i++) {
		const struct point at = point_of(p, json_array_get(rows_of(p, k), i));
		if (!is_known(at))
			continue;
		(void)fprintf(p->stream, "%c%.1f %.1f", first ? 'M' : 'L', x_of(p, at.x), y_of(p, at.y));
		first = false;
	}
	(void)fputs("\"/>\n", p->stream);
	for (size_t i = 0; i < json_array_size(rows_of(p, k)); i++) {
		const struct point at = point_of(p, json_array_get(rows_of(p, k), i));
		if (is_known(at))
			(void)fprintf(p->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n",
			              x_of(p, at.x), y_of(p, at.y), colour);
	}
}

// Writes the name of a curve beside a piece of its line: the fabric, and other values that may distinguish it.
static void put_name(const struct plot *p, size_t k)
{
	static const char *const parts[] = {"fabric", "map", "planner", "rule", "machine"};
	const json_t *curve = json_array_get(p->curves, k);
	char colour[8], text[256] = "";
	const double y = TOP + 30 + 16 * (double)k;
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		const char *part = json_string_value(json_object_get(curve, parts[i]));
		const size_t used = strlen(text);
		if (part)
			(void)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", part);
	}
	loom_report_path_colour(colour, (uint32_t)k, (uint32_t)count_lines(p));
	(void)fprintf(p->stream,
	              "<path stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%zu %zu\" d=\"M%g %gh32\"/>\n", colour,
	              12 - 2 * (k % 5), 3 * (k % 5), LEFT + 6, y - 4);
	loom_svg_text(p->stream, LEFT + 44, y, 12, WIDTH / 2, "fill=\"" LOOM_REPORT_INK "\"", text);
}

// A fabric without dark times has the same cycles all along.
static void put_level(const struct plot *p, double y, const char *name)
{
	(void)fprintf(p->stream, "<path fill=\"none\" stroke=\"" LOOM_REPORT_INK "\" d=\"M%g %.1fH%g\"/>\n", LEFT,
	              y_of(p, y), WIDTH - RIGHT);
	loom_svg_text(p->stream, WIDTH - RIGHT, y_of(p, y) - 3, 12, WIDTH,
	              "fill=\"" LOOM_REPORT_INK "\" text-anchor=\"end\"", name);
}

static bool is_over_darks(const struct plot *p)
{
	for (size_t i = 0; !p->curves && i < json_array_size(p->runs); i++)
		if (json_is_number(json_object_get(json_array_get(p->runs, i), "dark")))
			return true;
	return false;
}

static void put_plot(struct plot *p)
{
	measure_out(p);
	if (!p->any)
		return;
	(void)fprintf(
		p->stream,
		"<figure id=\"plain-curves\"><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
		"viewBox=\"0 0 %g %g\" role=\"img\"><title>the curves of the sweep</title>\n",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
	put_axes(p);
	for (size_t k = 0; p->curves && k < count_lines(p); k++) {
		put_line(p, k); // rows of sizes are of several kinds, which the script tells apart
		put_name(p, k);
	}
	for (size_t i = 0; !p->curves && i < json_array_size(p->runs); i++) {
		const struct point at = point_of(p, json_array_get(p->runs, i));
		if (is_known(at))
			(void)fprintf(p->stream,
			              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"" LOOM_REPORT_INK "\"/>\n",
			              x_of(p, at.x), y_of(p, at.y));
		else if (p->over_darks && isfinite(at.y))
			put_level(p, at.y, json_string_value(json_object_get(json_array_get(p->runs, i), "fabric")));
	}
	(void)fputs("</svg></figure>\n", p->stream);
}

// --- Rows -----------------------------------------------------------------------------------------------------------

static void put_cell(FILE *stream, const json_t *value)
{
	(void)fputs("<td>", stream);
	if (json_is_string(value))
		loom_svg_escaped(stream, json_string_value(value));
	else if (json_is_integer(value))
		(void)fprintf(stream, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		(void)fprintf(stream, "%.6g", json_real_value(value));
	else if (json_is_boolean(value))
		(void)fputs(json_is_true(value) ? "yes" : "no", stream);
	(void)fputs("</td>", stream);
}

static bool is_shown(const json_t *value)
{
	return json_is_string(value) || json_is_number(value) || json_is_boolean(value);
}

static void put_rows(const struct plot *p, const json_t *rows, const char *title)
{
	const char *name;
	const json_t *value, *first = json_array_get(rows, 0);
	const char *names[COLUMNS_MOST];
	size_t n = 0;
	if (!first)
		return;
	(void)fputs("<div class=\"scroll\"><table><caption>", p->stream);
	loom_svg_escaped(p->stream, title);
	(void)fputs("</caption><thead><tr>", p->stream);
	json_object_foreach((json_t *)(uintptr_t)first, name, value) {
		if (!is_shown(value) || n == COLUMNS_MOST)
			continue;
		names[n++] = name;
		(void)fputs("<th scope=\"col\">", p->stream);
		loom_svg_escaped(p->stream, name);
		(void)fputs("</th>", p->stream);
	}
	(void)fputs("<th scope=\"col\">latency</th></tr></thead><tbody>\n", p->stream);
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);
		(void)fputs("<tr>", p->stream);
		for (size_t k = 0; k < n; k++)
			put_cell(p->stream, json_object_get(row, names[k]));
		put_cell(p->stream, json_object_get(json_object_get(row, "latency"), "mean"));
		(void)fputs("</tr>\n", p->stream);
	}
	(void)fputs("</tbody></table></div>\n", p->stream);
}

static void put_tables(const struct plot *p)
{
	(void)fputs("<section id=\"plain-rows\">\n", p->stream);
	for (size_t k = 0; k < count_lines(p); k++) {
		const char *name =
			p->curves ? json_string_value(json_object_get(json_array_get(p->curves, k), "fabric")) : "rows";
		put_rows(p, rows_of(p, k), name ? name : "rows");
	}
	(void)fputs("</section>\n", p->stream);
}

int loom_html_put_sweep(FILE *stream, const char *report, struct loom_err *err)
{
	json_error_t error;
	json_t *root = loom_json_read(report, strlen(report), &error);
	if (!root)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report");
	struct plot p = {
		.stream = stream, .curves = json_object_get(root, "curves"), .runs = json_object_get(root, "runs")};
	p.curves = json_is_array(p.curves) ? p.curves : NULL;
	p.over_darks = is_over_darks(&p);
	if (p.curves || json_is_array(p.runs)) {
		put_plot(&p);
		put_tables(&p);
	}
	json_decref(root);
	return 0;
}
