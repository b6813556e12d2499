// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_PICTURES_H
#define TEST_PICTURES_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/report.h>

// The tests of charts and of pictures of paths share this. All of it fails the test that calls it.

// A plan of `spec` with messages of 5 flits; planner NULL: the default. The default map.
void picture_plan(struct loom_plan *out, const char *fabric, const char *spec, const char *planner, uint64_t seed);
// Draws into a file, asks that it is well-formed and that no text is cut off, and returns its text, to be freed.
char *picture_draw(enum loom_picture picture, const struct loom_panel *panels, size_t n);
// The same picture is refused with a line that has `part`.
void picture_refused(enum loom_picture picture, const struct loom_panel *panel, const char *part);
// Channels of the messages of one pass, the nodes' own included; UINT32_MAX: of all passes.
size_t picture_crossings(const struct loom_plan *plan, uint32_t pass);

#endif
