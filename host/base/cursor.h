// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CURSOR_H
#define LOOM_CURSOR_H

// The place of a parser in a text. The parsers of patterns and of tables (host/plan/routes/table_file.c) use it.

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <flitloom/err.h>

struct cursor {
	const char *at, *end;
	const char *where;
	size_t line, column; // the place of *at, from 1
	struct loom_err *err;
};

// A maximal run without blanks, line ends and commas.
struct token {
	const char *at;
	size_t length, line, column;
};

static inline struct cursor start(const char *text, size_t length, const char *where, struct loom_err *err)
{
	static const char empty[] = "";
	if (!text)
		text = empty;
	return (struct cursor){.at = text, .end = text + length, .where = where, .line = 1, .column = 1, .err = err};
}

static inline int peek(const struct cursor *c)
{
	return c->at < c->end ? (unsigned char)*c->at : EOF;
}

static inline void advance(struct cursor *c)
{
	if (*c->at++ == '\n') {
		c->line++;
		c->column = 1;
	} else {
		c->column++;
	}
}

static inline bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static inline void skip_blanks(struct cursor *c)
{
	while (is_blank(peek(c)))
		advance(c);
}

static inline void skip_space(struct cursor *c)
{
	while (is_blank(peek(c)) || peek(c) == '\n')
		advance(c);
}

static inline void skip_line(struct cursor *c)
{
	while (peek(c) != EOF && peek(c) != '\n')
		advance(c);
}

// True if the rest of the line is empty, or a comment from # on.
static inline bool at_line_end(const struct cursor *c)
{
	return peek(c) == EOF || peek(c) == '\n' || peek(c) == '#';
}

static inline struct token take_token(struct cursor *c)
{
	struct token t = {.at = c->at, .line = c->line, .column = c->column};
	while (peek(c) != EOF && peek(c) != '\n' && peek(c) != ',' && !is_blank(peek(c)))
		advance(c);
	t.length = (size_t)(c->at - t.at);
	return t;
}

// True if the token is that word, in capitals or small letters.
static inline bool token_is(struct token t, const char *word)
{
	return t.length == strlen(word) && strncasecmp(t.at, word, t.length) == 0;
}

// Fails with LOOM_EINPUT; the text begins with the place.
int loom_cursor_fail(const struct cursor *c, size_t line, size_t column, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
#define FAIL_HERE(c, ...) loom_cursor_fail(c, (c)->line, (c)->column, __VA_ARGS__)
#define FAIL_TOKEN(c, t, ...) loom_cursor_fail(c, (t).line, (t).column, __VA_ARGS__)

// Shows a token in messages: in quotation marks, or "nothing". Returns out.
const char *loom_token_show(char *out, size_t size, struct token t);

#endif
