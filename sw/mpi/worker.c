// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a flitloom as a process that gets the points to run by a pipe.
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define DIES_MOST 5

// Executes flitloom in this process: the one beside this program, or else that of PATH. Two more words may follow.
static void become(const struct worker *w, const char *option, const char *folder)
{
	char path[PATH_MAX];
	const ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof "flitloom");
	char **argv = calloc((size_t)w->argc + 3, sizeof *argv);
	if (!argv)
		_exit(4);
	memcpy(argv, w->argv, (size_t)w->argc * sizeof *argv);
	argv[0] = (char[]){"flitloom"};
	argv[w->argc] = option ? strdup(option) : NULL;
	argv[w->argc + 1] = option ? strdup(folder) : NULL;
	path[n < 0 ? 0 : n] = '\0';
	char *name = strrchr(path, '/');
	if (name) {
		memcpy(name + 1, "flitloom", sizeof "flitloom");
		(void)execv(path, argv);
	}
	(void)execvp("flitloom", argv);
	(void)fprintf(stderr, "flitloom-mpi: flitloom is not to be found: %s\n", strerror(errno));
	_exit(127);
}

void worker_begin(struct worker *w)
{
	int in[2], out[2];
	if (pipe2(in, O_CLOEXEC) != 0)
		return;
	if (pipe2(out, O_CLOEXEC) != 0) {
		(void)close(in[0]);
		(void)close(in[1]);
		return;
	}
	const pid_t child = fork();
	if (child == 0) {
		const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL); // no process would read its results
		(void)dup2(in[0], 0);
		(void)dup2(out[1], 1);
		(void)dup2(nowhere, 2); // faults are reported once, at the end
		become(w, "--take", w->folder);
	}
	(void)close(in[0]);
	(void)close(out[1]);
	(void)signal(SIGPIPE, SIG_IGN);
	w->process = child;
	w->in = in[1];
	w->out = out[0];
}

static enum worker_word note_end(struct worker *w)
{
	int status = 0;
	(void)close(w->in);
	(void)close(w->out);
	w->in = w->out = -1;
	w->n_said = 0;
	while (waitpid(w->process, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) && w->n_died++ < DIES_MOST ? WORKER_DIED : WORKER_FAILED;
}

// Reads the first line: the number of points, and the points to run. A flitloom that was started again repeats it.
static enum worker_word note_points(struct worker *w, char *line)
{
	char *at = line;
	const size_t n = strtoull(at, &at, 10);
	w->order = w->order ? w->order : calloc(n + 1, sizeof *w->order);
	if (!w->is_ready && w->order)
		while (*at && w->n_order < n)
			w->order[w->n_order++] = strtoull(at, &at, 10);
	w->n_points = n;
	w->is_ready = true;
	return w->order ? WORKER_READY : WORKER_FAILED;
}

// Checks for a whole line.
static enum worker_word take_line(struct worker *w, uint64_t *point)
{
	enum worker_word word = WORKER_DONE;
	char *end = w->n_said ? memchr(w->said, '\n', w->n_said) : NULL;
	if (!end)
		return WORKER_NOTHING;
	*end = '\0';
	if (strncmp(w->said, "points ", 7) == 0)
		word = note_points(w, w->said + 7);
	else {
		*point = strtoull(w->said, NULL, 10);
		w->n_died = 0;
	}
	w->n_said -= (size_t)(end + 1 - w->said);
	memmove(w->said, end + 1, w->n_said);
	return word;
}

enum worker_word worker_hear(struct worker *w, uint64_t *point, int timeout_ms)
{
	char part[4096];
	struct pollfd from = {.fd = w->out, .events = POLLIN}; // with a descriptor below 0, poll only waits
	const enum worker_word word = take_line(w, point);
	if (word != WORKER_NOTHING || poll(&from, 1, timeout_ms) <= 0)
		return word;
	const ssize_t n = read(w->out, part, sizeof part);
	if (n == 0)
		return note_end(w);
	char *said = n > 0 ? realloc(w->said, w->n_said + (size_t)n) : NULL;
	if (!said)
		return WORKER_NOTHING;
	memcpy(said + w->n_said, part, (size_t)n);
	w->said = said;
	w->n_said += (size_t)n;
	return take_line(w, point);
}

void worker_give(struct worker *w, uint64_t point)
{
	char text[32];
	const int n = snprintf(text, sizeof text, "%" PRIu64 "\n", point);
	if (w->in >= 0 && write(w->in, text, (size_t)n) != n)
		(void)kill(w->process, SIGKILL); // which poll then reports
}

void worker_end(struct worker *w)
{
	if (w->in >= 0) {
		(void)kill(w->process, SIGKILL); // another rank has its point, too
		(void)note_end(w);
	}
	free(w->said);
	free(w->order);
	w->said = NULL;
	w->order = NULL;
}

int worker_finish(const struct worker *w, const char *folder)
{
	int status = 0;
	const pid_t child = fork();
	if (child == 0)
		become(w, folder ? "--journal" : NULL, folder);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}
