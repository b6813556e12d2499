// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// What a long run says of itself: how far it is, and how long that stage will still take if it goes on as it did. And
// Ctrl-C, which ends it between two portions of work.
#include <inttypes.h>
#include <signal.h>
#include <time.h>

#include "cli.h"

#define FIRST_MS 1000.0    // nothing is said of what takes less
#define SCREEN_MS 100.0    // between two texts on a terminal
#define LINE_MS 10000.0    // between two lines elsewhere
#define FORECAST_MS 1000.0 // of a stage, before its end is guessed

static volatile sig_atomic_t interrupted;
static int listeners;
static void (*on_interrupt)(int), (*on_terminate)(int);

// The second one ends the program, as if nobody listened.
static void interrupt(int number)
{
	interrupted = number;
	(void)signal(number, SIG_DFL);
}

void cli_interrupt_begin(void)
{
	if (listeners++ > 0)
		return;
	interrupted = 0;
	on_interrupt = signal(SIGINT, interrupt);
	if (on_interrupt == SIG_IGN) // as nohup and shells want it for what is in the background
		(void)signal(SIGINT, SIG_IGN);
	on_terminate = signal(SIGTERM, interrupt);
}

void cli_interrupt_end(void)
{
	if (--listeners > 0)
		return;
	(void)signal(SIGINT, on_interrupt);
	(void)signal(SIGTERM, on_terminate);
}

bool cli_interrupted(void)
{
	return interrupted != 0;
}

static double now_ms(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

size_t cli_progress_left(char *out, size_t size, double seconds)
{
	double minutes = seconds / 60;
	if (seconds < 90)
		return (size_t)snprintf(out, size, ", %.0f s left", seconds < 1 ? 1 : seconds);
	if (minutes < 90)
		return (size_t)snprintf(out, size, ", %.0f min left", minutes);
	return (size_t)snprintf(out, size, ", %.1f h left", minutes / 60);
}

size_t cli_progress_format(char *out, size_t size, const struct loom_progress *p, uint64_t cycles_predicted,
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
		n = (size_t)snprintf(out, size, "pass %" PRIu64 " of %" PRIu64, p->done + 1, p->total);
	else if (p->stage == LOOM_STAGE_RUN)
		n = (size_t)snprintf(out, size, "cycle %" PRIu64, p->cycle);
	else
		n = (size_t)snprintf(out, size, "%s, %" PRIu64 " of %" PRIu64 " words", doing[p->stage], p->done,
		                     p->total);
	if (done > 0 && done < total && stage_ms >= FORECAST_MS && n < size)
		n += cli_progress_left(out + n, size - n, stage_ms / 1e3 / (double)done * (double)(total - done));
	return n;
}

int cli_progress_watch(void *user, const struct loom_progress *p)
{
	struct cli_progress *progress = user;
	double ms = now_ms();
	char text[100];
	if (!progress->began_ms)
		progress->began_ms = progress->said_ms = ms;
	if (!progress->stage_ms || p->stage != progress->stage) {
		progress->stage = p->stage;
		progress->stage_ms = ms;
	}
	if (ms - progress->began_ms >= FIRST_MS && ms - progress->said_ms >= (progress->wanted ? SCREEN_MS : LINE_MS)) {
		progress->said_ms = ms;
		(void)cli_progress_format(text, sizeof text, p, progress->cycles_predicted, ms - progress->stage_ms);
		if (progress->wanted)
			cli_progress_text(progress, text);
		else if (progress->lines)
			(void)fprintf(stderr, "flitloom: %s\n", text);
	}
	return cli_interrupted();
}
