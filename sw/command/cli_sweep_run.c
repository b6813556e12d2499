// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the rows of a sweep: in turn, so that they share a chip; or side by side, each in a process of its own. A point knows
// nothing of the others, so what comes out does not depend on how many there are at a time.
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli_sweep.h"

#define POLL_MS 100
#define JOBS_NODES_MOST 65536u // of a fabric that runs beside others unasked
#define SAY_PARTS 50           // how often a row tells how far it is

typedef int row_done(const struct sweep *s, const struct sweep_row *row, struct loom_err *err);

int sweep_open(struct sweep *s, const struct sweep_curve *c, struct loom_err *err)
{
	if (s->session.is_open && strcmp(s->fabric, c->topo.name) == 0)
		return 0;
	sweep_close(s);
	(void)snprintf(s->fabric, sizeof s->fabric, "%s", c->topo.name);
	int rc = cli_session_open(&s->session, &s->chip_request, &c->topo, err);
	if (rc != 0)
		sweep_close(s);
	return rc;
}

void sweep_close(struct sweep *s)
{
	(void)cli_session_close(&s->session, NULL); // sweep records no waveforms
	s->session = (struct cli_session){0};
}

// --- What is run on the RTL as well ----------------------------------------------------------------------------------

int sweep_check_link(const struct sweep *s, struct loom_err *err)
{
	const struct loom_link_kind *kind;
	const char *argument;
	if (!s->request->n_checked || loom_link_find(&kind, &argument, s->request->link, NULL, NULL) != 0)
		return 0;
	if (s->request->plan_only)
		return loom_fail(err, LOOM_EINPUT,
		                 "--check-on: it compares what is computed with what the RTL does; with --plan-only "
		                 "nothing is run");
	return loom_run_is_computed(s->request->link)
	               ? 0
	               : loom_fail(err, LOOM_EINPUT,
	                           "--check-on: it goes with --link model, whose points it looks at; these are run "
	                           "on link %s anyway",
	                           kind->name);
}

int sweep_choose_checked(struct sweep *s, const char *why, struct loom_err *err)
{
	const size_t n = s->request->n_checked;
	size_t n_can = 0, i_can = 0;
	for (size_t i = 0; i < s->n_rows; i++)
		n_can += s->rows[i].can_be_checked;
	if (n > n_can && why)
		return loom_fail(err, LOOM_EINPUT, "--check-on: sim:%zu: the RTL can run %zu of the %zu points; %.200s",
		                 n, n_can, s->n_rows, why);
	if (n > n_can)
		return loom_fail(err, LOOM_EINPUT, "--check-on: sim:%zu: the sweep has %zu point%s", n, s->n_rows,
		                 s->n_rows == 1 ? "" : "s");
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].can_be_checked) {
			s->rows[i].is_checked = (i_can + 1) * n / n_can > i_can * n / n_can;
			i_can++;
		}
	return 0;
}

// --- In turn -------------------------------------------------------------------------------------------------------

static int run_in_turn(struct sweep *s, row_done *done, struct loom_err *err)
{
	struct cli_progress progress;
	int rc = 0;
	cli_progress_init(&progress, s->request);
	cli_interrupt_begin();
	for (size_t i = 0; rc == 0 && i < s->n_rows; i++) {
		struct sweep_row *row = &s->rows[i];
		struct loom_err late;
		char text[LOOM_TOPO_NAME + 64];
		(void)snprintf(text, sizeof text, "%s, %zu of %zu", row->curve->topo.name, i + 1, s->n_rows);
		cli_progress_text(&progress, text);
		if (row->state == SWEEP_WAITS)
			rc = s->kind->run(s, row, NULL, NULL, err);
		cli_progress_end(&progress);
		int put = done(s, row, rc == 0 ? err : &late);
		rc = rc == 0 ? put : rc;
	}
	sweep_close(s);
	cli_interrupt_end();
	return rc;
}

// --- Side by side, in the process of a row -------------------------------------------------------------------------

// A report about a row: how far it is, or at last its result. Shorter than PIPE_BUF, so never in pieces.
struct word {
	size_t i;
	double part;
	bool is_last;
	struct sweep_row row;
	struct loom_err err; // code 0: none
};
_Static_assert(sizeof(struct word) <= PIPE_BUF, "a word comes in one piece");

struct teller {
	int pipe, n_said;
	size_t i;
};

static bool say_part(void *user, double part)
{
	struct teller *t = user;
	if (part * SAY_PARTS >= t->n_said + 1) {
		const struct word word = {.i = t->i, .part = part};
		t->n_said = (int)(part * SAY_PARTS);
		if (write(t->pipe, &word, sizeof word) != (ssize_t)sizeof word)
			return true;
	}
	return cli_interrupted();
}

static void live(struct sweep *s, size_t i, int pipe)
{
	struct teller teller = {.pipe = pipe, .i = i};
	struct word word = {.i = i, .is_last = true};
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would read what it finds
	word.err.code = s->kind->run(s, &s->rows[i], say_part, &teller, &word.err);
	word.row = s->rows[i];
	_exit(write(pipe, &word, sizeof word) == (ssize_t)sizeof word ? 0 : 1);
}

// --- Side by side, in the process of the command -------------------------------------------------------------------

struct jobs {
	struct sweep *s;
	size_t n, n_running, n_done, next_row;
	int pipe[2]; // all rows write to it
	bool stopping;
	size_t failed_row; // the first; as many as there are: none
	struct loom_err failure;
};

static int start(struct jobs *j, struct loom_err *err)
{
	struct sweep_row *row = &j->s->rows[j->next_row];
	(void)fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		live(j->s, j->next_row, j->pipe[1]);
	if (child < 0)
		return loom_fail(err, LOOM_ENOMEM, "no process for a point: %s", strerror(errno));
	row->child = child;
	row->state = SWEEP_RUNS;
	j->next_row++;
	j->n_running++;
	return 0;
}

static void end_row(struct jobs *j, size_t i, const struct loom_err *failure)
{
	struct sweep_row *row = &j->s->rows[i];
	row->state = failure->code == 0 ? SWEEP_DONE : SWEEP_WAITS;
	j->n_done += failure->code == 0;
	j->n_running--;
	if (failure->code != 0 && !j->stopping && i < j->failed_row) {
		j->failed_row = i;
		j->failure = *failure;
	}
}

// Takes in what the rows have said. Returns soon, also if none says anything.
static void hear(struct jobs *j)
{
	struct pollfd from = {.fd = j->pipe[0], .events = POLLIN};
	struct word word;
	for (int ms = POLL_MS; poll(&from, 1, ms) > 0 && read(from.fd, &word, sizeof word) == (ssize_t)sizeof word;
	     ms = 0) {
		struct sweep_row *row = &j->s->rows[word.i];
		row->part = word.part;
		if (!word.is_last)
			continue;
		const bool ended = row->ended;
		const pid_t child = row->child;
		if (word.err.code == 0)
			*row = word.row;
		while (!ended && waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
		end_row(j, word.i, &word.err);
	}
}

// Looks for processes that ended without a last word: it had been heard by now.
static void look_after(struct jobs *j)
{
	for (size_t i = 0; i < j->next_row; i++) {
		struct sweep_row *row = &j->s->rows[i];
		struct loom_err died;
		if (row->state != SWEEP_RUNS)
			continue;
		if (!row->ended) {
			row->ended = waitpid(row->child, &row->status, WNOHANG) >
			             0; // its last word may still be in the pipe
			continue;
		}
		(void)loom_fail(&died, LOOM_EINTERNAL, "the process of load %g ended without a word (status 0x%x)",
		                row->load, (unsigned)row->status);
		end_row(j, i, &died);
	}
}

static void stop(struct jobs *j)
{
	for (size_t i = 0; !j->stopping && i < j->next_row; i++)
		if (j->s->rows[i].state == SWEEP_RUNS && !j->s->rows[i].ended)
			(void)kill(j->s->rows[i].child, SIGTERM);
	j->stopping = true;
}

static void say_progress(const struct jobs *j, struct cli_progress *progress, const struct timespec *began)
{
	struct timespec now;
	double done = 0;
	char text[96], left[32] = "";
	for (size_t i = 0; i < j->s->n_rows; i++)
		done += j->s->rows[i].state == SWEEP_DONE ? 1 : j->s->rows[i].part;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	double seconds = (double)(now.tv_sec - began->tv_sec) + (double)(now.tv_nsec - began->tv_nsec) / 1e9;
	if (seconds > 1 && done > 0)
		(void)snprintf(left, sizeof left, ", %.0f s left", seconds / done * ((double)j->s->n_rows - done) + 1);
	(void)snprintf(text, sizeof text, "%zu of %zu points%s", j->n_done, j->s->n_rows, left);
	cli_progress_text(progress, text);
}

// As many points at a time as there are cores; but one, where each takes gigabytes.
static size_t jobs_of(const struct sweep *s)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	for (size_t i = 0; i < s->n_curves; i++)
		if (s->curves[i].topo.n_nodes > JOBS_NODES_MOST)
			return 1;
	return cores > 0 ? (size_t)cores : 1;
}

static int run_side_by_side(struct sweep *s, row_done *done, struct loom_err *err)
{
	struct jobs j = {.s = s, .n = s->request->jobs ? s->request->jobs : jobs_of(s), .failed_row = s->n_rows};
	struct cli_progress progress;
	struct timespec began;
	size_t n_said = 0;
	int rc = 0;
	if (pipe(j.pipe) != 0)
		return loom_fail(err, LOOM_EFILE, "no pipe to a process: %s", strerror(errno));
	cli_progress_init(&progress, s->request);
	(void)clock_gettime(CLOCK_MONOTONIC, &began);
	while (j.n_running > 0 || (j.next_row < s->n_rows && !j.stopping)) {
		while (rc == 0 && !j.stopping && j.n_running < j.n && j.next_row < s->n_rows)
			rc = start(&j, err);
		hear(&j);
		look_after(&j);
		for (; rc == 0 && n_said < s->n_rows && s->rows[n_said].state == SWEEP_DONE; n_said++) {
			cli_progress_end(&progress);
			rc = done(s, &s->rows[n_said], err);
		}
		say_progress(&j, &progress, &began);
		if (rc != 0 || j.failed_row < s->n_rows || cli_interrupted())
			stop(&j);
	}
	cli_progress_end(&progress);
	(void)close(j.pipe[0]);
	(void)close(j.pipe[1]);
	if (cli_interrupted())
		return loom_fail(err, LOOM_ETIMEOUT, "interrupted after %zu of %zu points", j.n_done, s->n_rows);
	if (rc == 0 && j.failed_row < s->n_rows) {
		*err = j.failure;
		rc = j.failure.code;
	}
	return rc;
}

int sweep_run(struct sweep *s, row_done *done, struct loom_err *err)
{
	return s->kind->side_by_side ? run_side_by_side(s, done, err) : run_in_turn(s, done, err);
}
