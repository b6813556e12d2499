// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_PICTURE_H
#define FLITLOOM_CLI_PICTURE_H

#include <stddef.h>

#include <flitloom/err.h>
#include <flitloom/report.h>

struct cli_request;

// --- The file that --svg names (cli_picture.c) ---

// Draw to `drawn` between begin and end.
struct cli_picture {
	const char *path, *drawn;
	char temporary[232]; // its name; "": path is an SVG
};

// LOOM_EINPUT: its ending is of another format; LOOM_EFILE: nothing here makes PDF or PNG.
int cli_picture_check(const char *path, struct loom_err *err);
int cli_picture_begin(struct cli_picture *p, const char *path, struct loom_err *err);
// rc: of what was drawn. Returns it, or why the picture could not be converted; leaves no temporary file in any case.
int cli_picture_end(struct cli_picture *p, int rc, struct loom_err *err);
// LOOM_EINPUT: these plans have no such picture. 0 without --svg.
int cli_picture_suits(const struct cli_request *request, const struct loom_panel *panels, size_t n,
                      struct loom_err *err);
// Draws all of it, for a plan or a run.
int cli_picture_draw(const struct cli_request *request, const struct loom_panel *panels, size_t n,
                     struct loom_err *err);

#endif
