// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows the progress of a long run: how much is done, and the time left in that stage at the present speed. Also
// handles Ctrl-C, which ends the run between two portions of work.
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli.h"
#include "cli_terminal.h"

#define FIRST_MS 1000.0    // a shorter run prints no progress
#define SCREEN_MS 100.0    // between two texts on a terminal
#define LINE_MS 10000.0    // between two lines elsewhere
#define SECOND_MS 300.0    // after the first signal, before another counts
#define FORECAST_MS 1000.0 // of a stage, before its end is guessed

static const int heard[] = {SIGINT, SIGTERM};
enum { N_HEARD = sizeof heard / sizeof heard[0] };
static volatile sig_atomic_t interrupted;
static double interrupted_ms;
static int listeners;
static struct sigaction before[N_HEARD]; // the action of each of them before, and again at the second one

static void restore(void)
{
	for (int i = 0; i < N_HEARD; i++)
		(void)sigaction(heard[i], &before[i], NULL);
}

// timeout(1) and some shells send a signal twice in a row, to the program and to its group: both count as one.
static void interrupt(int number)
{
	int kept = errno;
	double ms = loom_clock_ms();
	if (interrupted && ms - interrupted_ms >= SECOND_MS) {
		restore();
		(void)raise(number);
	} else if (!interrupted) {
		interrupted_ms = ms;
		interrupted = number;
	}
	errno = kept;
}

// Without SA_RESTART: a call that waits for a model or a line must notice.
void cli_interrupt_begin(void)
{
	struct sigaction ours = {.sa_handler = interrupt};
	if (listeners++ > 0)
		return;
	interrupted = 0;
	(void)sigemptyset(&ours.sa_mask);
	for (int i = 0; i < N_HEARD; i++)
		(void)sigaddset(&ours.sa_mask, heard[i]);
	for (int i = 0; i < N_HEARD; i++)
		(void)sigaction(heard[i], NULL, &before[i]);
	for (int i = 0; i < N_HEARD; i++)
		if (before[i].sa_handler != SIG_IGN) // as nohup and shells want it for what is in the background
			(void)sigaction(heard[i], &ours, NULL);
}

void cli_interrupt_end(void)
{
	if (--listeners == 0)
		restore();
}

bool cli_interrupted(void)
{
	return interrupted != 0;
}

// Writes ", 3 min left". Returns as snprintf does.
static size_t put_left(char *out, size_t size, double seconds)
{
	double minutes = seconds / 60;
	if (seconds < 90)
		return (size_t)snprintf(out, size, ", %.0f s left", seconds < 1 ? 1 : seconds);
	if (minutes < 90)
		return (size_t)snprintf(out, size, ", %.0f min left", minutes);
	return (size_t)snprintf(out, size, ", %.1f h left", minutes / 60);
}

// Writes "cycle 17 of about 90, 2 s left", stage_ms after the stage began. Returns as snprintf does.
static size_t put_progress(char *out, size_t size, const struct loom_progress *p, uint64_t cycles_predicted,
                           double stage_ms)
{
	static const char *const doing[] = {
		[LOOM_STAGE_LOAD] = "loading",
		[LOOM_STAGE_VERIFY] = "reading back what was loaded",
		[LOOM_STAGE_HISTORIES] = "reading the channels' histories",
		[LOOM_STAGE_LOGS] = "reading the nodes' logs",
	};
	bool by_cycle = p->stage == LOOM_STAGE_RUN && cycles_predicted > 0;
	uint64_t done = by_cycle ? p->cycle : p->done, total = by_cycle ? cycles_predicted : p->total;
	size_t n;
	if (by_cycle)
		n = (size_t)snprintf(out, size, "cycle %" PRIu64 " of about %" PRIu64, done, total);
	else if (p->stage == LOOM_STAGE_RUN && p->total > 1)
		n = (size_t)snprintf(out, size, "%spass %" PRIu64 " of %" PRIu64,
		                     p->back_to_back ? "back to back, " : "", p->done + 1, p->total);
	else if (p->stage == LOOM_STAGE_RUN)
		n = (size_t)snprintf(out, size, "cycle %" PRIu64, p->cycle);
	else
		n = (size_t)snprintf(out, size, "%s, %" PRIu64 " of %" PRIu64 " words", doing[p->stage], p->done,
		                     p->total);
	if (done > 0 && done < total && stage_ms >= FORECAST_MS && n < size)
		n += put_left(out + n, size - n, stage_ms / 1e3 / (double)done * (double)(total - done));
	return n;
}

bool cli_progress_watch(void *user, const struct loom_progress *p)
{
	struct cli_progress *progress = user;
	double ms = loom_clock_ms();
	char text[100];
	if (!progress->began_ms)
		progress->began_ms = progress->said_ms = ms;
	if (!progress->stage_ms || p->stage != progress->stage) {
		progress->stage = p->stage;
		progress->stage_ms = ms;
	}
	if (ms - progress->began_ms >= FIRST_MS && ms - progress->said_ms >= (progress->wanted ? SCREEN_MS : LINE_MS)) {
		progress->said_ms = ms;
		(void)put_progress(text, sizeof text, p, progress->cycles_predicted, ms - progress->stage_ms);
		if (progress->wanted)
			cli_progress_text(progress, text);
		else if (progress->lines)
			(void)fprintf(stderr, "flitloom: %s\n", text);
	}
	return cli_interrupted();
}
