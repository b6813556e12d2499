// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_SESSION_H
#define FLITLOOM_CLI_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/device.h>
#include <flitloom/err.h>
#include <flitloom/link.h>
#include <flitloom/link/image.h>
#include <flitloom/plan.h>
#include <flitloom/routes/failures.h>
#include <flitloom/trace.h>
#include <flitloom/verdict.h>

#include "cli_terminal.h"

struct cli_request;

// --- A waveform's file (cli_waveform.c) ---

// A waveform; only one at a time. Between the two calls the model writes `temporary`.
struct cli_waveform {
	const char *temporary; // NULL: none is wanted
	char *path;            // owned
	uint64_t from;         // the first cycle of the run in it; 0: the whole run
};

int cli_waveform_begin(struct cli_waveform *w, const char *path, struct loom_err *err); // path may be NULL
// Call it after the link was closed. keep: gives the waveform its own name, and writes beside it what GTKWave shows
// (FILE.gtkw); else nothing of it is left. LOOM_EFILE: it is not whole. LOOM_EINPUT: the run ended before its first
// cycle.
int cli_waveform_end(struct cli_waveform *w, bool keep, struct loom_err *err);

// Writes the save file for GTKWave, FILE.gtkw: the signals of the waveform that show messages, by tile (cli_gtkw.c).
char *cli_gtkw_path(const char *waveform); // malloc'ed; NULL: memory ran out
bool cli_gtkw_is_ours(const char *path);   // the file is there and flitloom wrote it
int cli_gtkw_write(const char *waveform, struct loom_err *err);

// --- A chip behind a link, and plans run on it (cli_session.c) ---

struct cli_session {
	const struct cli_request *request;
	struct cli_progress progress;
	struct loom_link link;
	struct loom_device *device;   // NULL: runs are computed
	struct loom_failures failing; // owned: links that fail during a run
	bool is_open, computed;
	struct cli_waveform waveform;
	bool listens; // between cli_interrupt_begin and _end
	bool ran;     // a plan was started: its waveform is worth keeping, above all if it failed
	bool stopped; // by Ctrl-C or SIGTERM: the waveform is not kept
};

// Checks, before a model is built, everything that can prevent the plan from running: LOOM_EINPUT, LOOM_EFIT.
int cli_session_check(const struct cli_request *request, const struct loom_plan *plan, struct loom_err *err);
// topo: the fabric to simulate, if the link simulates; the caller keeps it during the session. rule: that of the
// messages, if routers are built for it.
int cli_session_open(struct cli_session *s, const struct cli_request *request, const struct loom_topo *topo,
                     unsigned rule, struct loom_err *err);
// Closes a session, also a zeroed one, or one that failed to open. LOOM_EFILE: the waveform could not be written.
int cli_session_close(struct cli_session *s, struct loom_err *err);
// Runs the plan; *trace and *verdict are then the caller's to free.
int cli_session_run(struct cli_session *s, const struct loom_plan *plan, struct loom_trace *trace,
                    struct loom_verdict *verdict, struct loom_err *err);
struct loom_image_options cli_image_options(const struct cli_request *request);

#endif
