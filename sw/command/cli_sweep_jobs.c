// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the rows of a sweep side by side: each run of a row in its own process, which reports its result through a pipe.
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli_journal.h"
#include "cli_sweep.h"
#include "cli_terminal.h"

#define POLL_MS 100
#define JOBS_NODES_MOST 65536u // most nodes of a fabric that runs beside others by default
#define SAY_PARTS 50           // number of reports of progress of a run

// --- In the process of a run ---------------------------------------------------------------------------------------

// A report about a run: its progress or, at the end, its result. Shorter than PIPE_BUF, so it is never split.
struct word {
	size_t i; // the row
	uint32_t run;
	double part;
	bool is_last;
	struct sweep_found found;
	struct loom_err err; // code 0: none
};
_Static_assert(sizeof(struct word) <= PIPE_BUF, "a word comes in one piece");

struct teller {
	int pipe, n_said;
	size_t i;
	uint32_t run;
};

static bool say_part(void *user, double part)
{
	struct teller *t = user;
	if (part * SAY_PARTS >= t->n_said + 1) {
		const struct word word = {.i = t->i, .run = t->run, .part = part};
		t->n_said = (int)(part * SAY_PARTS);
		if (write(t->pipe, &word, sizeof word) != (ssize_t)sizeof word)
			return true;
	}
	return cli_interrupted();
}

// Ends this process with the process of the command, which alone reads its words. Otherwise it would write until the pipe is
// full, and keep its lock of the journal for ever.
static void end_with(pid_t command, int reading_end)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)close(reading_end); // a word that no process can read fails
	if (getppid() != command) // it ended before that signal was asked for
		_exit(1);
}

static void live(struct sweep *s, size_t i, uint32_t run, int pipe)
{
	struct sweep_row *row = &s->rows[i];
	struct teller teller = {.pipe = pipe, .i = i, .run = run};
	struct word word = {.i = i, .run = run, .is_last = true};
	row->i_run = run;
	word.err.code = s->kind->run(s, row, say_part, &teller, &word.err);
	word.found.point = row->point;
	word.found.warmup = row->over_seeds.warmup;
	word.found.n_mismatches = row->n_mismatches;
	memcpy(word.found.reason, row->reason, sizeof word.found.reason);
	if (word.err.code == 0 && row->runs[run].file)
		word.err.code = sweep_by_write(row->runs[run].file, &row->groups, &word.err);
	_exit(write(pipe, &word, sizeof word) == (ssize_t)sizeof word ? 0 : 1);
}

// --- In the process of the command ---------------------------------------------------------------------------------

struct jobs {
	struct sweep *s;
	size_t n, n_running, n_done; // processes at a time; processes now; finished rows
	size_t first_open;           // the first unfinished row
	size_t *order;               // owned: the rows in the order in which they start
	int pipe[2];                 // all runs write to it
	bool stopping;
	size_t failed_row; // the first that failed; the number of rows: none
	uint32_t failed_run;
	struct loom_err failure;
};

// Finds how many runs a row takes now. Returns true if there are more than before.
static int ask_runs(bool *more, const struct sweep *s, struct sweep_row *row, struct loom_err *err)
{
	const uint32_t n = s->kind->n_runs(s, row);
	*more = n > row->n_runs;
	if (!*more)
		return 0;
	struct sweep_run *runs = realloc(row->runs, n * sizeof *runs);
	if (!runs)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %u runs of a point", n);
	for (uint32_t k = row->n_runs; k < n; k++)
		runs[k] = (struct sweep_run){.lock = -1};
	row->runs = runs;
	row->n_runs = n;
	return 0;
}

// Starts a run in its own process.
static int fork_run(struct jobs *j, size_t i, uint32_t k, struct loom_err *err)
{
	struct sweep_run *run = &j->s->rows[i].runs[k];
	if (j->s->request->by && !(run->file = tmpfile()))
		return loom_fail(err, LOOM_EFILE, "no temporary file for a point: %s", strerror(errno));
	(void)fflush(NULL);
	const pid_t command = getpid(), child = fork();
	if (child == 0) {
		end_with(command, j->pipe[0]);
		live(j->s, i, k, j->pipe[1]);
	}
	if (child < 0)
		return loom_fail(err, LOOM_ENOMEM, "no process for a point: %s", strerror(errno));
	run->child = child;
	run->state = SWEEP_RUNS;
	j->n_running++;
	return 0;
}

// Finds a run in the journal, or starts it unless another process has started it.
static int start(struct jobs *j, size_t i, uint32_t k, struct loom_err *err)
{
	struct sweep_row *row = &j->s->rows[i];
	struct sweep_run *run = &row->runs[k];
	const struct sweep_record record = sweep_record_of_run(run, j->s->request);
	enum sweep_place place;
	int rc = sweep_journal_take(&place, &run->lock, j->s, row, k, &record, err);
	if (rc != 0)
		return rc;
	if (place == JOURNAL_NONE || place == JOURNAL_IS_OURS)
		return fork_run(j, i, k, err);
	run->state = place == JOURNAL_HAS_IT ? SWEEP_DONE : SWEEP_ELSEWHERE;
	return 0;
}

// Looks again for runs that other processes had started.
static int look_elsewhere(struct jobs *j, struct loom_err *err)
{
	int rc = 0;
	for (size_t i = j->first_open; j->s->request->journal && i < j->s->n_rows; i++)
		for (uint32_t k = 0; rc == 0 && j->n_running < j->n && k < j->s->rows[i].n_begun; k++)
			if (j->s->rows[i].runs && j->s->rows[i].runs[k].state == SWEEP_ELSEWHERE)
				rc = start(j, i, k, err);
	return rc;
}

// Starts as many runs as allowed, in the order of the rows.
static int start_some(struct jobs *j, struct loom_err *err)
{
	int rc = 0;
	for (size_t at = 0; rc == 0 && j->n_running < j->n && at < j->s->n_rows; at++) {
		const size_t i = j->order[at];
		struct sweep_row *row = &j->s->rows[i];
		bool more;
		if (row->state == SWEEP_DONE)
			continue;
		if (row->n_runs == 0)
			rc = ask_runs(&more, j->s, row, err);
		while (rc == 0 && j->n_running < j->n && row->n_begun < row->n_runs) {
			row->state = SWEEP_RUNS;
			rc = start(j, i, row->n_begun++, err);
		}
	}
	return rc;
}

// Counts the finished runs of a row, from the first one on.
static uint32_t runs_done(const struct sweep_row *row)
{
	uint32_t n = 0;
	while (n < row->n_begun && row->runs[n].state == SWEEP_DONE)
		n++;
	return n;
}

// Makes the row of its first n runs, if possible.
static void sum_up(struct jobs *j, struct sweep_row *row, uint32_t n)
{
	if (!j->s->kind->sum_up(j->s, row, n))
		return;
	row->state = SWEEP_DONE;
	sweep_runs_free(row);
}

// Checks whether rows have all the runs that they need.
static int close_rows(struct jobs *j, struct loom_err *err)
{
	int rc = 0;
	for (size_t i = j->first_open; rc == 0 && i < j->s->n_rows; i++) {
		struct sweep_row *row = &j->s->rows[i];
		bool more = false;
		if (row->state != SWEEP_RUNS || runs_done(row) < row->n_runs)
			continue;
		rc = ask_runs(&more, j->s, row, err);
		if (rc != 0 || more)
			continue;
		sum_up(j, row, row->n_runs);
		j->n_done += row->state == SWEEP_DONE;
	}
	while (j->first_open < j->s->n_rows && j->s->rows[j->first_open].state == SWEEP_DONE)
		j->first_open++;
	return rc;
}

static void end_run(struct jobs *j, size_t i, uint32_t run, const struct loom_err *failure)
{
	struct sweep_run *ended = &j->s->rows[i].runs[run];
	sweep_journal_leave(j->s, &j->s->rows[i], run, ended->lock);
	ended->lock = -1;
	ended->state = failure->code == 0 ? SWEEP_DONE : SWEEP_LEFT_OUT;
	j->n_running--;
	if (failure->code == 0 || j->stopping || i > j->failed_row || (i == j->failed_row && run > j->failed_run))
		return;
	j->failed_row = i;
	j->failed_run = run;
	j->failure = *failure;
}

// Reads the reports of the runs. Returns soon, also if there are none.
static void hear(struct jobs *j)
{
	struct pollfd from = {.fd = j->pipe[0], .events = POLLIN};
	struct word word;
	for (int ms = POLL_MS; poll(&from, 1, ms) > 0 && read(from.fd, &word, sizeof word) == (ssize_t)sizeof word;
	     ms = 0) {
		struct sweep_run *run = &j->s->rows[word.i].runs[word.run];
		run->part = word.part;
		if (!word.is_last)
			continue;
		run->found = word.found;
		while (!run->ended && waitpid(run->child, NULL, 0) < 0 && errno == EINTR)
			;
		if (word.err.code == 0 && run->file)
			word.err.code = sweep_by_read(&run->groups, run->file, j->s->request, &word.err);
		if (word.err.code == 0 && run->lock >= 0) {
			const struct sweep_record record = sweep_record_of_run(run, j->s->request);
			word.err.code = sweep_journal_keep(j->s, &j->s->rows[word.i], word.run, &record, &word.err);
		}
		end_run(j, word.i, word.run, &word.err);
	}
}

// Finds processes that ended without a last report; it would have been read by now.
static void look_after(struct jobs *j)
{
	for (size_t i = j->first_open; i < j->s->n_rows; i++)
		for (uint32_t k = 0; k < j->s->rows[i].n_begun; k++) {
			struct sweep_run *run = &j->s->rows[i].runs[k];
			struct loom_err died;
			if (run->state != SWEEP_RUNS)
				continue;
			if (!run->ended) {
				run->ended = waitpid(run->child, &run->status, WNOHANG) >
				             0; // its last report may still be in the pipe
				continue;
			}
			(void)loom_fail(&died, LOOM_EINTERNAL,
			                "the process of load %g ended without a word (status 0x%x)", j->s->rows[i].load,
			                (unsigned)run->status);
			end_run(j, i, k, &died);
		}
}

static void stop(struct jobs *j)
{
	for (size_t i = j->first_open; !j->stopping && i < j->s->n_rows; i++)
		for (uint32_t k = 0; k < j->s->rows[i].n_begun; k++)
			if (j->s->rows[i].runs[k].state == SWEEP_RUNS && !j->s->rows[i].runs[k].ended)
				(void)kill(j->s->rows[i].runs[k].child, SIGTERM);
	j->stopping = true;
}

// Keeps the results of rows under way that follow from the finished runs.
static void keep_begun(struct jobs *j)
{
	for (size_t i = j->first_open; i < j->s->n_rows; i++) {
		struct sweep_row *row = &j->s->rows[i];
		if (row->state != SWEEP_RUNS)
			continue;
		row->cut_short = true;
		sum_up(j, row, runs_done(row));
	}
}

static double part_of(const struct sweep_row *row)
{
	double done = 0;
	for (uint32_t k = 0; k < row->n_begun; k++)
		done += row->runs[k].state == SWEEP_DONE ? 1 : row->runs[k].part;
	return row->n_runs ? done / row->n_runs : 0;
}

static void say_progress(const struct jobs *j, struct cli_progress *progress, double began_s)
{
	double done = 0, all = 0;
	char text[96], left[32] = "";
	for (size_t i = 0; i < j->s->n_rows; i++) {
		const struct sweep_row *row = &j->s->rows[i];
		done += row->work * (row->state == SWEEP_DONE ? 1 : part_of(row));
		all += row->work;
	}
	const double seconds = loom_clock_s() - began_s;
	if (seconds > 1 && done > 0)
		(void)snprintf(left, sizeof left, ", %.0f s left", seconds / done * (all - done) + 1);
	(void)snprintf(text, sizeof text, "%zu of %zu points%s", j->n_done, j->s->n_rows, left);
	cli_progress_text(progress, text);
}

// Returns how many runs go on at a time: as many as there are cores, but one if each takes gigabytes.
static size_t jobs_of(const struct sweep *s)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	for (size_t i = 0; i < s->n_curves; i++)
		if (s->curves[i].topo.n_nodes > JOBS_NODES_MOST)
			return 1;
	return cores > 0 ? (size_t)cores : 1;
}

// Reports the finished rows, in their order.
static int tell_rows(size_t *n_said, const struct sweep *s, sweep_row_done *done, struct cli_progress *progress,
                     struct loom_err *err)
{
	int rc = 0;
	for (; rc == 0 && *n_said < s->n_rows && s->rows[*n_said].state == SWEEP_DONE; ++*n_said) {
		cli_progress_end(progress);
		rc = done(s, &s->rows[*n_said], err);
	}
	return rc;
}

int sweep_run_side_by_side(struct sweep *s, sweep_row_done *done, struct loom_err *err)
{
	struct jobs j = {.s = s, .n = s->request->jobs ? s->request->jobs : jobs_of(s), .failed_row = s->n_rows};
	struct cli_progress progress;
	size_t n_said = 0;
	int rc = sweep_order(&j.order, s, j.n > 1, err);
	if (rc != 0)
		return rc;
	if (pipe(j.pipe) != 0) {
		free(j.order);
		return loom_fail(err, LOOM_EFILE, "no pipe to a process: %s", strerror(errno));
	}
	cli_progress_init(&progress, s->request);
	const double began_s = loom_clock_s();
	while (j.n_running > 0 || (j.first_open < s->n_rows && !j.stopping)) {
		if (rc == 0 && !j.stopping)
			rc = look_elsewhere(&j, err);
		if (rc == 0 && !j.stopping)
			rc = start_some(&j, err);
		hear(&j);
		look_after(&j);
		if (rc == 0)
			rc = close_rows(&j, err);
		if (rc == 0)
			rc = tell_rows(&n_said, s, done, &progress, err);
		say_progress(&j, &progress, began_s);
		if (rc != 0 || j.failed_row < s->n_rows || cli_interrupted())
			stop(&j);
	}
	cli_progress_end(&progress);
	(void)close(j.pipe[0]);
	(void)close(j.pipe[1]);
	free(j.order);
	if (cli_interrupted())
		keep_begun(&j);
	if (rc == 0 && (cli_interrupted() || j.failed_row < s->n_rows))
		rc = sweep_tell_rest(s, n_said, n_said, done, err);
	if (cli_interrupted())
		return loom_fail(err, LOOM_ETIMEOUT, "interrupted after %zu of %zu points", j.n_done, s->n_rows);
	if (rc == 0 && j.failed_row < s->n_rows) {
		*err = j.failure;
		rc = j.failure.code;
	}
	return rc;
}
