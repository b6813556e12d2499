// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_TERMINAL_H
#define FLITLOOM_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <flitloom/device.h>
#include <flitloom/err.h>

struct cli_request;

// --- Standard output, and progress on a terminal (cli_terminal.c) ---

bool cli_colour(void);
// Prints words and a new line, on lines of 80 columns that begin at `indent`; `column` is where the cursor is. If that
// is beyond `indent`, they begin on a new line.
void cli_put_wrapped(FILE *stream, int column, int indent, const char *words);
int cli_flush(struct loom_err *err); // LOOM_EFILE if something written to standard output was lost

// A line on a terminal that is written over, and erased at the end; elsewhere a line now and then. With neither if it
// is not wanted. One line that stays announces the build of a model, which takes minutes.
struct cli_progress {
	bool wanted, lines;        // on a terminal; elsewhere
	bool quiet;                // no line about a model either
	int shown;                 // columns
	uint64_t cycles_predicted; // of a free run; 0: unknown, or it has passes
	// The present stage, and when it, the whole run and the last text began: ms, 0: not begun
	enum loom_stage stage;
	double stage_ms, began_ms, said_ms;
	double model_ms; // when the last line about a model was written; 0: there was none
};

void cli_progress_init(struct cli_progress *progress, const struct cli_request *request);
void cli_progress_text(void *progress, const char *text);
void cli_progress_model(void *progress, const char *text); // for loom_link_options
void cli_progress_end(struct cli_progress *progress);

// --- How far a run is, and Ctrl-C (cli_progress.c) ---

bool cli_progress_watch(void *progress, const struct loom_progress *p); // for loom_device_watch

// Between these two calls, which nest, the first Ctrl-C or SIGTERM does not end the program: it interrupts waits,
// cli_interrupted returns true, and cli_progress_watch stops the present run. A second one, a moment later, has its
// usual effect. Ignored signals stay ignored.
void cli_interrupt_begin(void);
void cli_interrupt_end(void);
bool cli_interrupted(void);

#endif
