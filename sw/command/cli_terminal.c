// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli.h"
#include "cli_terminal.h"

#define COLUMNS (LOOM_TEXT_WIDTH - 1) // a line that is full would break

bool cli_colour(void)
{
	const char *term = getenv("TERM"), *none = getenv("NO_COLOR");
	return isatty(STDOUT_FILENO) && !(none && *none) && term && strcmp(term, "dumb") != 0;
}

int cli_flush(struct loom_err *err)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	return loom_fail(err, LOOM_EFILE, "standard output: cannot be written%s%s", errno ? ": " : "",
	                 errno ? strerror(errno) : "");
}

void cli_put_wrapped(FILE *stream, int column, int indent, const char *words)
{
	const char *gap = column < indent ? "" : "\n";
	(void)fprintf(stream, "%s%*s", gap, *gap ? indent : indent - column, "");
	(void)loom_text_put_wrapped(stream, indent, words);
	(void)fputc('\n', stream);
}

void cli_progress_init(struct cli_progress *progress, const struct cli_request *request)
{
	bool heard = !request->quiet && !request->json, terminal = isatty(STDERR_FILENO);
	*progress = (struct cli_progress){
		.wanted = heard && terminal, .lines = heard && !terminal, .quiet = request->quiet};
}

void cli_progress_text(void *user, const char *text)
{
	struct cli_progress *progress = user;
	if (!progress->wanted)
		return;
	int length = (int)strnlen(text, COLUMNS), rest = progress->shown > length ? progress->shown - length : 0;
	(void)fprintf(stderr, "\r%.*s%*s", length, text, rest, "");
	(void)fflush(stderr);
	progress->shown = length;
}

// Off a terminal the first line says what happens; of what follows, a line each half minute says that it goes on.
void cli_progress_model(void *user, const char *text)
{
	enum { SELDOM_MS = 25000 };
	struct cli_progress *progress = user;
	const double now_ms = loom_clock_ms();
	if (progress->wanted) {
		cli_progress_text(progress, text);
	} else if (!progress->quiet && (progress->model_ms == 0 || now_ms - progress->model_ms >= SELDOM_MS)) {
		(void)fprintf(stderr, "%s\n", text);
		progress->model_ms = now_ms;
	}
}

void cli_progress_end(struct cli_progress *progress)
{
	if (progress->shown > 0)
		(void)fprintf(stderr, "\r%*s\r", progress->shown, "");
	progress->shown = 0;
}
