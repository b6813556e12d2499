// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "goal/goal_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"

// Skips blanks and comments. A comment between /* and */ may extend over several lines.
int loom_goal_skip(struct cursor *c)
{
	for (;;) {
		skip_blanks(c);
		if (peek(c) != '/' || c->end - c->at < 2)
			return 0;
		if (c->at[1] == '/') {
			skip_line(c);
			continue;
		}
		if (c->at[1] != '*')
			return 0;
		size_t line = c->line, column = c->column;
		advance(c);
		advance(c);
		while (c->end - c->at >= 2 && !(c->at[0] == '*' && c->at[1] == '/'))
			advance(c);
		if (c->end - c->at < 2)
			return loom_cursor_fail(c, line, column, "a comment that begins here has no end: */");
		advance(c);
		advance(c);
	}
}

int loom_goal_skip_lines(struct cursor *c)
{
	int code = loom_goal_skip(c);
	while (code == 0 && (peek(c) == '\n' || peek(c) == ';')) {
		advance(c);
		code = loom_goal_skip(c);
	}
	return code;
}

// Takes a number, a word, or one other character. The token is empty at the end of a line.
int loom_goal_take(struct token *out, struct cursor *c)
{
	int code = loom_goal_skip(c);
	if (code)
		return code;
	struct token t = {.at = c->at, .line = c->line, .column = c->column};
	int first = peek(c);
	if (isdigit(first)) {
		while (isdigit(peek(c)))
			advance(c);
	} else if (isalpha(first) || first == '_') {
		while (isalnum(peek(c)) || peek(c) == '_')
			advance(c);
	} else if (first != EOF && first != '\n') {
		advance(c);
	}
	t.length = (size_t)(c->at - t.at);
	*out = t;
	return 0;
}

bool loom_goal_is(struct token t, const char *word)
{
	return t.length == strlen(word) && memcmp(t.at, word, t.length) == 0;
}

int loom_goal_fail_token(struct cursor *c, struct token t, const char *expected)
{
	char shown[48];
	return FAIL_TOKEN(c, t, "%s, where there should be %s", loom_token_show(shown, sizeof shown, t), expected);
}

int loom_goal_expect(struct cursor *c, const char *word)
{
	char quoted[24];
	struct token t;
	int code = loom_goal_take(&t, c);
	if (code == 0 && !loom_goal_is(t, word)) {
		(void)snprintf(quoted, sizeof quoted, "\"%s\"", word);
		code = loom_goal_fail_token(c, t, quoted);
	}
	return code;
}

int loom_goal_take_number(uint64_t *out, struct cursor *c, uint64_t most, const char *what)
{
	char shown[48];
	struct token t;
	int code = loom_goal_take(&t, c);
	if (code)
		return code;
	if (!loom_text_number(out, t.at, t.length))
		return loom_goal_fail_token(c, t, what);
	if (*out > most)
		return FAIL_TOKEN(c, t, "%s is out of range for %s: 0..%" PRIu64,
		                  loom_token_show(shown, sizeof shown, t), what, most);
	return 0;
}

int loom_goal_end_statement(struct cursor *c)
{
	int code = loom_goal_skip(c);
	if (code || peek(c) == EOF || peek(c) == '\n' || peek(c) == ';' || peek(c) == '}')
		return code;
	struct token t;
	code = loom_goal_take(&t, c);
	return code ? code : loom_goal_fail_token(c, t, "the line's end or ;");
}
