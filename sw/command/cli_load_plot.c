// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The plot of a sweep over loads.
#include <math.h>
#include <string.h>

#include "cli_plot.h"
#include "cli_sweep.h"

#define ALL_OFFERED "all that is offered"

// Draws the mean as a line with dots, and the percentiles without dots, the rarer the lighter.
static const struct cli_line latencies[] = {{.title = "mean", .width = 2, .dashes = 1, .dots = 0.5},
                                            {.title = "50%", .width = 1, .dashes = 4},
                                            {.title = "95%", .width = 1, .dashes = 2},
                                            {.title = "99%", .width = 1, .dashes = 3}};
enum { LATENCIES = sizeof latencies / sizeof latencies[0] };

// Draws a band around a mean: its 95% interval over the seeds, if there are several.
static void add_band(struct cli_plot *plot, const struct cli_line *like, double x, const struct loom_interval *interval,
                     double least)
{
	struct cli_line band = {.panel = like->panel, .width = 1, .dashes = 1, .colour = like->colour, .band = true};
	const double low = interval->mean - interval->half_width;
	if (interval->n >= 2)
		cli_plot_span(plot, &band, x, low > least ? low : least, interval->mean + interval->half_width);
}

// Each curve has a colour; the key of the lower panel shows it.
static void add_row(struct cli_plot *plot, const struct sweep *s, const struct sweep_row *row)
{
	const struct loom_load_point *p = &row->point;
	const struct sweep_load *o = &row->over_seeds;
	const double latency[LATENCIES] = {p->mean, o->n ? o->p50.mean : (double)p->p50,
	                                   o->n ? o->p95.mean : (double)p->p95, o->n ? o->p99.mean : (double)p->p99};
	struct cli_line accepted = {
		.panel = 1, .width = 2, .dashes = 1, .dots = 0.5, .colour = (unsigned)(row->curve - s->curves) + 1};
	if (!p->saturated)
		add_band(plot, &(struct cli_line){.panel = 0, .colour = accepted.colour}, p->offered,
		         &row->over_seeds.mean, 1);
	add_band(plot, &accepted, p->offered, &row->over_seeds.accepted, 0);
	for (size_t k = 0; k < LATENCIES && !p->saturated; k++) {
		struct cli_line line = latencies[k];
		line.title[0] = '\0';
		line.colour = accepted.colour;
		cli_plot_point(plot, &line, p->offered, latency[k]);
	}
	(void)snprintf(accepted.title, sizeof accepted.title, "%s", row->curve->name);
	cli_plot_point(plot, &accepted, p->offered, p->accepted);
}

// Plots latency over the offered load, and below it the accepted load. Vertical lines show what the channels could
// carry.
static void add_lines(struct cli_plot *plot, const struct sweep *s, double most)
{
	const struct cli_line nothing = {.function = "1/0", .width = 1, .dashes = 1, .colour = 1};
	const struct cli_line offered = {
		.title = ALL_OFFERED, .function = "x", .panel = 1, .width = 1, .dashes = 3, .rgb = "#888888"};
	const struct cli_line interval = {
		.title = "95% interval of the mean", .function = "1/0", .width = 9, .dashes = 1, .rgb = "#c9ced6"};
	bool sustained = false;
	for (size_t i = 0; i < s->n_rows; i++)
		sustained = sustained || (s->rows[i].state == SWEEP_DONE && !s->rows[i].point.saturated);
	if (!sustained) {
		plot->panels[0].settings = "set logscale y 10\nset yrange [10:1000]\n";
		(void)cli_plot_line(plot, &nothing);
	}
	(void)cli_plot_line(plot, &offered);
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].state == SWEEP_DONE)
			add_row(plot, s, &s->rows[i]);
	for (size_t k = 0; k < LATENCIES; k++) {
		struct cli_line line = latencies[k];
		line.function = "1/0";
		line.rgb = "#687280";
		(void)cli_plot_line(plot, &line);
	}
	if (cli_replicates(s->request))
		(void)cli_plot_line(plot, &interval);
	for (size_t c = 0; c < s->n_curves; c++) {
		const struct cli_line line = {
			.upright = true, .panel = 2, .width = 1, .dashes = 2, .colour = (unsigned)c + 1};
		if (s->curves[c].capacity <= most)
			cli_plot_point(plot, &line, s->curves[c].capacity, 0);
	}
}

int sweep_load_plot(const struct sweep *s, struct loom_err *err)
{
	enum { WIDTH = 1100, HEIGHT = 760, LINE = 18, CHARACTER = 10, SAMPLE = 70 }; // pixels; the last two at most
	const struct cli_request *r = s->request;
	if (r->fail_parts.n > 1 && (r->loads.max || r->loads.n == 1))
		return sweep_fail_plot(s, err);
	char title[320], key[48], settings[96], lengths[SWEEP_LENGTHS];
	const size_t longest = (size_t)sweep_name_width(s, (int)strlen(ALL_OFFERED), true);
	const size_t fit = (WIDTH - 100) / (longest * CHARACTER + SAMPLE), columns = fit ? fit : 1;
	const size_t lines = (s->n_curves + columns) / columns; // of the lower panel's key
	struct cli_plot plot = {
		.title = title,
		.width = WIDTH,
		.height = (unsigned)(HEIGHT + 2 * LINE * lines),
		.key = key,
		.settings = settings,
		.n_panels = 2,
		.panels = {{"set logscale y 10\n", "", "latency, cycles from release to the last tail"},
	                   {"unset logscale y\nset yrange [0:*]\n", "offered load, flits per cycle and sending node",
	                    "accepted, flits per cycle and sending node"}}};
	double most = 0;
	bool any = false;
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].state == SWEEP_DONE) {
			most = s->rows[i].point.offered > most ? s->rows[i].point.offered : most;
			any = true;
		}
	most *= 1.03;
	(void)snprintf(key, sizeof key, "below maxcols %zu", columns);
	(void)snprintf(settings, sizeof settings, "set xrange [0:%.10g]\nset lmargin 10\nset rmargin 4\n", most);
	(void)snprintf(title, sizeof title, "%.120s, %.60s flits a message, %.40s arrivals, machine %s", r->words[1],
	               sweep_load_lengths_text(lengths, s), sweep_load_arrivals_text(r), sweep_load_machines_text(r));
	add_lines(&plot, s, most);
	int rc = any ? cli_plot_draw(r->svg, &plot, err)
	             : loom_fail(err, LOOM_EINPUT, "--svg: there is nothing to plot: no point is done");
	cli_plot_free(&plot);
	return rc;
}
