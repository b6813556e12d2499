// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A plot, drawn by gnuplot: a script on its standard input, the picture from its standard output.
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "base/file.h"
#include "report/report_text.h"

#define TIMEOUT_MS 60000
#define STEP_MS 5
#define NAME_MOST 40 // characters beside a plot

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

// Files on both sides, not pipes: nobody waits for anybody.
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

// Between single quotes gnuplot replaces nothing; one is written as two.
void cli_plot_put_quoted(FILE *script, const char *text)
{
	char clean[512];
	loom_report_text(clean, sizeof clean, text);
	(void)fputc('\'', script);
	for (const char *c = clean; *c; c++)
		(void)fprintf(script, *c == '\'' ? "''" : "%c", *c);
	(void)fputc('\'', script);
}

static bool are_equal(const struct cli_curve *a, const struct cli_curve *b)
{
	return a->n == b->n && a->dashed == b->dashed && memcmp(a->x, b->x, a->n * sizeof *a->x) == 0 &&
	       memcmp(a->y, b->y, a->n * sizeof *a->y) == 0;
}

static bool is_first(const struct cli_curve *curves, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (are_equal(&curves[k], &curves[i]))
			return false;
	return curves[i].n > 0;
}

struct script {
	const struct cli_plot *plot;
	const struct cli_curve *curves;
	size_t n;
};

// True if the names are so long that beside the plot they would leave it no room.
static bool are_long(const struct cli_curve *curves, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(curves[i].name) > NAME_MOST)
			return true;
	return false;
}

static void put_script(FILE *script, const void *user)
{
	const struct script *what = user;
	const struct cli_plot *plot = what->plot;
	const struct cli_curve *curves = what->curves;
	const size_t n = what->n;
	const char *separator = "";
	(void)fprintf(script,
	              "set terminal svg size 860,560 dynamic noenhanced font 'Helvetica,14' background '#ffffff'\n"
	              "set logscale y 10\nset grid lc rgb '#e6e9ed'\nset border 3\n"
	              "set xtics nomirror\nset ytics nomirror\nset key outside %s Left reverse\n"
	              "set offsets graph 0.03, graph 0.03, 0, 0\nset title ",
	              are_long(curves, n) ? "below maxcols 1" : "right top");
	cli_plot_put_quoted(script, plot->title);
	(void)fputs("\nset xlabel ", script);
	cli_plot_put_quoted(script, plot->x_title);
	(void)fputs("\nset ylabel ", script);
	cli_plot_put_quoted(script, plot->y_title);
	if (!plot->x_is_linear)
		(void)fputs("\nset logscale x 2", script);
	for (size_t i = 0; i < n; i++) {
		(void)fprintf(script, "\n$curve%zu << END\n", i);
		for (size_t k = 0; k < curves[i].n; k++)
			(void)fprintf(script, "%" PRIu32 " %.10g\n", curves[i].x[k], curves[i].y[k]);
		(void)fputs("END", script);
	}
	(void)fputs("\nplot ", script);
	for (size_t i = 0; i < n; i++) {
		char names[512];
		size_t used = 0;
		if (!is_first(curves, i))
			continue;
		for (size_t k = i; k < n && used < sizeof names; k++)
			if (are_equal(&curves[i], &curves[k]))
				used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
				                         curves[k].name);
		(void)fprintf(script, "%s$curve%zu using 1:2 with linespoints lw 2 pt 7 ps 0.6 lc %u dt %d title ",
		              separator, i, curves[i].colour, curves[i].dashed ? 2 : 1);
		cli_plot_put_quoted(script, names);
		separator = ", ";
	}
	(void)fputc('\n', script);
}

static int copy_stream(FILE *stream, const void *user)
{
	char block[4096];
	FILE *from = *(FILE *const *)user;
	for (size_t n; (n = fread(block, 1, sizeof block, from)) > 0;)
		(void)fwrite(block, 1, n, stream); // whoever owns the stream looks for errors
	return ferror(from) ? -1 : 0;
}

static int draw(const char *path, void (*put)(FILE *script, const void *user), const void *user, struct loom_err *err)
{
	FILE *script = tmpfile(), *picture = tmpfile();
	int rc = script && picture ? 0 : fail_temporary(err);
	if (rc == 0) {
		put(script, user);
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

int cli_plot_draw(const char *path, void (*put)(FILE *script, const void *user), const void *user, struct loom_err *err)
{
	struct cli_picture svg;
	int begun = cli_picture_begin(&svg, path, err);
	return begun != 0 ? begun : cli_picture_end(&svg, draw(svg.drawn, put, user, err), err);
}

int cli_plot(const char *path, const struct cli_plot *plot, const struct cli_curve *curves, size_t n_curves,
             struct loom_err *err)
{
	const struct script script = {plot, curves, n_curves};
	bool any = false;
	for (size_t i = 0; i < n_curves; i++)
		any = any || curves[i].n > 0;
	if (!any)
		return loom_fail(err, LOOM_EINPUT,
		                 "--svg: there is nothing to plot: with contention no cycles are predicted");
	return cli_plot_draw(path, put_script, &script, err);
}
