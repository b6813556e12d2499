// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a goal by the LogGOPS model, as LogGOPSim does: without a network, but with times for sending and receiving.
//
// Events are handled in the order of their times, and at the same time in the order in which they were created. The
// events that one event makes possible are created rank by rank; in a rank first sends, then receives, then calcs,
// each in the order of the text. An event whose processor or network interface is busy returns when that is free.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/goal.h>

#include "base/arrays.h"
#include "base/named_numbers.h"
#include "base/numbers.h"
#include "goal/goal_heap.h"
#include "goal/goal_internal.h"

#define UNITS_MOST 256u // the most processors, or interfaces, of a rank
// The most units of time of an operation: the times of LOOM_GOAL_OPS_MAX operations then fit into 64 bits.
#define TIME_MOST (UINT64_C(1) << 40)

struct event {
	size_t op;
	bool is_message; // its message has come to the receiver's rank; op is the send
};

// A queue of a rank, in the order of arrival: receives that wait, or messages that no receive has asked for.
struct line {
	size_t first, last; // in `next`; LOOM_GOAL_NONE if it is empty
};

struct state {
	const struct loom_goal *goal;
	struct loom_loggops with;
	struct loom_goal_index followers; // needs, by the operation that they need
	uint32_t *n_unmet;                // by operation
	size_t *next;                     // by operation: the next one in its queue
	size_t *taken;                    // by receive: the send whose message it takes, or NONE
	struct line *asked, *came;        // by rank
	size_t n_cpus, n_nics;
	uint64_t *cpu_free, *send_free, *recv_free; // [rank * n_cpus + cpu], [rank * n_nics + nic]
	struct event *events;                       // by number
	size_t n_events;
	struct goal_heap heap;
	size_t *ready; // operations that the present event made possible
	size_t n_ready, n_done;
	struct loom_arrays arrays; // owns the arrays but taken
};

static const struct loom_goal_op *op_of(const struct state *s, size_t i)
{
	return &s->goal->ops[i];
}

static uint64_t *cpu(const struct state *s, uint32_t rank, const struct loom_goal_op *o)
{
	return &s->cpu_free[rank * s->n_cpus + o->cpu];
}

// Returns the time for the bytes after the first.
static uint64_t of_bytes(const struct loom_goal_op *o, uint64_t each)
{
	return o->size > 0 ? (o->size - 1) * each : 0;
}

static void think_of(struct state *s, size_t op, bool is_message, uint64_t time)
{
	s->events[s->n_events] = (struct event){op, is_message};
	goal_heap_push(&s->heap, (struct goal_entry){time, s->n_events++});
}

// Tells that an operation has begun, or is done. Operations with no further needs become ready.
static void tell(struct state *s, size_t op, bool start)
{
	s->n_done += !start;
	for (size_t k = s->followers.first[op]; k < s->followers.first[op + 1]; k++) {
		const struct loom_goal_need *need = &s->goal->needs[s->followers.need[k]];
		if (need->start == start && --s->n_unmet[need->op] == 0)
			s->ready[s->n_ready++] = need->op;
	}
}

// --- Queues ----------------------------------------------------------------------------------------------------------

static void join(struct state *s, struct line *line, size_t op)
{
	s->next[op] = LOOM_GOAL_NONE;
	if (line->first == LOOM_GOAL_NONE)
		line->first = op;
	else
		s->next[line->last] = op;
	line->last = op;
}

static bool fits(const struct loom_goal_op *recv, const struct loom_goal_op *send)
{
	return (recv->peer == LOOM_GOAL_ANY_RANK || recv->peer == send->rank) &&
	       (recv->tag == LOOM_GOAL_ANY_TAG || recv->tag == send->tag);
}

// Takes the first operation that fits from a queue. Returns NONE if there is none.
static size_t take(struct state *s, struct line *line, size_t op)
{
	const bool asks = op_of(s, op)->kind == LOOM_GOAL_RECV;
	for (size_t i = line->first, before = LOOM_GOAL_NONE; i != LOOM_GOAL_NONE; before = i, i = s->next[i]) {
		if (!fits(op_of(s, asks ? op : i), op_of(s, asks ? i : op)))
			continue;
		if (before == LOOM_GOAL_NONE)
			line->first = s->next[i];
		else
			s->next[before] = s->next[i];
		if (line->last == i)
			line->last = before;
		return i;
	}
	return LOOM_GOAL_NONE;
}

// --- Events -----------------------------------------------------------------------------------------------------------

// Gives a receive its message. The sender of a long message has waited for that.
static void meet(struct state *s, size_t recv, size_t send, uint64_t now)
{
	const struct loom_goal_op *o = op_of(s, send);
	s->taken[recv] = send;
	if (o->size > s->with.S) {
		uint64_t *free_cpu = cpu(s, o->rank, o), *free_nic = &s->send_free[o->rank * s->n_nics + o->nic];
		*free_cpu = loom_larger(*free_cpu, now);
		*free_nic = loom_larger(*free_nic, now);
		tell(s, send, false);
	}
	tell(s, recv, false);
}

// Each of these functions returns the time at which its operation can be done, which is `now` if it was done.
static uint64_t calculate(struct state *s, size_t op, uint64_t now)
{
	const struct loom_goal_op *o = op_of(s, op);
	uint64_t *free_cpu = cpu(s, o->rank, o);
	if (*free_cpu > now)
		return *free_cpu;
	*free_cpu = now + o->size;
	tell(s, op, true);
	tell(s, op, false);
	return now;
}

static uint64_t send(struct state *s, size_t op, uint64_t now)
{
	const struct loom_goal_op *o = op_of(s, op);
	uint64_t *free_cpu = cpu(s, o->rank, o), *free_nic = &s->send_free[o->rank * s->n_nics + o->nic];
	if (loom_larger(*free_cpu, *free_nic) > now)
		return loom_larger(*free_cpu, *free_nic);
	*free_cpu = now + s->with.o + of_bytes(o, s->with.O);
	*free_nic = now + s->with.g + of_bytes(o, s->with.G);
	tell(s, op, true);
	think_of(s, op, true, now + s->with.o + s->with.L);
	if (o->size <= s->with.S)
		tell(s, op, false);
	return now;
}

static uint64_t receive(struct state *s, size_t op, uint64_t now)
{
	const uint32_t rank = op_of(s, op)->rank;
	tell(s, op, true);
	const size_t there = take(s, &s->came[rank], op);
	if (there == LOOM_GOAL_NONE)
		join(s, &s->asked[rank], op);
	else
		meet(s, op, there, now);
	return now;
}

// Lets the first byte of a message arrive. The receiver's processor and interface have the same numbers as the
// sender's.
static uint64_t arrive(struct state *s, size_t op, uint64_t now)
{
	const struct loom_goal_op *o = op_of(s, op);
	uint64_t *free_cpu = cpu(s, o->peer, o), *free_nic = &s->recv_free[o->peer * s->n_nics + o->nic];
	if (loom_larger(*free_cpu, *free_nic) > now)
		return loom_larger(*free_cpu, *free_nic);
	*free_cpu = now + s->with.o + loom_larger(of_bytes(o, s->with.O), of_bytes(o, s->with.G));
	*free_nic = now + s->with.g + of_bytes(o, s->with.G);
	const size_t recv = take(s, &s->asked[o->peer], op);
	if (recv == LOOM_GOAL_NONE)
		join(s, &s->came[o->peer], op);
	else
		meet(s, recv, op, now);
	return now;
}

static int in_order(const void *a, const void *b, void *user)
{
	const struct state *s = user;
	static const int place[] = {[LOOM_GOAL_SEND] = 0, [LOOM_GOAL_RECV] = 1, [LOOM_GOAL_CALC] = 2};
	const size_t i = *(const size_t *)a, j = *(const size_t *)b;
	const struct loom_goal_op *x = op_of(s, i), *y = op_of(s, j);
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->kind != y->kind)
		return place[x->kind] - place[y->kind];
	return i < j ? -1 : i > j;
}

static void think_of_ready(struct state *s)
{
	qsort_r(s->ready, s->n_ready, sizeof *s->ready, in_order, s);
	for (size_t k = 0; k < s->n_ready; k++) {
		const struct loom_goal_op *o = op_of(s, s->ready[k]);
		const uint64_t free_cpu = *cpu(s, o->rank, o);
		think_of(s, s->ready[k], false,
		         o->kind == LOOM_GOAL_SEND ? loom_larger(free_cpu, s->send_free[o->rank * s->n_nics + o->nic])
		                                   : free_cpu);
	}
	s->n_ready = 0;
}

static void run(struct state *s)
{
	for (size_t i = 0; i < s->goal->n_ops; i++)
		if (s->n_unmet[i] == 0)
			s->ready[s->n_ready++] = i;
	think_of_ready(s);
	while (s->heap.n > 0) {
		const struct goal_entry e = goal_heap_pop(&s->heap);
		const struct event event = s->events[e.number];
		const enum loom_goal_kind kind = op_of(s, event.op)->kind;
		const uint64_t when = event.is_message         ? arrive(s, event.op, e.time)
		                      : kind == LOOM_GOAL_SEND ? send(s, event.op, e.time)
		                      : kind == LOOM_GOAL_RECV ? receive(s, event.op, e.time)
		                                               : calculate(s, event.op, e.time);
		if (when > e.time)
			goal_heap_push(&s->heap, (struct goal_entry){when, e.number});
		think_of_ready(s);
	}
}

// --- The whole run ---------------------------------------------------------------------------------------------------

static int index_followers(struct state *s, struct loom_err *err)
{
	struct loom_goal turned = *s->goal; // a copy with reversed needs
	turned.needs = calloc(s->goal->n_needs + 1, sizeof *turned.needs);
	int rc = turned.needs ? 0 : loom_goal_no_memory(err);
	for (size_t k = 0; rc == 0 && k < s->goal->n_needs; k++) {
		turned.needs[k] = (struct loom_goal_need){.op = s->goal->needs[k].on};
		s->n_unmet[s->goal->needs[k].op]++;
	}
	if (rc == 0)
		rc = loom_goal_index_needs(&s->followers, &turned, err);
	free(turned.needs);
	return rc;
}

static int make(struct state *s, struct loom_err *err)
{
	const struct loom_goal *g = s->goal;
	s->n_cpus = s->n_nics = 1;
	for (size_t i = 0; i < g->n_ops; i++) {
		const struct loom_goal_op *o = &g->ops[i];
		if (o->cpu >= UNITS_MOST || o->nic >= UNITS_MOST)
			return loom_goal_fail(g, o->line, err, "cpu and nic are 0..%u by LogGOPS", UNITS_MOST - 1);
		const uint64_t each = o->kind == LOOM_GOAL_CALC ? 1 : loom_larger(1, loom_larger(s->with.G, s->with.O));
		if (o->size > TIME_MOST / each)
			return loom_goal_fail(g, o->line, err, "takes more than %" PRIu64 " units of time by LogGOPS",
			                      TIME_MOST);
		s->n_cpus = o->cpu >= s->n_cpus ? o->cpu + (size_t)1 : s->n_cpus;
		s->n_nics = o->nic >= s->n_nics ? o->nic + (size_t)1 : s->n_nics;
	}
	LOOM_ARRAY(&s->arrays, s->n_unmet, g->n_ops + 1);
	LOOM_ARRAY(&s->arrays, s->next, g->n_ops + 1);
	LOOM_ARRAY(&s->arrays, s->ready, g->n_ops + 1);
	LOOM_ARRAY(&s->arrays, s->events, 2 * g->n_ops + 1);
	LOOM_ARRAY(&s->arrays, s->heap.entry, 2 * g->n_ops + 1);
	LOOM_ARRAY(&s->arrays, s->asked, g->n_ranks);
	LOOM_ARRAY(&s->arrays, s->came, g->n_ranks);
	LOOM_ARRAY(&s->arrays, s->cpu_free, g->n_ranks * s->n_cpus);
	LOOM_ARRAY(&s->arrays, s->send_free, g->n_ranks * s->n_nics);
	LOOM_ARRAY(&s->arrays, s->recv_free, g->n_ranks * s->n_nics);
	if (s->arrays.is_short)
		return loom_goal_no_memory(err);
	for (uint32_t r = 0; r < g->n_ranks; r++)
		s->asked[r] = s->came[r] = (struct line){LOOM_GOAL_NONE, LOOM_GOAL_NONE};
	return index_followers(s, err);
}

static int check(const struct state *s, struct loom_err *err)
{
	char shown[64];
	const struct loom_goal *g = s->goal;
	for (uint32_t r = 0; r < g->n_ranks; r++)
		if (s->came[r].first != LOOM_GOAL_NONE)
			return loom_goal_fail(g, 0, err, "no rank receives the message of %s",
			                      loom_goal_show(shown, g, s->came[r].first));
	for (uint32_t r = 0; r < g->n_ranks; r++)
		if (s->asked[r].first != LOOM_GOAL_NONE)
			return loom_goal_fail(g, 0, err, "no message comes for %s",
			                      loom_goal_show(shown, g, s->asked[r].first));
	return s->n_done == g->n_ops
	               ? 0
	               : loom_goal_fail(g, 0, err, "operations need one another in a circle, %zu of them never begin",
	                                g->n_ops - s->n_done);
}

int loom_loggops_parse(struct loom_loggops *out, const char *text, struct loom_err *err)
{
	static const char *const names[] = {"L", "o", "g", "G", "O", "S"};
	enum { N = sizeof names / sizeof names[0] };
	const struct loom_named_numbers all = {.what = "loggops",
	                                       .example = "L=2500,o=1500,g=1000,G=6,O=0,S=65535",
	                                       .name = names,
	                                       .n = N,
	                                       .most = LOOM_LOGGOPS_MOST};
	double value[N] = {2500, 1500, 1000, 6, 0, 65535};
	int rc = strcmp(text, "usual") == 0 ? 0 : loom_named_numbers_parse(value, &all, text, err);
	for (size_t i = 0; rc == 0 && i < N; i++)
		if (value[i] != floor(value[i]))
			rc = loom_fail(err, LOOM_EINPUT, "loggops: %s=%g: a whole number, as in %s", names[i], value[i],
			               all.example);
	if (rc == 0)
		*out = (struct loom_loggops){.L = (uint64_t)value[0],
		                             .o = (uint64_t)value[1],
		                             .g = (uint64_t)value[2],
		                             .G = (uint64_t)value[3],
		                             .O = (uint64_t)value[4],
		                             .S = (uint64_t)value[5]};
	return rc;
}

int loom_goal_loggops(uint64_t *out, size_t *taken, const struct loom_goal *goal, const struct loom_loggops *with,
                      struct loom_err *err)
{
	struct state s = {.goal = goal, .with = *with, .taken = calloc(goal->n_ops + 1, sizeof *taken)};
	int rc = s.taken ? make(&s, err) : loom_goal_no_memory(err);
	if (rc == 0) {
		run(&s);
		rc = check(&s, err);
	}
	for (uint32_t r = 0; rc == 0 && r < goal->n_ranks; r++) {
		out[r] = 0;
		for (size_t c = 0; c < s.n_cpus; c++)
			out[r] = loom_larger(out[r], s.cpu_free[r * s.n_cpus + c]);
	}
	for (size_t i = 0; rc == 0 && taken && i < goal->n_ops; i++)
		taken[i] = goal->ops[i].kind == LOOM_GOAL_RECV ? s.taken[i] : LOOM_GOAL_NONE;
	loom_goal_index_free(&s.followers);
	loom_arrays_free(&s.arrays);
	free(s.taken);
	return rc;
}
