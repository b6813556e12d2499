// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plots of figures by a key.
#include <math.h>

#include "cli_plot.h"
#include "cli_sweep.h"

static void add_title(char title[512], const struct sweep *s, const struct sweep_row *row, const char *what)
{
	const uint64_t batch = s->request->batch;
	(void)snprintf(title, 512, "%s%s%s %.9g%s%s", s->n_curves > 1 ? row->curve->name : "",
	               s->n_curves > 1 ? ", " : "", batch ? "batch" : "load", batch ? (double)batch : row->point.load,
	               *what ? ", " : "", what);
}

// Plots latency over the key, mean and 95%, and below it what was delivered.
static void add_keys(struct cli_plot *plot, const struct sweep *s, const struct sweep_row *row, unsigned colour)
{
	struct cli_line mean = {.width = 2, .dashes = 1, .dots = 0.5, .colour = colour};
	struct cli_line high = {.width = 1, .dashes = 2, .colour = colour};
	struct cli_line accepted = {.panel = 1, .width = 2, .dashes = 1, .dots = 0.5, .colour = colour};
	if (row->point.saturated) // it has no latencies
		add_title(accepted.title, s, row, "saturated");
	add_title(mean.title, s, row, "mean");
	add_title(high.title, s, row, "95%");
	for (size_t i = 0; i < row->groups.n; i++) {
		struct sweep_by_row r;
		sweep_by_row_of(&r, s, row, i);
		if (!isnan(r.mean)) {
			cli_plot_point(plot, &mean, (double)r.number, r.mean);
			cli_plot_point(plot, &high, (double)r.number, r.p95);
		}
		cli_plot_point(plot, &accepted, (double)r.number, r.flits_per_cycle);
	}
}

static void add_histogram(struct cli_plot *plot, const struct sweep *s, const struct sweep_row *row, unsigned colour)
{
	struct cli_line line = {.width = 2, .dashes = 1, .colour = colour};
	add_title(line.title, s, row, "");
	for (size_t i = 0; i < row->groups.n; i++)
		cli_plot_point(plot, &line, (double)row->groups.group[i].key, (double)row->groups.group[i].n_messages);
}

// Draws a patch for each channel that exists and each window; a channel without a group has 0.
static void add_heat(struct cli_plot *plot, const struct sweep *s, const struct sweep_row *row)
{
	const struct loom_load_groups *g = &row->groups;
	const struct loom_topo *topo = &row->curve->topo;
	const uint32_t n_channels = loom_topo_channels(topo);
	const uint64_t n_windows = g->n ? g->group[g->n - 1].key / n_channels + 1 : 0;
	const struct cli_line heat = {.heat = true, .width = 1, .dashes = 1};
	size_t i = 0;
	for (uint64_t w = 0; w < n_windows; w++)
		for (uint32_t c = 0, place = 0; c < n_channels; c++) {
			double value = 0;
			if (i < g->n && g->group[i].key == w * n_channels + c) {
				struct sweep_by_row r;
				sweep_by_row_of(&r, s, row, i++);
				value = r.flits_per_cycle;
			}
			if (loom_topo_channel_exists(topo, c))
				cli_plot_span(plot, &heat, ((double)w + 0.5) * (double)g->window_cycles, place++,
				              value);
		}
}

int sweep_by_plot(const struct sweep *s, struct loom_err *err)
{
	const struct cli_request *r = s->request;
	const enum loom_load_key key = sweep_by_key(r);
	char title[320], settings[160];
	struct cli_plot plot = {.title = title, .width = 1100, .height = 760, .key = "below", .settings = settings};
	unsigned colour = 0;
	bool any = false;
	(void)snprintf(title, sizeof title, "%.120s by %s", r->words[1], r->by);
	(void)snprintf(settings, sizeof settings, "set lmargin 10\nset rmargin %d\n",
	               key == LOOM_LOAD_BY_CHANNEL ? 12 : 4);
	plot.n_panels = key < LOOM_LOAD_BY_LATENCY ? 2 : 1;
	if (key == LOOM_LOAD_BY_CHANNEL) {
		plot.panels[0].settings =
			"set palette defined (0 '#f4f6f8', 0.5 '#4a90d9', 1 '#8b1a1a')\nset cbrange [0:1]\n"
			"set cblabel 'flits per cycle'\nset autoscale fix\n";
		plot.panels[0].x_title = "cycle";
		plot.panels[0].y_title = "channel, in the order of their numbers";
	} else if (key == LOOM_LOAD_BY_LATENCY) {
		plot.panels[0].settings = "set logscale y 10\n";
		plot.panels[0].x_title = "latency, cycles from release to the last tail";
		plot.panels[0].y_title = "messages";
	} else {
		plot.panels[0].settings = plot.panels[1].settings = "set yrange [0:*]\n";
		plot.panels[0].x_title = "";
		plot.panels[0].y_title = "latency, cycles";
		plot.panels[1].x_title = key == LOOM_LOAD_BY_FLOW ? "flow: source * nodes + destination" : r->by;
		plot.panels[1].y_title = "delivered, flits per cycle";
	}
	for (size_t i = 0; i < s->n_rows; i++) {
		if (s->rows[i].state != SWEEP_DONE || s->rows[i].groups.n == 0)
			continue;
		any = true;
		colour++;
		if (key == LOOM_LOAD_BY_CHANNEL)
			add_heat(&plot, s, &s->rows[i]);
		else if (key == LOOM_LOAD_BY_LATENCY)
			add_histogram(&plot, s, &s->rows[i], colour);
		else
			add_keys(&plot, s, &s->rows[i], colour);
	}
	int rc = any ? cli_plot_draw(r->by_svg, &plot, err)
	             : loom_fail(err, LOOM_EINPUT, "--by-svg: there is nothing to plot");
	cli_plot_free(&plot);
	return rc;
}
