// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The plot of sweep --load: latency over the offered load, and below it what was accepted of it. Upright lines are what the
// channels could carry.
#include <inttypes.h>

#include <string.h>

#include "cli_load.h"

#define ALL_OFFERED "all that is offered"
#define WIDTH 1100 // pixels of the picture
#define HEIGHT 760 // without the lines of the key
#define LINE 18
#define KEY_WIDTH (WIDTH - 100)
#define CHARACTER 10 // pixels at most
#define KEY_SAMPLE 70

static bool has_points(const struct load_sweep *s, const struct load_curve *c, bool sustained)
{
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].curve == c && s->rows[i].state == LOAD_DONE &&
		    (!sustained || !s->rows[i].point.saturated))
			return true;
	return false;
}

static void put_data(FILE *script, const struct load_sweep *s)
{
	for (size_t c = 0; c < s->n_curves; c++) {
		(void)fprintf(script, "$curve%zu << END\n", c);
		for (size_t i = 0; i < s->n_rows; i++) {
			const struct loom_load_point *p = &s->rows[i].point;
			if (s->rows[i].curve != &s->curves[c] || s->rows[i].state != LOAD_DONE)
				continue;
			(void)fprintf(script, "%.10g %.10g", p->offered, p->accepted);
			if (p->saturated)
				(void)fputs(" ? ? ? ?\n", script);
			else
				(void)fprintf(script, " %.10g %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", p->mean, p->p50,
				              p->p95, p->p99);
		}
		(void)fputs("END\n", script);
	}
}

// Each curve a colour, which the key of the lower plot tells: the mean as a line with points, the percentiles without points, the
// rarer the lighter.
static void put_latencies(FILE *script, const struct load_sweep *s)
{
	static const struct {
		int column, width, dashes;
		const char *name;
	} lines[] = {{3, 2, 1, "mean"}, {4, 1, 4, "50%"}, {5, 1, 2, "95%"}, {6, 1, 3, "99%"}};
	enum { LINES = sizeof lines / sizeof lines[0] };
	const char *separator = "plot ";
	for (size_t c = 0; c < s->n_curves; c++)
		for (size_t k = 0; k < LINES; k++) {
			if (!has_points(s, &s->curves[c], true))
				continue;
			(void)fprintf(script, "%s$curve%zu using 1:%d with %s lw %d dt %d lc %zu%s notitle", separator,
			              c, lines[k].column, k == 0 ? "linespoints" : "lines", lines[k].width,
			              lines[k].dashes, c + 1, k == 0 ? " pt 7 ps 0.5" : "");
			separator = ", ";
		}
	if (*separator == 'p') // nothing was sustained
		(void)fputs("set yrange [10:1000]\nplot 1/0 notitle", script);
	for (size_t k = 0; k < LINES; k++)
		(void)fprintf(script, ", 1/0 with %s lw %d dt %d lc rgb '#687280'%s title '%s'",
		              k == 0 ? "linespoints" : "lines", lines[k].width, lines[k].dashes,
		              k == 0 ? " pt 7 ps 0.5" : "", lines[k].name);
	(void)fputc('\n', script);
}

static void put_accepted(FILE *script, const struct load_sweep *s)
{
	(void)fputs("plot x with lines lw 1 dt 3 lc rgb '#888888' title '" ALL_OFFERED "'", script);
	for (size_t c = 0; c < s->n_curves; c++)
		if (has_points(s, &s->curves[c], false)) {
			(void)fprintf(script, ", $curve%zu using 1:2 with linespoints lw 2 pt 7 ps 0.5 lc %zu title ",
			              c, c + 1);
			cli_plot_put_quoted(script, s->curves[c].name);
		}
	(void)fputc('\n', script);
}

// Lines of the lower key, and names in each.
static size_t key_lines(size_t *columns, const struct load_sweep *s)
{
	size_t longest = strlen(ALL_OFFERED), n = s->n_curves + 1;
	for (size_t c = 0; c < s->n_curves; c++)
		longest = strlen(s->curves[c].name) > longest ? strlen(s->curves[c].name) : longest;
	*columns = KEY_WIDTH / (longest * CHARACTER + KEY_SAMPLE);
	*columns = *columns ? *columns : 1;
	return (n + *columns - 1) / *columns;
}

static void put_script(FILE *script, const void *user)
{
	const struct load_sweep *s = user;
	const struct cli_request *r = s->request;
	size_t columns, lines = key_lines(&columns, s);
	char title[320];
	double most = 0;
	for (size_t i = 0; i < s->n_rows; i++)
		most = s->rows[i].state == LOAD_DONE && s->rows[i].point.offered > most ? s->rows[i].point.offered
		                                                                        : most;
	(void)snprintf(title, sizeof title, "%.160s, %" PRIu32 " flits a message, %s arrivals, machine %s", r->words[1],
	               r->flits, loom_arrivals_name(r->arrivals),
	               r->machines == 3 ? "fast and paper" : cli_machine_name(r->machine));
	(void)fprintf(script,
	              "set terminal svg size %d,%zu dynamic noenhanced font 'Helvetica,14' background '#ffffff'\n"
	              "set datafile missing '?'\nset grid lc rgb '#e6e9ed'\nset border 3\nset xtics nomirror\n"
	              "set ytics nomirror\nset key outside below maxcols %zu Left reverse\nset xrange [0:%.10g]\n"
	              "set lmargin 10\nset rmargin 4\nset multiplot layout 2,1 title ",
	              WIDTH, HEIGHT + 2 * LINE * lines, columns, most * 1.03);
	cli_plot_put_quoted(script, title);
	(void)fputc('\n', script);
	put_data(script, s);
	for (size_t c = 0; c < s->n_curves; c++)
		if (s->curves[c].capacity <= most * 1.03)
			(void)fprintf(script,
			              "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead lw 1 dt 2 lc %zu\n",
			              s->curves[c].capacity, s->curves[c].capacity, c + 1);
	(void)fputs("set logscale y 10\nset ylabel 'latency, cycles from release to the last tail'\n", script);
	put_latencies(script, s);
	(void)fputs("unset logscale y\nset yrange [0:*]\nset xlabel 'offered load, flits per cycle and sending node'\n"
	            "set ylabel 'accepted, flits per cycle and sending node'\n",
	            script);
	put_accepted(script, s);
	(void)fputs("unset multiplot\n", script);
}

int load_plot(const struct load_sweep *s, struct loom_err *err)
{
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].state == LOAD_DONE)
			return cli_plot_draw(s->request->svg, put_script, s, err);
	return loom_fail(err, LOOM_EINPUT, "--svg: there is nothing to plot: no point is done");
}
