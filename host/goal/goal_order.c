// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the order in which a rank carries out its operations. All ranks run on an imagined machine with these rules:
//
//   A send of F flits keeps its rank busy for F cycles. Its message is there F + 4 cycles after it began (over one hop,
//   with the receiver's wait). A calc keeps its rank busy for its cycles. A receive, and a calc of no cycles, take no
//   time. Everything begins as soon as its needs are met and its rank is free. A rank that could do several operations
//   takes a send before a calc, and of each sort the first one in the text.
//
// A rank's program has the sends and calcs in the order of their beginning. A receive stands in front of the first of
// them that needs it, directly or through operations that take no time. Receives that nothing needs stand at the end.
// Several receives at one place stand in the order in which their messages come.
//
// Such programs never wait for ever. On the imagined machine every send begins before the receive of its message stands
// in a program, so a circle of waits would go back in time. The order meets all needs within a rank.
#include <stdio.h>
#include <stdlib.h>

#include "base/arrays.h"
#include "base/numbers.h"
#include "goal/goal_heap.h"
#include "goal/goal_run.h"

#define HOP_AND_WAIT 4

struct state {
	struct goal_run run;
	struct loom_goal_index followers; // needs, by the operation that they need
	uint32_t *n_unmet;                // by point, as is_reached
	bool *is_reached;
	size_t *stack; // points that are reached and whose followers have not been told
	size_t n_stack;
	struct rank {
		uint64_t free;
		// The operations that it will be able to do, by time; those that it can do now
		struct goal_heap pending, open;
	} * ranks;
	struct goal_entry *room;   // of both heaps
	struct goal_heap turns;    // ranks by the time of their next action; contains outdated entries, too
	struct loom_arrays arrays; // owns the arrays
};

// Returns the point that the need delays.
static size_t held_point(const struct goal_run *run, const struct loom_goal_need *need)
{
	return is_recv(run, need->op) ? run->goal->n_ops + need->op : need->op;
}

static uint64_t next_turn(const struct rank *r)
{
	if (r->open.n)
		return r->free;
	return r->pending.n ? loom_larger(r->free, r->pending.entry[0].time) : UINT64_MAX;
}

static void tell_turn(struct state *s, uint32_t rank)
{
	uint64_t time = next_turn(&s->ranks[rank]);
	if (time != UINT64_MAX)
		goal_heap_push(&s->turns, (struct goal_entry){time, rank});
}

static void meet(struct state *s, size_t point, uint64_t time)
{
	s->run.time[point] = loom_larger(s->run.time[point], time);
	if (--s->n_unmet[point])
		return;
	if (point >= s->run.goal->n_ops || !takes_time(&s->run, point)) {
		s->is_reached[point] = true;
		s->stack[s->n_stack++] = point;
		return;
	}
	uint32_t rank = s->run.goal->ops[point].rank;
	goal_heap_push(&s->ranks[rank].pending, (struct goal_entry){s->run.time[point], point});
	tell_turn(s, rank);
}

// Tells the followers of operation i that it has begun, or that it is done.
static void tell(struct state *s, size_t i, bool start, uint64_t time)
{
	for (size_t k = s->followers.first[i]; k < s->followers.first[i + 1]; k++) {
		const struct loom_goal_need *need = &s->run.goal->needs[s->followers.need[k]];
		if (need->start == start)
			meet(s, held_point(&s->run, need), time);
	}
}

static void empty_stack(struct state *s)
{
	while (s->n_stack) {
		size_t point = s->stack[--s->n_stack], n = s->run.goal->n_ops;
		uint64_t time = s->run.time[point];
		s->run.points[s->run.n_points++] = point;
		if (point >= n) {
			tell(s, point - n, true, time);
			meet(s, point - n, time);
			continue;
		}
		if (!is_recv(&s->run, point))
			tell(s, point, true, time);
		tell(s, point, false, time);
		if (s->run.goal->ops[point].kind == LOOM_GOAL_SEND) // a message to the rank itself
			meet(s, s->run.match[point], time);
	}
}

static void carry_out(struct state *s, uint32_t rank, size_t i, uint64_t time)
{
	uint64_t end = time + s->run.flits[i] + s->run.cycles[i];
	s->ranks[rank].free = end;
	s->run.sequence[s->run.n_sequence++] = i;
	s->run.time[i] = time; // from here on the time at which it began
	s->is_reached[i] = true;
	s->run.points[s->run.n_points++] = i;
	tell(s, i, true, time);
	tell(s, i, false, end);
	if (s->run.goal->ops[i].kind == LOOM_GOAL_SEND)
		meet(s, s->run.match[i], end + HOP_AND_WAIT);
	empty_stack(s);
}

static void run_all(struct state *s)
{
	size_t n = s->run.goal->n_ops;
	// A point without needs is met once, at 0.
	for (size_t i = 0; i < n; i++)
		meet(s, is_recv(&s->run, i) ? n + i : i, 0);
	empty_stack(s);
	while (s->turns.n) {
		struct goal_entry turn = goal_heap_pop(&s->turns);
		struct rank *r = &s->ranks[turn.number];
		if (next_turn(r) != turn.time)
			continue;
		while (r->pending.n && r->pending.entry[0].time <= turn.time) {
			size_t i = goal_heap_pop(&r->pending).number;
			goal_heap_push(&r->open, (struct goal_entry){s->run.goal->ops[i].kind != LOOM_GOAL_SEND, i});
		}
		carry_out(s, (uint32_t)turn.number, goal_heap_pop(&r->open).number, turn.time);
		tell_turn(s, (uint32_t)turn.number);
	}
}

// --- Search for a circle ---------------------------------------------------------------------------------------------

// Finds, for a point that was not reached, another such point for which it waits.
static size_t waits_for(const struct state *s, size_t point)
{
	size_t n = s->run.goal->n_ops, i = point < n ? point : point - n;
	if (point < n && is_recv(&s->run, i))
		return s->is_reached[n + i] ? s->run.match[i] : n + i;
	for (size_t k = s->run.needs.first[i]; k < s->run.needs.first[i + 1]; k++) {
		size_t asked = asked_point(&s->run, &s->run.goal->needs[s->run.needs.need[k]]);
		if (!s->is_reached[asked])
			return asked;
	}
	return point; // not reached here
}

static int fail_circle(const struct state *s, struct loom_err *err)
{
	const struct loom_goal *g = s->run.goal;
	char circle[224] = "", shown[64];
	size_t point = 0, n = g->n_ops, used = 0, n_shown = 0, last = LOOM_GOAL_NONE;
	while (s->is_reached[point])
		point++;
	for (size_t k = 0; k < 2 * n; k++)
		point = waits_for(s, point);
	size_t first = point;
	do {
		size_t i = point < n ? point : point - n;
		if (i != last && n_shown < 4)
			used += (size_t)snprintf(circle + used, sizeof circle - used, "%s(%s)", n_shown ? ", " : "",
			                         loom_goal_show(shown, g, i));
		n_shown += i != last;
		last = i;
		point = waits_for(s, point);
	} while (point != first && used < sizeof circle);
	return loom_goal_fail(g, g->ops[first < n ? first : first - n].line, err,
	                      "operations need one another in a circle, each the next: %s%s", circle,
	                      n_shown > 4 ? ", ..." : "");
}

static int index_followers(struct state *s, struct loom_err *err)
{
	const struct loom_goal *g = s->run.goal;
	struct loom_goal turned = {.n_ops = g->n_ops, .n_needs = g->n_needs};
	turned.needs = calloc(g->n_needs + 1, sizeof *turned.needs);
	if (!turned.needs)
		return loom_goal_no_memory(err);
	for (size_t k = 0; k < g->n_needs; k++)
		turned.needs[k].op = g->needs[k].on;
	int code = loom_goal_index_needs(&s->followers, &turned, err);
	free(turned.needs);
	return code;
}

static int init(struct state *s, struct loom_err *err)
{
	const struct loom_goal *g = s->run.goal;
	size_t n = g->n_ops, n_heaps = 0;
	int code = loom_goal_index_needs(&s->run.needs, g, err);
	if (code == 0)
		code = index_followers(s, err);
	if (code)
		return code;
	LOOM_ARRAY(&s->arrays, s->n_unmet, 2 * n + 1);
	LOOM_ARRAY(&s->arrays, s->run.time, 2 * n + 1);
	LOOM_ARRAY(&s->arrays, s->is_reached, 2 * n + 1);
	LOOM_ARRAY(&s->arrays, s->stack, 2 * n + 1);
	LOOM_ARRAY(&s->arrays, s->ranks, g->n_ranks);
	LOOM_ARRAY(&s->arrays, s->run.sequence, n + 1);
	LOOM_ARRAY(&s->arrays, s->run.points, 2 * n + 1);
	LOOM_ARRAY(&s->arrays, s->room, 2 * n + 1);
	LOOM_ARRAY(&s->arrays, s->turns.entry, 2 * n + 1);
	if (s->arrays.is_short)
		return loom_goal_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		// A receive waits until it has begun and for its message. Another operation is met once, at 0.
		s->n_unmet[i] = is_recv(&s->run, i) ? 2 : 1;
		s->n_unmet[n + i] = 1;
		s->ranks[g->ops[i].rank].open.n += takes_time(&s->run, i);
	}
	for (size_t k = 0; k < g->n_needs; k++)
		s->n_unmet[held_point(&s->run, &g->needs[k])]++;
	for (uint32_t r = 0; r < g->n_ranks; r++) {
		size_t room = s->ranks[r].open.n;
		s->ranks[r].open = (struct goal_heap){.entry = s->room + n_heaps};
		s->ranks[r].pending = (struct goal_heap){.entry = s->room + n_heaps + room};
		n_heaps += 2 * room;
	}
	return 0;
}

int loom_goal_order(struct loom_goal_order *out, const struct loom_goal *goal, const size_t *match,
                    const struct loom_goal_costs *costs, struct loom_err *err)
{
	struct state s = {.run = {.goal = goal, .match = match, .flits = costs->flits, .cycles = costs->cycles}};
	size_t n_points = 0;
	int code = init(&s, err);
	for (size_t i = 0; i < goal->n_ops; i++)
		n_points += goal->ops[i].kind == LOOM_GOAL_RECV ? 2 : 1;
	if (code == 0) {
		run_all(&s);
		code = s.run.n_points < n_points ? fail_circle(&s, err) : loom_goal_write_programs(out, &s.run, err);
		if (code == 0)
			code = loom_goal_count_serialised(out, &s.run, err);
	}
	loom_goal_index_free(&s.run.needs);
	loom_goal_index_free(&s.followers);
	loom_arrays_free(&s.arrays);
	return code;
}
