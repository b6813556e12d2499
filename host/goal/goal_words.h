// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_GOAL_WORDS_H
#define LOOM_GOAL_WORDS_H

// Functions that read the words of GOAL text.

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"

// Skip blanks and comments, and loom_goal_skip_lines also line ends and `;`. LOOM_EINPUT: a comment has no end.
int loom_goal_skip(struct cursor *c);
int loom_goal_skip_lines(struct cursor *c);

// Takes a number, a word, or one character that is neither. The token is empty at a line's end.
int loom_goal_take(struct token *out, struct cursor *c);
bool loom_goal_is(struct token t, const char *word);

// Each returns LOOM_EINPUT if the text has something else there.
int loom_goal_expect(struct cursor *c, const char *word);
int loom_goal_take_number(uint64_t *out, struct cursor *c, uint64_t most, const char *what);
int loom_goal_end_statement(struct cursor *c);
int loom_goal_fail_token(struct cursor *c, struct token t, const char *expected);

#endif
