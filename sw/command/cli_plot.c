// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws a plot by gnuplot: a script on its standard input, the picture from its standard output.
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli.h"
#include "cli_picture.h"
#include "cli_plot.h"

#define TIMEOUT_MS 60000
#define STEP_MS 5

extern char **environ;

static int wait_for(pid_t child, struct loom_err *err)
{
	for (unsigned ms = 0;; ms += STEP_MS) {
		int status = 0;
		pid_t ended = waitpid(child, &status, WNOHANG);
		if (ended == child)
			return WIFEXITED(status) && WEXITSTATUS(status) == 0
			               ? 0
			               : loom_fail(err, LOOM_EFILE, "gnuplot failed (status 0x%x)", (unsigned)status);
		if (ended < 0)
			return loom_fail(err, LOOM_EFILE, "gnuplot: %s", strerror(errno));
		if (ms >= TIMEOUT_MS) {
			(void)kill(child, SIGKILL);
			(void)waitpid(child, &status, 0);
			return loom_fail(err, LOOM_ETIMEOUT, "gnuplot did not end within %d s", TIMEOUT_MS / 1000);
		}
		(void)nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
	}
}

// Uses files on both sides, not pipes, so that neither program waits for the other.
static int run_gnuplot(FILE *script, FILE *picture, struct loom_err *err)
{
	char *argv[] = {(char[]){"gnuplot"}, (char[]){"--default-settings"}, (char[]){"-"}, NULL};
	posix_spawn_file_actions_t actions;
	pid_t child = 0;
	if (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0)
		return loom_fail(err, LOOM_EFILE, "a temporary file cannot be written: %s", strerror(errno));
	int reason = posix_spawn_file_actions_init(&actions);
	if (reason == 0) {
		reason = posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
		if (reason == 0)
			reason = posix_spawn_file_actions_adddup2(&actions, fileno(picture), STDOUT_FILENO);
		if (reason == 0)
			reason = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
		if (reason == 0)
			reason = posix_spawnp(&child, "gnuplot", &actions, NULL, argv, environ);
		(void)posix_spawn_file_actions_destroy(&actions);
	}
	if (reason == ENOENT)
		return loom_fail(
			err, LOOM_EFILE,
			"--svg: gnuplot, which draws the plot, is not installed (apt-get install gnuplot-nox)");
	if (reason != 0)
		return loom_fail(err, LOOM_EFILE, "gnuplot cannot be started: %s", strerror(reason));
	return wait_for(child, err);
}

static int fail_temporary(struct loom_err *err)
{
	return loom_fail(err, LOOM_EFILE, "no temporary file for a plot: %s", strerror(errno));
}

int cli_plot_check(struct loom_err *err)
{
	FILE *script = tmpfile(), *picture = tmpfile();
	int rc = script && picture ? run_gnuplot(script, picture, err) : fail_temporary(err);
	if (script)
		(void)fclose(script);
	if (picture)
		(void)fclose(picture);
	return rc;
}

// --- The script ----------------------------------------------------------------------------------------------------

struct cli_line *cli_plot_line(struct cli_plot *plot, const struct cli_line *like)
{
	for (size_t i = 0; i < plot->n_lines; i++) {
		struct cli_line *line = &plot->lines[i];
		if (line->panel == like->panel && line->band == like->band && line->dashes == like->dashes &&
		    line->colour == like->colour && line->rgb == like->rgb && line->function == like->function &&
		    strcmp(line->title, like->title) == 0)
			return line;
	}
	struct cli_line *lines = realloc(plot->lines, (plot->n_lines + 1) * sizeof *lines);
	plot->failed = plot->failed || !lines;
	if (!lines)
		return NULL;
	plot->lines = lines;
	lines[plot->n_lines] = *like;
	return &lines[plot->n_lines++];
}

void cli_plot_span(struct cli_plot *plot, const struct cli_line *like, double x, double low, double high)
{
	struct cli_line *line = cli_plot_line(plot, like);
	struct cli_point *points = line ? realloc(line->points, (line->n + 1) * sizeof *points) : NULL;
	plot->failed = plot->failed || !points;
	if (!points)
		return;
	line->points = points;
	points[line->n++] = (struct cli_point){x, low, high};
}

void cli_plot_point(struct cli_plot *plot, const struct cli_line *like, double x, double y)
{
	cli_plot_span(plot, like, x, y, y);
}

void cli_plot_free(struct cli_plot *plot)
{
	for (size_t i = 0; i < plot->n_lines; i++)
		free(plot->lines[i].points);
	free(plot->lines);
	*plot = (struct cli_plot){0};
}

// Quotes a text for gnuplot: between single quotes it replaces nothing, and a single quote is written twice.
static void put_quoted(FILE *script, const char *before, const char *text)
{
	char clean[512];
	loom_text_show(clean, sizeof clean, text);
	(void)fprintf(script, "%s'", before);
	for (const char *c = clean; *c; c++)
		(void)fprintf(script, *c == '\'' ? "''" : "%c", *c);
	(void)fputc('\'', script);
}

static void put_points(FILE *script, const struct cli_line *line, size_t i)
{
	if (line->upright)
		(void)fprintf(script, "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead lw %d dt %d lc %u\n",
		              line->points->x, line->points->x, line->width, line->dashes, line->colour);
	if (line->upright || line->n == 0)
		return;
	(void)fprintf(script, "$line%zu << END\n", i);
	for (size_t k = 0; k < line->n; k++)
		(void)fprintf(script, line->band || line->heat ? "%.10g %.10g %.10g\n" : "%.10g %.10g\n",
		              line->points[k].x, line->points[k].y, line->points[k].high);
	(void)fputs("END\n", script);
}

static void put_band(FILE *script, const struct cli_line *line, size_t i)
{
	if (line->n > 1)
		(void)fprintf(script, "$line%zu using 1:2:3 with filledcurves fs transparent solid 0.2 noborder", i);
	else
		(void)fprintf(script, "$line%zu using 1:(($2+$3)/2):2:3 with yerrorbars pt -1 lw %d", i, line->width);
	(void)fprintf(script, " lc %u notitle", line->colour);
}

static void put_line(FILE *script, const struct cli_line *line, size_t i)
{
	if (line->function)
		(void)fputs(line->function, script);
	else
		(void)fprintf(script, "$line%zu using 1:2", i);
	(void)fprintf(script, " with %s lw %d dt %d", line->dots > 0 ? "linespoints" : "lines", line->width,
	              line->dashes);
	if (line->rgb)
		(void)fprintf(script, " lc rgb '%s'", line->rgb);
	else
		(void)fprintf(script, " lc %u", line->colour);
	if (line->dots > 0)
		(void)fprintf(script, " pt 7 ps %g", line->dots);
	if (*line->title)
		put_quoted(script, " title ", line->title);
	else
		(void)fputs(" notitle", script);
}

static void put_script(FILE *script, const struct cli_plot *plot)
{
	(void)fprintf(script,
	              "set terminal svg size %u,%u dynamic noenhanced font 'Helvetica,14' background '#ffffff'\n"
	              "set grid lc rgb '#e6e9ed'\nset border 3\nset xtics nomirror\nset ytics nomirror\n"
	              "set key outside %s Left reverse height 1\n%s",
	              plot->width, plot->height, plot->key, plot->settings);
	put_quoted(script, plot->n_panels > 1 ? "set multiplot layout 2,1 title " : "set title ", plot->title);
	(void)fputc('\n', script);
	for (size_t i = 0; i < plot->n_lines; i++)
		put_points(script, &plot->lines[i], i);
	for (size_t p = 0; p < plot->n_panels; p++) {
		const char *separator = "\nplot ";
		(void)fputs(plot->panels[p].settings, script);
		if (*plot->panels[p].x_title)
			put_quoted(script, "set xlabel ", plot->panels[p].x_title);
		put_quoted(script, "\nset ylabel ", plot->panels[p].y_title);
		for (size_t i = 0; i < plot->n_lines; i++) {
			const struct cli_line *line = &plot->lines[i];
			if (line->panel != p || line->upright || (line->n == 0 && !line->function))
				continue;
			(void)fputs(separator, script);
			if (line->heat)
				(void)fprintf(script, "$line%zu using 1:2:3 with image pixels notitle", i);
			else
				(line->band ? put_band : put_line)(script, line, i);
			separator = ", ";
		}
		(void)fputc('\n', script);
	}
	(void)fputs(plot->n_panels > 1 ? "unset multiplot\n" : "", script);
}

static int copy_stream(FILE *stream, const void *user)
{
	char block[4096];
	FILE *from = *(FILE *const *)user;
	for (size_t n; (n = fread(block, 1, sizeof block, from)) > 0;)
		(void)fwrite(block, 1, n, stream); // whoever owns the stream looks for errors
	return ferror(from) ? -1 : 0;
}

static int draw(const char *path, const struct cli_plot *plot, struct loom_err *err)
{
	FILE *script = tmpfile(), *picture = tmpfile();
	int rc = script && picture ? 0 : fail_temporary(err);
	if (rc == 0) {
		put_script(script, plot);
		rc = run_gnuplot(script, picture, err);
	}
	if (rc == 0) {
		(void)fseek(picture, 0, SEEK_END);
		long size = ftell(picture);
		(void)fseek(picture, 0, SEEK_SET);
		rc = size > 0 ? loom_file_write(path, copy_stream, &picture, err)
		              : loom_fail(err, LOOM_EFILE, "gnuplot drew nothing");
	}
	if (script)
		(void)fclose(script);
	if (picture)
		(void)fclose(picture);
	return rc;
}

int cli_plot_draw(const char *path, const struct cli_plot *plot, struct loom_err *err)
{
	struct cli_picture svg;
	if (plot->failed)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a plot");
	int begun = cli_picture_begin(&svg, path, err);
	return begun != 0 ? begun : cli_picture_end(&svg, draw(svg.drawn, plot, err), err);
}
