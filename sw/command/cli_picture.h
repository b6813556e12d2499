// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_PICTURE_H
#define FLITLOOM_CLI_PICTURE_H

#include <stddef.h>

#include <flitloom/err.h>
#include <flitloom/report.h>

struct cli_request;

// --- The file that --svg names (cli_picture.c) ---

// The file of a picture. Draw to `drawn` between begin and end.
struct cli_picture {
	const char *path, *drawn;
	char temporary[232]; // its name; "": path is an SVG
};

// LOOM_EINPUT: the ending belongs to another format; LOOM_EFILE: no program here makes PDF or PNG.
int cli_picture_check(const char *path, struct loom_err *err);
int cli_picture_begin(struct cli_picture *p, const char *path, struct loom_err *err);
// rc: the result of drawing. Returns it, or the error of converting the picture; leaves no temporary file in any case.
int cli_picture_end(struct cli_picture *p, int rc, struct loom_err *err);
// Checks that these plans have such a picture. LOOM_EINPUT; 0 without --svg.
int cli_picture_suits(const struct cli_request *request, const struct loom_panel *panels, size_t n,
                      struct loom_err *err);
// Draws the whole picture, for a plan or a run.
int cli_picture_draw(const struct cli_request *request, const struct loom_panel *panels, size_t n,
                     struct loom_err *err);

#endif
