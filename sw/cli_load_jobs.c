// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The rows of sweep --load side by side, each in a process of its own: a point knows nothing of the others, so what comes
// out does not depend on how many there are at a time.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli_load.h"

#define POLL_MS 100
#define SAY_PARTS 50 // how often a row tells how far it is

// A report of a process about its row: how far it is, and at last its result. Shorter than PIPE_BUF, so never in
// pieces.
struct word {
	double part;
	bool is_last;
	int rc;
	struct loom_load_point point;
	struct loom_err err;
};

struct job {
	pid_t child; // 0: there is none
	int pipe;
	size_t row;
	bool told; // the last word has come
};

struct jobs {
	struct load_sweep *s;
	size_t n, n_running, next_row, n_said;
	struct job *at; // owned
	bool stopping;
	int rc; // of the first row that failed
	size_t failed_row;
	struct loom_err *err;
	struct cli_progress progress;
	struct timespec began;
};

// --- In the process of a row ---------------------------------------------------------------------------------------

struct teller {
	int pipe;
	int n_said;
};

static int say_part(void *user, double part)
{
	struct teller *t = user;
	if (part * SAY_PARTS >= t->n_said + 1) {
		const struct word word = {.part = part};
		t->n_said = (int)(part * SAY_PARTS);
		if (write(t->pipe, &word, sizeof word) != (ssize_t)sizeof word)
			return 1;
	}
	return cli_interrupted();
}

static void live(const struct load_sweep *s, const struct load_row *row, int pipe)
{
	struct teller teller = {.pipe = pipe};
	struct word word = {.is_last = true, .part = 1};
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would read what it finds
	word.rc = load_run_row(&word.point, s, row, say_part, &teller, &word.err);
	ssize_t written = write(pipe, &word, sizeof word);
	_exit(written == (ssize_t)sizeof word ? 0 : 1);
}

// --- In the process of the command ---------------------------------------------------------------------------------

static int start(struct jobs *j, struct loom_err *err)
{
	struct job *job = j->at;
	int ends[2];
	while (job->child)
		job++;
	if (pipe(ends) != 0)
		return loom_fail(err, LOOM_EFILE, "no pipe to a process: %s", strerror(errno));
	(void)fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		(void)close(ends[0]);
		live(j->s, &j->s->rows[j->next_row], ends[1]);
	}
	(void)close(ends[1]);
	if (child < 0) {
		(void)close(ends[0]);
		return loom_fail(err, LOOM_ENOMEM, "no process for a point: %s", strerror(errno));
	}
	*job = (struct job){.child = child, .pipe = ends[0], .row = j->next_row};
	j->s->rows[j->next_row++].state = LOAD_RUNS;
	j->n_running++;
	return 0;
}

static void fail_row(struct jobs *j, size_t row, const struct loom_err *err)
{
	if (j->rc == 0 || row < j->failed_row) {
		j->rc = err->code;
		j->failed_row = row;
		*j->err = *err;
	}
}

static void hear(struct jobs *j, struct job *job)
{
	struct word word;
	struct load_row *row = &j->s->rows[job->row];
	ssize_t n = read(job->pipe, &word, sizeof word);
	if (n == (ssize_t)sizeof word) {
		row->part = word.part;
		job->told = word.is_last;
		if (word.is_last && word.rc == 0) {
			row->point = word.point;
			row->state = LOAD_DONE;
		} else if (word.is_last && !j->stopping) {
			fail_row(j, job->row, &word.err);
		}
		return;
	}
	if (n < 0 && errno == EINTR)
		return;
	int status = 0;
	(void)close(job->pipe);
	while (waitpid(job->child, &status, 0) < 0 && errno == EINTR)
		;
	if (!job->told && !j->stopping) {
		struct loom_err died;
		(void)loom_fail(&died, LOOM_EINTERNAL, "the process of load %g ended without a word (status 0x%x)",
		                row->load, (unsigned)status);
		fail_row(j, job->row, &died);
	}
	*job = (struct job){0};
	j->n_running--;
}

static void stop(struct jobs *j)
{
	for (size_t i = 0; !j->stopping && i < j->n; i++)
		if (j->at[i].child)
			(void)kill(j->at[i].child, SIGTERM);
	j->stopping = true;
}

static void wait_for_words(struct jobs *j, struct pollfd *polled)
{
	nfds_t n = 0;
	for (size_t i = 0; i < j->n; i++)
		polled[i] = (struct pollfd){.fd = j->at[i].child ? j->at[i].pipe : -1, .events = POLLIN};
	n = (nfds_t)j->n;
	if (poll(polled, n, POLL_MS) <= 0)
		return;
	for (size_t i = 0; i < j->n; i++)
		if (j->at[i].child && polled[i].revents)
			hear(j, &j->at[i]);
}

static void say_progress(struct jobs *j)
{
	struct timespec now;
	double done = 0;
	char text[96], left[32] = "";
	size_t n_done = 0;
	for (size_t i = 0; i < j->s->n_rows; i++) {
		done += j->s->rows[i].state == LOAD_DONE ? 1 : j->s->rows[i].part;
		n_done += j->s->rows[i].state == LOAD_DONE;
	}
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	double seconds = (double)(now.tv_sec - j->began.tv_sec) + (double)(now.tv_nsec - j->began.tv_nsec) / 1e9;
	if (seconds > 1 && done > 0)
		(void)snprintf(left, sizeof left, ", %.0f s left", seconds / done * ((double)j->s->n_rows - done) + 1);
	(void)snprintf(text, sizeof text, "%zu of %zu points%s", n_done, j->s->n_rows, left);
	cli_progress_text(&j->progress, text);
}

static int say_rows(struct jobs *j, int (*done)(struct load_sweep *, const struct load_row *, struct loom_err *),
                    struct loom_err *err)
{
	int rc = 0;
	while (rc == 0 && j->n_said < j->s->n_rows && j->s->rows[j->n_said].state == LOAD_DONE) {
		cli_progress_end(&j->progress);
		rc = done(j->s, &j->s->rows[j->n_said++], err);
	}
	return rc;
}

int load_run_rows(struct load_sweep *s, int (*done)(struct load_sweep *, const struct load_row *, struct loom_err *),
                  struct loom_err *err)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	struct loom_err first = {0};
	struct jobs j = {.s = s,
	                 .n = s->request->jobs ? s->request->jobs
	                      : cores > 0      ? (size_t)cores
	                                       : 1,
	                 .err = &first};
	j.n = j.n < s->n_rows ? j.n : s->n_rows;
	j.at = calloc(j.n, sizeof *j.at);
	struct pollfd *polled = calloc(j.n, sizeof *polled);
	int rc = j.at && polled ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for %zu processes", j.n);
	cli_progress_init(&j.progress, s->request);
	(void)clock_gettime(CLOCK_MONOTONIC, &j.began);
	while (rc == 0 && (j.n_running > 0 || (j.next_row < s->n_rows && !j.stopping))) {
		while (rc == 0 && !j.stopping && j.n_running < j.n && j.next_row < s->n_rows)
			rc = start(&j, err);
		wait_for_words(&j, polled);
		if (rc == 0)
			rc = say_rows(&j, done, err);
		say_progress(&j);
		if (rc != 0 || j.rc != 0 || cli_interrupted())
			stop(&j);
	}
	while (j.n_running > 0) // after a failure here
		wait_for_words(&j, polled);
	cli_progress_end(&j.progress);
	if (rc == 0 && j.rc != 0) {
		*err = first;
		rc = j.rc;
	}
	if (cli_interrupted()) {
		size_t n_done = 0;
		for (size_t i = 0; i < s->n_rows; i++)
			n_done += s->rows[i].state == LOAD_DONE;
		rc = loom_fail(err, LOOM_ETIMEOUT, "interrupted after %zu of %zu points", n_done, s->n_rows);
	}
	free(j.at);
	free(polled);
	return rc;
}
