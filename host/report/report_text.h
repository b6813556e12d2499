// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_TEXT_H
#define LOOM_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <flitloom/plan.h>

// Declarations that the kinds of report share.

#define LOOM_REPORT_NAME 160 // enough for any name in a plan
#define LOOM_REPORT_WIDTH 80 // columns of what a person reads

// Copies `text` so that a terminal, a JSON reader and an XML parser all take it: control characters, bytes that are not
// UTF-8 and the two code points that XML forbids become '?'. Cut at a character, never within one.
void loom_report_text(char *out, size_t size, const char *text);

// "identity", a bit order "0,4,2,6", or the first numbers of a map and how many there are.
void loom_report_map(char *out, size_t size, const struct loom_plan *plan);

// Injection or ejection channels: they do not count as contention.
bool loom_report_group_is_local(const struct loom_topo *topo, unsigned group);

// Puts words one blank apart, the first in column `indent`, where the stream is; words that do not fit on the line go
// below it. Returns the column in which they end.
int loom_report_put_wrapped(FILE *stream, int indent, const char *words);

// A cell of CSV (RFC 4180): in quotes if a reader would take a part of it for a separator.
void loom_report_put_csv(FILE *stream, const char *text);

#endif
