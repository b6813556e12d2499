// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MESSAGE_LINES_H
#define LOOM_MESSAGE_LINES_H

#include <flitloom/pattern.h>

#include "base/cursor.h"

// Lines of messages (messages:FILE), read from a text that comes in pieces; each piece has whole lines.
struct loom_message_columns {
	unsigned column[3]; // the columns behind source and destination
	unsigned n;
};

struct loom_message_lines {
	uint32_t n_nodes, default_flits;
	const char *where; // the caller's
	struct loom_message_columns columns;
	bool begun;          // a line other than comments has been read
	size_t line, column; // the place of the next character
};

// A line, which stands for `count` such messages.
struct loom_message_line {
	struct loom_message message;
	uint32_t count, release;
};

// Handles a line, which begins at `at`. Returns 0, or an error that ends the reading.
typedef int loom_message_line_each(void *user, const struct loom_message_line *line, const struct cursor *at,
                                   struct loom_err *err);

void loom_message_lines_begin(struct loom_message_lines *out, uint32_t n_nodes, uint32_t default_flits,
                              const char *where);
// Reads a piece of text. LOOM_EINPUT, with the line; or the error of `each`.
int loom_message_lines_read(struct loom_message_lines *lines, const char *text, size_t length,
                            loom_message_line_each *each, void *user, struct loom_err *err);
bool loom_message_lines_have_releases(const struct loom_message_lines *lines);
int loom_message_lines_fail_empty(const struct loom_message_lines *lines,
                                  struct loom_err *err); // LOOM_EINPUT: there was none

#endif
