// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_PLOT_H
#define FLITLOOM_CLI_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include <flitloom/err.h>

// --- A plot by gnuplot (cli_plot.c) ---

// A line of a plot: points, or a function.
struct cli_line {
	char title[512];      // "": not in the key
	const char *function; // a function of x, as gnuplot writes it; NULL: points
	bool band;            // from the one y of each point to the other; for a single point a bar
	bool heat;            // each point is a patch, whose colour is its `high`
	bool upright;         // a vertical line at the x of its one point, behind all panels
	unsigned panel;
	int width, dashes; // pixels; gnuplot's dash type, 1: none
	double dots;       // on the points, in gnuplot's size of them; 0: none
	const char *rgb;   // NULL: colour
	unsigned colour;   // gnuplot's, from 1
	size_t n;
	struct cli_point {
		double x, y, high; // high: for a band
	} * points;                // owned
};

// Panels, one below the other.
struct cli_plot {
	const char *title, *key, *settings; // where the key is, and what else there is to set, as gnuplot has it
	unsigned width, height;             // pixels
	size_t n_panels, n_lines;
	struct {
		const char *settings, *x_title, *y_title;
	} panels[2];
	struct cli_line *lines; // owned
	bool failed;            // memory ran out
};

int cli_plot_check(struct loom_err *err); // LOOM_EFILE: there is no gnuplot
// Adds a line, or finds the one with the same title, panel, dashes and colour. NULL: memory ran out, which
// cli_plot_draw reports.
struct cli_line *cli_plot_line(struct cli_plot *plot, const struct cli_line *like);
// Adds a point to that line.
void cli_plot_point(struct cli_plot *plot, const struct cli_line *like, double x, double y);
void cli_plot_span(struct cli_plot *plot, const struct cli_line *like, double x, double low, double high); // to a band
int cli_plot_draw(const char *path, const struct cli_plot *plot, struct loom_err *err);
void cli_plot_free(struct cli_plot *plot);

#endif
