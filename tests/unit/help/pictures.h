// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_PICTURES_H
#define TEST_PICTURES_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/report.h>

// Functions for the tests of charts and of pictures of paths. On an error each fails the test.

// A plan of `spec` with messages of 5 flits; planner NULL: the default. The default map.
void picture_plan(struct loom_plan *out, const char *fabric, const char *spec, const char *planner, uint64_t seed);
// Draws into a file, checks that it is well-formed and that no text is cut off, and returns its text, which the caller
// frees.
char *picture_draw(enum loom_picture picture, const struct loom_panel *panels, size_t n);
// Checks that the picture is refused with a line that has `part`.
void picture_refused(enum loom_picture picture, const struct loom_panel *panel, const char *part);
// Returns the number of channels on the routes of one pass, the nodes' own included; UINT32_MAX: of all passes.
size_t picture_crossings(const struct loom_plan *plan, uint32_t pass);

#endif
