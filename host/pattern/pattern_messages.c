// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// A list of messages as CSV.
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <flitloom/pattern.h>

#include "base/text.h"
#include "pattern/pattern_cursor.h"
#include "pattern/pattern_internal.h"

static bool is_word(struct token t, const char *word)
{
	return t.length == strlen(word) && strncasecmp(t.at, word, t.length) == 0;
}

// Other names, or another order, would make us read the columns for what they are not.
static int read_heading(struct cursor *c)
{
	static const char *const columns[] = {"source", "destination", "flits", "count"};
	for (unsigned i = 0;; i++) {
		char shown[48];
		struct token t = take_token(c);
		if (i == 4 || !is_word(t, columns[i]))
			return FAIL_TOKEN(c, t, "%s in the heading: it must be source,destination[,flits[,count]]",
			                  loom_token_show(shown, sizeof shown, t));
		skip_blanks(c);
		if (peek(c) != ',') {
			if (i == 0)
				return FAIL_HERE(
					c,
					"no destination in the heading: it must be source,destination[,flits[,count]]");
			break;
		}
		advance(c);
		skip_blanks(c);
	}
	if (peek(c) != EOF && peek(c) != '\n')
		return FAIL_HERE(c, "a comma is missing in the heading: it must be source,destination[,flits[,count]]");
	return 0;
}

static int read_field(uint32_t *out, struct cursor *c, const char *what, uint32_t least, uint32_t most, const char *why)
{
	char shown[48];
	uint64_t value;
	skip_blanks(c);
	struct token t = take_token(c);
	if (!loom_text_number(&value, t.at, t.length))
		return FAIL_TOKEN(c, t, "%s is %s: it must be a number, %" PRIu32 "..%" PRIu32, what,
		                  loom_token_show(shown, sizeof shown, t), least, most);
	if (value < least || value > most)
		return FAIL_TOKEN(c, t, "%s %s is out of range: %" PRIu32 "..%" PRIu32 "%s", what,
		                  loom_token_show(shown, sizeof shown, t), least, most, why);
	skip_blanks(c);
	*out = (uint32_t)value;
	return 0;
}

static int read_message(struct loom_message *out, uint32_t *count, struct cursor *c, uint32_t n_nodes,
                        uint32_t default_flits)
{
	static const char why[] = ", as there can be no more tasks than nodes";
	struct loom_message m = {.flits = default_flits};
	int code = read_field(&m.source, c, "source", 0, n_nodes - 1, why);
	if (code)
		return code;
	if (peek(c) != ',')
		return FAIL_HERE(c, "no destination: a line is source,destination[,flits[,count]]");
	advance(c);
	code = read_field(&m.destination, c, "destination", 0, n_nodes - 1, why);
	if (code)
		return code;
	if (peek(c) == ',') {
		advance(c);
		code = read_field(&m.flits, c, "flits", 1, LOOM_FLITS_MOST, "");
		if (code)
			return code;
		if (peek(c) == ',') {
			advance(c);
			code = read_field(count, c, "count", 1, LOOM_MESSAGES_MAX, "");
			if (code)
				return code;
		}
	}
	if (peek(c) != EOF && peek(c) != '\n')
		return FAIL_HERE(c, "more than source,destination[,flits[,count]] on the line");
	*out = m;
	return 0;
}

int loom_messages_parse(struct loom_message **out, size_t *n_out, uint32_t n_nodes, uint32_t default_flits,
                        const char *text, size_t length, const char *where, struct loom_err *err)
{
	struct cursor c = start(text, length, where, err);
	struct loom_message *messages = NULL;
	size_t n = 0, room = 0;
	int code = 0;

	if (n_nodes < 1 || n_nodes > LOOM_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " processors: a pattern has 1 to %d", n_nodes,
		                 LOOM_NODES_MAX);
	if (default_flits == 0)
		return loom_fail(err, LOOM_EINPUT, "0 flits: a message has at least 1, its header");

	for (bool first = true; skip_space(&c), peek(&c) != EOF;) {
		if (peek(&c) == '#') {
			skip_line(&c);
			continue;
		}
		if (first && isalpha(peek(&c))) {
			first = false;
			code = read_heading(&c);
			if (code)
				goto out;
			continue;
		}
		first = false;
		struct loom_message message;
		uint32_t count = 1;
		struct cursor line = c;
		code = read_message(&message, &count, &c, n_nodes, default_flits);
		if (code)
			goto out;
		if (count > LOOM_MESSAGES_MAX - n) {
			code = FAIL_HERE(&line, "more than %d messages", LOOM_MESSAGES_MAX);
			goto out;
		}
		if (n + count > room) {
			room = 2 * room + 64 + count;
			struct loom_message *more = realloc(messages, room * sizeof *more);
			if (!more) {
				code = loom_pattern_no_memory(err);
				goto out;
			}
			messages = more;
		}
		while (count-- > 0)
			messages[n++] = message;
	}
	if (n == 0) {
		code = FAIL_HERE(&c, "no message: a line is source,destination[,flits[,count]]");
		goto out;
	}
	*out = messages;
	*n_out = n;
	messages = NULL;
out:
	free(messages);
	return code;
}
