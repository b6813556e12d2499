// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The plot of a sweep over shares of the links that fail, at one load or the highest.
#include <stdio.h>
#include <string.h>

#include "cli_plot.h"
#include "cli_sweep.h"

enum { ACCEPTED, BELOW };

// Returns the colour of a curve, from 1: curves that differ only in what fails have the same.
static unsigned colour_of(const struct sweep *s, const struct sweep_curve *c)
{
	unsigned colour = 1;
	for (const struct sweep_curve *other = s->curves; strcmp(other->series, c->series) != 0; other++)
		colour += other->i_fail == 0;
	return colour;
}

// Adds a point of a line, and around it the interval over the seeds, if there are several.
static void add_point(struct cli_plot *plot, const struct cli_line *like, double x, double y,
                      const struct loom_interval *interval)
{
	const struct cli_line band = {
		.panel = like->panel, .width = 1, .dashes = 1, .colour = like->colour, .band = true};
	if (interval && interval->n >= 2) {
		const double low = interval->mean - interval->half_width;
		cli_plot_span(plot, &band, x, low > 0 ? low : 0, interval->mean + interval->half_width);
	}
	cli_plot_point(plot, like, x, y);
}

static void add_row(struct cli_plot *plot, const struct sweep *s, const struct sweep_row *row)
{
	const struct sweep_curve *c = row->curve;
	const struct loom_load_point *p = &row->point;
	const bool many = row->over_seeds.n > 1, is_max = s->request->loads.max;
	struct cli_line line = {.panel = ACCEPTED, .width = 2, .dashes = 1, .dots = 0.6, .colour = colour_of(s, c)};
	struct cli_line below = line;
	(void)snprintf(line.title, sizeof line.title, "%s", c->series);
	add_point(plot, &line, c->fail.percent, p->accepted, many ? &row->over_seeds.accepted : NULL);
	below.panel = BELOW;
	if (is_max)
		add_point(plot, &below, c->fail.percent, c->fail.lanes, NULL);
	else if (!p->saturated)
		add_point(plot, &below, c->fail.percent, p->mean, many ? &row->over_seeds.mean : NULL);
	else
		(void)cli_plot_line(plot, &below);
}

int sweep_fail_plot(const struct sweep *s, struct loom_err *err)
{
	const struct cli_request *r = s->request;
	char title[360], lengths[SWEEP_LENGTHS], seeds[64] = "", load[48], settings[120];
	const struct cli_line interval = {
		.title = "95% interval of the mean", .function = "1/0", .width = 9, .dashes = 1, .rgb = "#c9ced6"};
	struct cli_plot plot = {.title = title,
	                        .width = 900,
	                        .height = 680,
	                        .key = "below maxcols 2",
	                        .settings = settings,
	                        .n_panels = 2,
	                        .panels = {{"set yrange [0:*]\n", "", "accepted, flits per cycle and node"},
	                                   {"set yrange [0:*]\n", "links that fail, percent of all",
	                                    r->loads.max ? "lanes of each link" : "latency, cycles to the last tail"}}};
	bool any = false;
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].state == SWEEP_DONE) {
			add_row(&plot, s, &s->rows[i]);
			any = true;
		}
	if (cli_replicates(r))
		(void)cli_plot_line(&plot, &interval);
	if (s->n_seeds > 1)
		(void)snprintf(seeds, sizeof seeds, ", %u seeds", (unsigned)s->n_seeds);
	if (r->loads.max)
		(void)snprintf(load, sizeof load, "the highest load that is sustained");
	else
		(void)snprintf(load, sizeof load, "a load of %.4g", cli_load_at(&r->loads, 0));
	(void)snprintf(settings, sizeof settings, "set xrange [0:%.10g]\nset lmargin 10\nset rmargin 4\n",
	               (double)(r->fail_parts.first + (r->fail_parts.n - 1) * r->fail_parts.step) / CLI_PERCENT * 1.02);
	(void)snprintf(title, sizeof title, "%.120s, %.60s flits a message, %s%s", r->words[1],
	               sweep_load_lengths_text(lengths, s), load, seeds);
	int rc = any ? cli_plot_draw(r->svg, &plot, err)
	             : loom_fail(err, LOOM_EINPUT, "--svg: there is nothing to plot: no point is done");
	cli_plot_free(&plot);
	return rc;
}
