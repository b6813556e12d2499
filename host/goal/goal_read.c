// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Reads GOAL text. Takes linear time, except for sorting the labels of each rank.
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/topo.h>

#include "base/room.h"
#include "base/text.h"
#include "goal/goal_internal.h"
#include "goal/goal_words.h"

struct label {
	struct token name;
	size_t op;
};

// A dependence whose labels have not been looked up: they may stand further down.
struct pending {
	struct token op, on;
	bool start;
};

struct reader {
	struct cursor c;
	struct loom_goal goal;
	bool has_ranks;
	bool *seen;    // by rank: its block has been read
	uint32_t rank; // the rank whose block is being read
	struct label *labels;
	struct pending *pending;
	size_t n_labels, room_labels, n_pending, room_pending;
};

// Reads tag 3, cpu 0 and nic 0, in any order.
static int read_attributes(struct loom_goal_op *op, struct cursor *c)
{
	bool has_tag = false, has_cpu = false, has_nic = false;
	for (;;) {
		uint64_t value;
		int code = loom_goal_skip(c);
		if (code || !isalpha(peek(c)))
			return code ? code : loom_goal_end_statement(c);
		struct token t;
		code = loom_goal_take(&t, c);
		if (code)
			return code;
		bool tag = loom_goal_is(t, "tag") && op->kind != LOOM_GOAL_CALC, cpu = loom_goal_is(t, "cpu"),
		     nic = loom_goal_is(t, "nic");
		if (!tag && !cpu && !nic)
			return loom_goal_fail_token(c, t,
			                            op->kind == LOOM_GOAL_CALC ? "cpu, nic or the line's end"
			                                                       : "tag, cpu, nic or the line's end");
		if ((tag && has_tag) || (cpu && has_cpu) || (nic && has_nic))
			return loom_goal_fail_token(c, t, "nothing that was already said");
		code = loom_goal_skip(c);
		if (code)
			return code;
		if (tag && peek(c) == '-') {
			advance(c);
			code = loom_goal_expect(c, "1");
			if (code == 0 && op->kind != LOOM_GOAL_RECV)
				code = FAIL_TOKEN(c, t, "tag -1, any tag: only a receive can have it");
			value = LOOM_GOAL_ANY_TAG;
		} else {
			code = loom_goal_take_number(&value, c, tag ? LOOM_GOAL_ANY_TAG - 1 : UINT32_MAX, "a number");
		}
		if (code)
			return code;
		if (tag)
			op->tag = (uint32_t)value;
		if (cpu)
			op->cpu = (uint32_t)value;
		if (nic)
			op->nic = (uint32_t)value;
		has_tag = has_tag || tag;
		has_cpu = has_cpu || cpu;
		has_nic = has_nic || nic;
	}
}

// Reads -1, which stands for any rank in a receive.
static int read_any_rank(struct reader *r, struct loom_goal_op *op)
{
	struct cursor *c = &r->c;
	if (op->kind == LOOM_GOAL_SEND)
		return FAIL_HERE(c, "a send to any rank: which rank it is must be said, 0..%" PRIu32,
		                 r->goal.n_ranks - 1);
	advance(c);
	int code = loom_goal_expect(c, "1");
	op->peer = LOOM_GOAL_ANY_RANK;
	return code ? code : read_attributes(op, c);
}

// Reads the rest of a send, recv or calc.
static int read_op(struct reader *r, struct loom_goal_op *op)
{
	struct cursor *c = &r->c;
	uint64_t peer = 0;
	if (op->kind == LOOM_GOAL_CALC) {
		int code = loom_goal_take_number(&op->size, c, UINT64_MAX - 1, "a number of units");
		return code ? code : read_attributes(op, c);
	}
	int code = loom_goal_take_number(&op->size, c, UINT64_MAX - 1, "a number of bytes, such as 100b");
	if (code == 0)
		code = loom_goal_expect(c, "b");
	if (code == 0)
		code = loom_goal_expect(c, op->kind == LOOM_GOAL_SEND ? "to" : "from");
	if (code == 0)
		code = loom_goal_skip(c);
	if (code == 0 && peek(c) == '-')
		return read_any_rank(r, op);
	if (code == 0)
		code = loom_goal_take_number(&peer, c, r->goal.n_ranks - 1, "a rank");
	op->peer = (uint32_t)peer;
	return code ? code : read_attributes(op, c);
}

static int by_name(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	size_t n = x->name.length < y->name.length ? x->name.length : y->name.length;
	int order = memcmp(x->name.at, y->name.at, n);
	if (order == 0)
		order = (x->name.length > n) - (y->name.length > n);
	return order ? order : (x->op > y->op) - (x->op < y->op);
}

static const struct label *find_label(const struct reader *r, struct token name)
{
	size_t low = 0, high = r->n_labels;
	struct label wanted = {.name = name, .op = 0}; // the first of that name, or the place for it
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (by_name(&r->labels[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	const struct label *l = &r->labels[low];
	return low < r->n_labels && l->name.length == name.length && !memcmp(l->name.at, name.at, name.length) ? l
	                                                                                                       : NULL;
}

static int end_rank(struct reader *r)
{
	char shown[48];
	if (r->n_labels)
		qsort(r->labels, r->n_labels, sizeof *r->labels, by_name);
	for (size_t i = 1; i < r->n_labels; i++) {
		const struct label *a = &r->labels[i - 1], *b = &r->labels[i];
		if (a->name.length == b->name.length && memcmp(a->name.at, b->name.at, a->name.length) == 0)
			return FAIL_TOKEN(&r->c, b->name, "label %s was already given to line %zu",
			                  loom_token_show(shown, sizeof shown, b->name), a->name.line);
	}
	for (size_t i = 0; i < r->n_pending; i++) {
		const struct pending *p = &r->pending[i];
		const struct label *op = find_label(r, p->op), *on = find_label(r, p->on);
		struct token missing = op ? p->on : p->op;
		if (!op || !on)
			return FAIL_TOKEN(&r->c, missing, "no operation of rank %" PRIu32 " has the label %s", r->rank,
			                  loom_token_show(shown, sizeof shown, missing));
		struct loom_goal_need need = {op->op, on->op, p->start, p->op.line};
		int code = loom_goal_add_need(&r->goal, &need, r->c.err);
		if (code)
			return code;
	}
	r->n_labels = r->n_pending = 0;
	return 0;
}

static int add_label(struct reader *r, struct token name, size_t op)
{
	if (!LOOM_ROOM(r->labels, r->room_labels, r->n_labels + 1))
		return loom_goal_no_memory(r->c.err);
	r->labels[r->n_labels++] = (struct label){name, op};
	return 0;
}

static int add_pending(struct reader *r, struct token op, struct token on, bool start)
{
	if (!LOOM_ROOM(r->pending, r->room_pending, r->n_pending + 1))
		return loom_goal_no_memory(r->c.err);
	r->pending[r->n_pending++] = (struct pending){op, on, start};
	return 0;
}

static bool kind_of(enum loom_goal_kind *out, struct token t)
{
	*out = loom_goal_is(t, "send") ? LOOM_GOAL_SEND : loom_goal_is(t, "recv") ? LOOM_GOAL_RECV : LOOM_GOAL_CALC;
	return *out != LOOM_GOAL_CALC || loom_goal_is(t, "calc");
}

static bool is_label(struct token t)
{
	return t.length > 0 && (isalpha((unsigned char)t.at[0]) || t.at[0] == '_');
}

// Reads an operation, with or without a label, or a dependence.
static int read_statement(struct reader *r)
{
	struct loom_goal_op op = {.rank = r->rank};
	struct token label = {0}, t;
	size_t i;
	int code = loom_goal_take(&t, &r->c);
	if (code)
		return code;
	if (!kind_of(&op.kind, t)) {
		if (!is_label(t))
			return loom_goal_fail_token(&r->c, t, "send, recv, calc, a label or }");
		label = t;
		code = loom_goal_take(&t, &r->c);
		if (code)
			return code;
		if (loom_goal_is(t, "requires") || loom_goal_is(t, "irequires")) {
			struct token on;
			bool start = loom_goal_is(t, "irequires");
			code = loom_goal_take(&on, &r->c);
			if (code == 0 && !is_label(on))
				code = loom_goal_fail_token(&r->c, on, "a label");
			if (code == 0)
				code = loom_goal_end_statement(&r->c);
			return code ? code : add_pending(r, label, on, start);
		}
		if (!loom_goal_is(t, ":"))
			return loom_goal_fail_token(&r->c, t, "a colon, requires or irequires behind the label");
		code = loom_goal_take(&t, &r->c);
		if (code == 0 && !kind_of(&op.kind, t))
			code = loom_goal_fail_token(&r->c, t, "send, recv or calc");
		if (code)
			return code;
	}
	op.line = t.line;
	code = read_op(r, &op);
	if (code == 0)
		code = loom_goal_add(&i, &r->goal, &op, r->c.err);
	return code == 0 && label.length ? add_label(r, label, i) : code;
}

// Reads the rest of a line that begins with rank.
static int read_rank(struct reader *r, size_t line)
{
	uint64_t rank;
	if (!r->has_ranks)
		return FAIL_HERE(&r->c, "num_ranks must stand in front of the first rank");
	int code = loom_goal_take_number(&rank, &r->c, r->goal.n_ranks - 1, "a rank");
	if (code == 0 && r->seen[rank])
		code = loom_goal_fail(&r->goal, line, r->c.err, "rank %" PRIu64 " is there for the second time", rank);
	if (code == 0)
		code = loom_goal_skip_lines(&r->c);
	if (code == 0)
		code = loom_goal_expect(&r->c, "{");
	if (code)
		return code;
	r->rank = (uint32_t)rank;
	r->seen[rank] = true;
	for (;;) {
		code = loom_goal_skip_lines(&r->c);
		if (code)
			return code;
		if (peek(&r->c) == EOF)
			return FAIL_HERE(&r->c, "rank %" PRIu64 ", which begins in line %zu, has no closing }", rank,
			                 line);
		if (peek(&r->c) == '}') {
			advance(&r->c);
			return end_rank(r);
		}
		code = read_statement(r);
		if (code)
			return code;
	}
}

static int read_all(struct reader *r)
{
	for (;;) {
		struct token t;
		uint64_t value;
		int code = loom_goal_skip_lines(&r->c);
		if (code)
			return code;
		if (peek(&r->c) == EOF)
			return r->has_ranks ? 0 : FAIL_HERE(&r->c, "num_ranks is missing: such as num_ranks 4");
		code = loom_goal_take(&t, &r->c);
		if (code)
			return code;
		if (loom_goal_is(t, "rank")) {
			code = read_rank(r, t.line);
		} else if (loom_goal_is(t, "num_ranks") && !r->has_ranks) {
			code = loom_goal_take_number(&value, &r->c, LOOM_NODES_MAX, "a number of ranks");
			if (code == 0 && value == 0)
				code = FAIL_TOKEN(&r->c, t, "num_ranks 0: there is at least 1");
			if (code)
				return code;
			r->goal.n_ranks = (uint32_t)value;
			r->has_ranks = true;
			r->seen = calloc(value, sizeof *r->seen);
			if (!r->seen)
				return loom_goal_no_memory(r->c.err);
		} else {
			code = loom_goal_fail_token(&r->c, t, r->has_ranks ? "rank" : "num_ranks");
		}
		if (code)
			return code;
	}
}

int loom_goal_parse(struct loom_goal *out, const char *text, size_t length, const char *where, struct loom_err *err)
{
	struct reader r = {.c = start(text, length, where, err)};
	(void)loom_text_where(r.goal.where, sizeof r.goal.where, where);
	int code = read_all(&r);
	if (code == 0)
		*out = r.goal;
	else
		loom_goal_free(&r.goal);
	free(r.seen);
	free(r.labels);
	free(r.pending);
	return code;
}
