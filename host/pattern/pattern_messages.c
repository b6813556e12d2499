// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// A list of messages as CSV.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "base/room.h"
#include "base/text.h"
#include "base/cursor.h"
#include "pattern/message_lines.h"
#include "pattern/pattern_internal.h"

#define HEADING "source,destination[,flits[,count]][,release]"

// The columns that may follow a destination. Without a heading a line has flits and count.
enum column { FLITS, COUNT, RELEASE };
static const struct loom_message_columns usual = {.column = {FLITS, COUNT}, .n = 2};
static const char *const names[] = {[FLITS] = "flits", [COUNT] = "count", [RELEASE] = "release"};

static bool has_release(const struct loom_message_columns *columns)
{
	return columns->n > 0 && columns->column[columns->n - 1] == RELEASE;
}

static bool may_follow(const struct loom_message_columns *have, enum column column)
{
	return !has_release(have) && (column == RELEASE || have->n == (unsigned)column);
}

// With other names, or in another order, the columns would be misread.
static int read_heading(struct loom_message_columns *out, struct cursor *c)
{
	static const char *const ends[] = {"source", "destination"};
	struct loom_message_columns columns = {.n = 0};
	for (unsigned i = 0;; i++) {
		char shown[48];
		struct token t = take_token(c);
		bool known = i < 2 && token_is(t, ends[i]);
		for (unsigned k = FLITS; i >= 2 && !known && k <= RELEASE; k++)
			if (token_is(t, names[k]) && may_follow(&columns, (enum column)k)) {
				columns.column[columns.n++] = k;
				known = true;
			}
		if (!known)
			return FAIL_TOKEN(c, t, "%s in the heading: it must be " HEADING,
			                  loom_token_show(shown, sizeof shown, t));
		skip_blanks(c);
		if (peek(c) != ',') {
			if (i == 0)
				return FAIL_HERE(c, "no destination in the heading: it must be " HEADING);
			break;
		}
		advance(c);
		skip_blanks(c);
	}
	if (peek(c) != EOF && peek(c) != '\n')
		return FAIL_HERE(c, "a comma is missing in the heading: it must be " HEADING);
	// Without releases lines may have more than their heading says, as they always could.
	*out = has_release(&columns) ? columns : usual;
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

static int read_column(struct loom_message_line *line, struct cursor *c, unsigned column)
{
	switch (column) {
	case FLITS: return read_field(&line->message.flits, c, "flits", 1, LOOM_FLITS_MOST, "");
	case COUNT: return read_field(&line->count, c, "count", 1, LOOM_MESSAGES_MAX, "");
	default: return read_field(&line->release, c, "release", 0, LOOM_GATE_CYCLES_MOST, "");
	}
}

static int read_line(struct loom_message_line *out, struct cursor *c, const struct loom_message_columns *columns,
                     uint32_t n_nodes, uint32_t default_flits)
{
	static const char why[] = ", as there can be no more tasks than nodes";
	struct loom_message_line line = {.message.flits = default_flits, .count = 1};
	int code = read_field(&line.message.source, c, "source", 0, n_nodes - 1, why);
	if (code)
		return code;
	if (peek(c) != ',')
		return FAIL_HERE(c, "no destination: a line is " HEADING);
	advance(c);
	code = read_field(&line.message.destination, c, "destination", 0, n_nodes - 1, why);
	for (unsigned i = 0; code == 0 && i < columns->n && peek(c) == ','; i++) {
		advance(c);
		code = read_column(&line, c, columns->column[i]);
	}
	if (code)
		return code;
	if (peek(c) != EOF && peek(c) != '\n') {
		char text[64] = "source,destination";
		for (unsigned i = 0; i < columns->n; i++)
			(void)snprintf(text + strlen(text), sizeof text - strlen(text), ",%s",
			               names[columns->column[i]]);
		return FAIL_HERE(c, "more than %s on the line", text);
	}
	*out = line;
	return 0;
}

static int add_line(struct loom_message_list *list, size_t *room, const struct loom_message_line *line,
                    struct loom_err *err)
{
	size_t release_room = *room;
	if (!LOOM_ROOM(list->release, release_room, list->n + line->count) ||
	    !LOOM_ROOM(list->messages, *room, list->n + line->count))
		return loom_pattern_no_memory(err);
	for (uint32_t i = 0; i < line->count; i++, list->n++) {
		list->messages[list->n] = line->message;
		list->release[list->n] = line->release;
	}
	return 0;
}

void loom_message_list_free(struct loom_message_list *list)
{
	if (!list)
		return;
	free(list->messages);
	free(list->release);
	*list = (struct loom_message_list){0};
}

// --- Text by pieces --------------------------------------------------------------------------------------------------

void loom_message_lines_begin(struct loom_message_lines *out, uint32_t n_nodes, uint32_t default_flits,
                              const char *where)
{
	*out = (struct loom_message_lines){
		.n_nodes = n_nodes, .default_flits = default_flits, .where = where, .columns = usual, .line = 1};
}

bool loom_message_lines_have_releases(const struct loom_message_lines *lines)
{
	return has_release(&lines->columns);
}

int loom_message_lines_fail_empty(const struct loom_message_lines *lines, struct loom_err *err)
{
	struct cursor c = start(NULL, 0, lines->where, err);
	c.line = lines->line;
	c.column = lines->column;
	return FAIL_HERE(&c, "no message: a line is " HEADING);
}

int loom_message_lines_read(struct loom_message_lines *lines, const char *text, size_t length,
                            loom_message_line_each *each, void *user, struct loom_err *err)
{
	struct cursor c = start(text, length, lines->where, err);
	int code = 0;
	c.line = lines->line;
	while (code == 0 && (skip_space(&c), peek(&c) != EOF)) {
		if (peek(&c) == '#') {
			skip_line(&c);
			continue;
		}
		const bool heading = !lines->begun && isalpha(peek(&c));
		lines->begun = true;
		if (heading) {
			code = read_heading(&lines->columns, &c);
			continue;
		}
		struct loom_message_line line = {.count = 0};
		const struct cursor at = c;
		code = read_line(&line, &c, &lines->columns, lines->n_nodes, lines->default_flits);
		if (code == 0)
			code = each(user, &line, &at, err);
	}
	lines->line = c.line;
	lines->column = c.column;
	return code;
}

// A list that is made of them.
struct parse {
	struct loom_message_list list;
	size_t room;
};

static int add_parsed(void *user, const struct loom_message_line *line, const struct cursor *at, struct loom_err *err)
{
	struct parse *p = user;
	struct cursor here = *at;
	if (line->count > LOOM_MESSAGES_MAX - p->list.n)
		return FAIL_HERE(&here, "more than %d messages", LOOM_MESSAGES_MAX);
	return add_line(&p->list, &p->room, line, err);
}

int loom_messages_parse(struct loom_message_list *out, uint32_t n_nodes, uint32_t default_flits, const char *text,
                        size_t length, const char *where, struct loom_err *err)
{
	struct loom_message_lines lines;
	struct parse parse = {.list = {.n = 0}};
	if (n_nodes < 1 || n_nodes > LOOM_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " processors: a pattern has 1 to %d", n_nodes,
		                 LOOM_NODES_MAX);
	if (default_flits == 0)
		return loom_fail(err, LOOM_EINPUT, "0 flits: a message has at least 1, its header");
	loom_message_lines_begin(&lines, n_nodes, default_flits, where);
	int code = loom_message_lines_read(&lines, text, length, add_parsed, &parse, err);
	struct loom_message_list list = parse.list;
	if (code == 0 && list.n == 0)
		code = loom_message_lines_fail_empty(&lines, err);
	if (code) {
		loom_message_list_free(&list);
		return code;
	}
	if (!loom_message_lines_have_releases(&lines)) {
		free(list.release);
		list.release = NULL;
	}
	*out = list;
	return 0;
}
