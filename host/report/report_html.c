// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the HTML document: a heading, pictures, and the report for people; behind them the same as data, and the
// script that reads them.
#include "report/report_html.h"

#include <stdlib.h>
#include <string.h>

#include <flitloom/version.h>

#include "base/file.h"
#include "base/json.h"
#include "report/report_colour.h"
#include "report/report_html_text.h"
#include "report/report_svg.h"
#include "report/report_svg_loads.h"
#include "topo/topo_ocs.h"
#include "report_page.h" // made by tools/report_page.sh

#define CHANNELS_MOST 65536  // the most channels that can be selected in the page
#define MESSAGES_MOST 100000 // the most messages of a plan that are listed one by one
#define COUNTS_MOST 16000000 // channels times passes
#define STAGES_NODES 256     // the most nodes of a multistage network drawn as stages

// --- Pictures -------------------------------------------------------------------------------------------------------

// Puts an SVG into the document: without the line that only a file of its own has.
static void put_svg(FILE *stream, const char *text)
{
	const char *svg = strstr(text, "<svg");
	(void)fputs(svg ? svg : text, stream);
}

static int draw(FILE *stream, const struct loom_panel *panel)
{
	if (loom_topo_has_circuits(&panel->plan->topo))
		return loom_svg_circuits(stream, panel, 1, NULL);
	const struct loom_topo *topo = &panel->plan->topo;
	const bool stages = loom_topo_links(topo) == 0 && topo->n_nodes <= STAGES_NODES &&
	                    (!topo->kind->two_directions || panel->plan->n_passes == 1);
	return stages                      ? loom_svg_stages(stream, panel, 1)
	       : loom_svg_grid_suits(topo) ? loom_svg_grid(stream, panel, 1)
	                                   : loom_svg_groups(stream, panel, 1);
}

// Writes the picture of a panel's network.
static int put_picture(FILE *stream, const struct loom_panel *panel, struct loom_err *err)
{
	char *text = NULL;
	size_t size = 0;
	FILE *svg = open_memstream(&text, &size);
	int rc = LOOM_ENOMEM;
	if (svg) {
		rc = draw(svg, panel);
		if (fclose(svg) != 0 || !text)
			rc = LOOM_ENOMEM;
	}
	if (rc == 0)
		put_svg(stream, text);
	free(text);
	return rc == 0 ? 0 : loom_fail(err, rc, "out of memory for a picture");
}

// --- The document ---------------------------------------------------------------------------------------------------

static void put_head(FILE *stream, const struct loom_html *html)
{
	(void)fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
	            "'" REPORT_SCRIPT_HASH "'; style-src '" REPORT_STYLE_HASH
	            "'; base-uri 'none'; form-action 'none'\">\n"
	            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	            "<meta name=\"color-scheme\" content=\"light dark\">\n"
	            "<meta name=\"generator\" content=\"flitloom " LOOM_VERSION "\">\n<title>",
	            stream);
	loom_svg_escaped(stream, html->title);
	(void)fputs("</title>\n<style>", stream);
	for (size_t i = 0; report_style[i]; i++)
		(void)fputs(report_style[i], stream);
	(void)fputs("</style>\n</head>\n<body>\n", stream);
}

static bool is_too_much(const struct loom_plan *plan)
{
	return plan->n_messages > MESSAGES_MOST || loom_topo_channels(&plan->topo) > CHANNELS_MOST ||
	       (uint64_t)loom_topo_channels(&plan->topo) * plan->n_passes > COUNTS_MOST;
}

// Returns the reason why the messages of a plan are not listed one by one; NULL: they are.
static const char *why_left_out(const struct loom_plan *plan)
{
	if (is_too_much(plan))
		return "There are too many messages or channels to show each one.";
	return loom_plan_is_adaptive(plan) ? "Routers choose the ways of messages, and do not report them: there is no "
	                                     "time line, but what each channel may carry, and did."
	                                   : NULL;
}

static const char *why_any_left_out(const struct loom_html *html)
{
	const char *why = NULL;
	for (size_t i = 0; i < html->n_panels && !why; i++)
		why = why_left_out(html->panels[i].plan);
	return why;
}

// Returns the largest load of all panels, which share one scale.
static uint32_t most_of(const struct loom_html *html)
{
	uint32_t most = 0;
	for (size_t i = 0; i < html->n_panels; i++)
		for (uint32_t pass = 0; pass < html->panels[i].plan->n_passes; pass++) {
			const uint32_t load = loom_plan_pass_contention(html->panels[i].plan, pass);
			most = load > most ? load : most;
		}
	return most;
}

static int put_figures(FILE *stream, const struct loom_html *html, struct loom_err *err)
{
	int rc = 0;
	if (html->n_panels)
		(void)fputs("<div id=\"panels\">\n", stream);
	for (size_t i = 0; rc == 0 && i < html->n_panels; i++) {
		(void)fprintf(stream, "<figure data-panel=\"%zu\">", i);
		struct loom_panel panel = html->panels[i];
		panel.marked = !is_too_much(panel.plan);
		panel.scale =
			html->n_panels > 1 && !loom_svg_in_flits(html->panels, html->n_panels) ? most_of(html) : 0;
		rc = put_picture(stream, &panel, err);
		(void)fputs("</figure>\n", stream);
	}
	if (html->n_panels)
		(void)fputs("</div>\n", stream);
	return rc;
}

// Writes the steps of the scale of colours, from 1 to the largest load, for the script.
static void put_colours(FILE *stream)
{
	enum { STEPS = 24 };
	char colour[8];
	for (uint32_t k = 0; k <= STEPS; k++) {
		loom_report_colour(colour, UINT32_C(1) << k, UINT32_C(1) << STEPS);
		(void)fprintf(stream, "%s\"%s\"", k ? "," : "", colour);
	}
	loom_report_colour(colour, 0, 1);
	(void)fprintf(stream, "],\"idle\":\"%s\"", colour);
}

static int put_data(FILE *stream, const struct loom_html *html, struct loom_err *err)
{
	int rc = 0;
	(void)fputs("<script type=\"application/json\" id=\"report\">", stream);
	loom_html_put_json(stream, html->report);
	(void)fputs("</script>\n<script type=\"application/json\" id=\"runs\">{\"colours\":[", stream);
	put_colours(stream);
	(void)fputs(",\"runs\":[", stream);
	for (size_t i = 0; rc == 0 && i < html->n_panels && !why_any_left_out(html); i++) {
		(void)fputs(i ? ",\n" : "", stream);
		rc = loom_html_put_run(stream, &html->panels[i], err);
	}
	bool any = false;
	for (size_t i = 0; rc == 0 && i < html->n_panels; i++) {
		const struct loom_panel *panel = &html->panels[i];
		if (!loom_plan_is_adaptive(panel->plan) || is_too_much(panel->plan))
			continue;
		(void)fputs(any ? ",\n" : "],\"chosen\":[", stream);
		rc = loom_html_put_chosen(stream, panel, err);
		any = true;
	}
	(void)fputs("]}</script>\n<script>", stream);
	for (size_t i = 0; report_script[i]; i++)
		(void)fputs(report_script[i], stream);
	(void)fputs("</script>\n</body>\n</html>\n", stream);
	return rc;
}

static int put_document(FILE *stream, const struct loom_html *html, struct loom_err *err)
{
	put_head(stream, html);
	(void)fputs("<header><h1>", stream);
	loom_svg_escaped(stream, html->title);
	(void)fputs("</h1></header>\n<main>\n", stream);
	if (html->left_out) {
		(void)fputs("<p class=\"note\">", stream);
		loom_svg_escaped(stream, html->left_out);
		(void)fputs("</p>\n", stream);
	}
	if (why_any_left_out(html))
		(void)fprintf(stream, "<p class=\"note\">%s</p>\n", why_any_left_out(html));
	int rc = put_figures(stream, html, err);
	if (rc == 0)
		rc = loom_html_put_sweep(stream, html->report, err);
	if (rc != 0)
		return rc;
	if (html->table) {
		(void)fputs("<section id=\"printed\"><h2>As printed</h2><pre tabindex=\"0\">", stream);
		loom_svg_escaped(stream, html->table);
		(void)fputs("</pre></section>\n", stream);
	}
	(void)fputs("</main>\n<footer>flitloom " LOOM_VERSION "</footer>\n", stream);
	return put_data(stream, html, err);
}

static int check_report(const char *report, struct loom_err *err)
{
	json_error_t error;
	json_t *root = loom_json_read(report, strlen(report), &error);
	const bool is_object = json_is_object(root);
	json_decref(root);
	if (is_object)
		return 0;
	return !root && error.line < 0 ? loom_fail(err, LOOM_ENOMEM, "out of memory for a report")
	                               : loom_fail(err, LOOM_EINPUT, "a report is a JSON object");
}

int loom_report_html(const char *path, const struct loom_html *html, struct loom_err *err)
{
	char *text = NULL;
	size_t size = 0;
	int rc = check_report(html->report, err);
	if (rc != 0)
		return rc;
	FILE *stream = open_memstream(&text, &size);
	rc = stream ? put_document(stream, html, err) : loom_fail(err, LOOM_ENOMEM, "out of memory for a document");
	if (stream && (fclose(stream) != 0 || !text) && rc == 0)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a document");
	if (rc == 0)
		rc = loom_file_write_text(path, text, size, err);
	free(text);
	return rc;
}
