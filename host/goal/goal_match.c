// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Matches receives with the messages that they take.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "goal/goal_internal.h"

// A send or a receive, with its sender and receiver.
struct end {
	uint32_t source, destination, tag;
	size_t op;
};

static int by_tag(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	int by = loom_order(x->source, y->source);
	by = by ? by : loom_order(x->destination, y->destination);
	by = by ? by : loom_order(x->tag, y->tag);
	return by ? by : loom_order(x->op, y->op);
}

static int by_op(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	return loom_order(x->op, y->op);
}

static struct end *collect(size_t *n_out, const struct loom_goal *goal, enum loom_goal_kind kind)
{
	size_t n = 0;
	for (size_t i = 0; i < goal->n_ops; i++)
		n += goal->ops[i].kind == kind;
	struct end *ends = calloc(n + 1, sizeof *ends);
	if (!ends)
		return NULL;
	*n_out = n;
	n = 0;
	for (size_t i = 0; i < goal->n_ops; i++) {
		const struct loom_goal_op *o = &goal->ops[i];
		if (o->kind != kind)
			continue;
		ends[n++] = kind == LOOM_GOAL_SEND ? (struct end){o->rank, o->peer, o->tag, i}
		                                   : (struct end){o->peer, o->rank, o->tag, i};
	}
	if (n)
		qsort(ends, n, sizeof *ends, by_tag);
	return ends;
}

static size_t group(const struct end *ends, size_t begin, size_t n, const struct end *like)
{
	size_t end = begin;
	while (end < n && ends[end].source == like->source && ends[end].destination == like->destination)
		end++;
	return end;
}

static void join(size_t *match, size_t a, size_t b)
{
	match[a] = b;
	match[b] = a;
}

// Matches ends if some receive takes any tag: each receive takes the first message that fits and that no earlier
// receive has taken.
static void match_any(size_t *match, struct end *sends, size_t n_sends, struct end *recvs, size_t n_recvs)
{
	size_t first = 0;
	qsort(sends, n_sends, sizeof *sends, by_op);
	qsort(recvs, n_recvs, sizeof *recvs, by_op);
	for (size_t r = 0; r < n_recvs; r++) {
		while (first < n_sends && match[sends[first].op] != LOOM_GOAL_NONE)
			first++;
		for (size_t s = first; s < n_sends; s++)
			if (match[sends[s].op] == LOOM_GOAL_NONE &&
			    (recvs[r].tag == LOOM_GOAL_ANY_TAG || recvs[r].tag == sends[s].tag)) {
				join(match, recvs[r].op, sends[s].op);
				break;
			}
	}
}

static void match_tags(size_t *match, const struct end *sends, size_t n_sends, const struct end *recvs, size_t n_recvs)
{
	for (size_t s = 0, r = 0; s < n_sends && r < n_recvs;) {
		if (sends[s].tag == recvs[r].tag)
			join(match, recvs[r++].op, sends[s++].op);
		else if (sends[s].tag < recvs[r].tag)
			s++;
		else
			r++;
	}
}

// Checks that no end is left over, and reports the first one in the text.
static int check(const size_t *match, const struct loom_goal *goal, struct loom_err *err)
{
	for (size_t i = 0; i < goal->n_ops; i++) {
		const struct loom_goal_op *o = &goal->ops[i];
		char tag[32] = "with any tag";
		if (o->kind == LOOM_GOAL_CALC || match[i] != LOOM_GOAL_NONE)
			continue;
		if (o->tag != LOOM_GOAL_ANY_TAG)
			(void)snprintf(tag, sizeof tag, "with tag %" PRIu32, o->tag);
		if (o->kind == LOOM_GOAL_SEND)
			return loom_goal_fail(goal, o->line, err,
			                      "rank %" PRIu32 " sends a message %s which rank %" PRIu32
			                      " does not receive",
			                      o->rank, tag, o->peer);
		return loom_goal_fail(goal, o->line, err,
		                      "rank %" PRIu32 " receives a message %s which rank %" PRIu32
		                      " does not send; those that it sends are taken by other receives",
		                      o->rank, tag, o->peer);
	}
	return 0;
}

int loom_goal_match(size_t *out, const struct loom_goal *goal, struct loom_err *err)
{
	size_t n_sends = 0, n_recvs = 0;
	struct end *sends = collect(&n_sends, goal, LOOM_GOAL_SEND), *recvs = collect(&n_recvs, goal, LOOM_GOAL_RECV);
	int code = sends && recvs ? 0 : loom_goal_no_memory(err);
	for (size_t i = 0; i < goal->n_ops; i++)
		out[i] = LOOM_GOAL_NONE;
	for (size_t s = 0, r = 0; code == 0 && r < n_recvs;) {
		size_t r_end = group(recvs, r, n_recvs, &recvs[r]);
		struct end pair = {.source = recvs[r].source, .destination = recvs[r].destination};
		while (s < n_sends && by_tag(&sends[s], &pair) < 0)
			s++;
		size_t s_end = group(sends, s, n_sends, &pair);
		// Any tag is the highest number, so it comes last.
		if (recvs[r_end - 1].tag == LOOM_GOAL_ANY_TAG)
			match_any(out, sends + s, s_end - s, recvs + r, r_end - r);
		else
			match_tags(out, sends + s, s_end - s, recvs + r, r_end - r);
		r = r_end;
		s = s_end;
	}
	free(sends);
	free(recvs);
	return code ? code : check(out, goal, err);
}
