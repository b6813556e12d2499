// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Places the receives between the sends and calcs of a program.
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/numbers.h"
#include "goal/goal_run.h"

struct late {
	uint64_t time;
	size_t op;
};

static int by_time(const void *a, const void *b)
{
	const struct late *x = a, *y = b;
	const int by = loom_order(x->time, y->time);
	return by ? by : loom_order(x->op, y->op);
}

struct writer {
	const struct goal_run *run;
	size_t *entry, n;
	bool *is_seen; // by point
	struct late *late;
	size_t *stack;
	struct loom_arrays arrays; // owns the arrays
};

// Places the receives that operation i needs, directly or through operations without time, and that are not placed yet.
static void place_needed(struct writer *w, size_t i)
{
	const struct goal_run *run = w->run;
	size_t n = run->goal->n_ops, n_stack = 0, n_late = 0;
	w->stack[n_stack++] = i;
	while (n_stack) {
		size_t point = w->stack[--n_stack], op = point < n ? point : point - n;
		if (point < n && is_recv(run, point)) {
			w->late[n_late++] = (struct late){run->time[point], point};
			if (!w->is_seen[n + point])
				w->stack[n_stack++] = n + point;
			w->is_seen[n + point] = true;
			if (is_inside(run, point) && !w->is_seen[run->match[point]]) {
				w->is_seen[run->match[point]] = true;
				w->stack[n_stack++] = run->match[point];
			}
			continue;
		}
		for (size_t k = run->needs.first[op]; k < run->needs.first[op + 1]; k++) {
			size_t asked = asked_point(run, &run->goal->needs[run->needs.need[k]]);
			if (w->is_seen[asked] || (asked < n && takes_time(run, asked)))
				continue;
			w->is_seen[asked] = true;
			w->stack[n_stack++] = asked;
		}
	}
	if (n_late)
		qsort(w->late, n_late, sizeof *w->late, by_time);
	for (size_t k = 0; k < n_late; k++)
		w->entry[w->n++] = w->late[k].op;
}

// Places the receives of a rank that nothing needs.
static void place_rest(struct writer *w, const size_t *recvs, size_t n_recvs)
{
	size_t n_late = 0;
	for (size_t k = 0; k < n_recvs; k++)
		if (!w->is_seen[recvs[k]])
			w->late[n_late++] = (struct late){w->run->time[recvs[k]], recvs[k]};
	if (n_late)
		qsort(w->late, n_late, sizeof *w->late, by_time);
	for (size_t k = 0; k < n_late; k++)
		w->entry[w->n++] = w->late[k].op;
}

static uint32_t rank_of(const struct loom_goal *goal, size_t point)
{
	return goal->ops[point < goal->n_ops ? point : point - goal->n_ops].rank;
}

void loom_goal_by_rank(size_t *out, size_t *first, const struct loom_goal *goal, const size_t *list, size_t n)
{
	memset(first, 0, (goal->n_ranks + (size_t)1) * sizeof *first);
	for (size_t k = 0; k < n; k++)
		first[rank_of(goal, list[k]) + 1]++;
	for (uint32_t r = 0; r < goal->n_ranks; r++)
		first[r + 1] += first[r];
	for (size_t k = n; k-- > 0;)
		out[--first[rank_of(goal, list[k]) + 1]] = list[k];
	for (uint32_t r = 0; r < goal->n_ranks; r++)
		first[r] = first[r + 1];
	first[goal->n_ranks] = n;
}

int loom_goal_write_programs(struct loom_goal_order *out, const struct goal_run *run, struct loom_err *err)
{
	const struct loom_goal *g = run->goal;
	struct writer w = {.run = run, .entry = out->entry};
	size_t *recvs, *all, *first_recv, *first, *active, n_recvs = 0;
	LOOM_ARRAY(&w.arrays, w.is_seen, 2 * g->n_ops + 1);
	LOOM_ARRAY(&w.arrays, w.late, g->n_ops + 1);
	LOOM_ARRAY(&w.arrays, w.stack, 2 * g->n_ops + 2);
	LOOM_ARRAY(&w.arrays, recvs, g->n_ops + 1);
	LOOM_ARRAY(&w.arrays, all, g->n_ops + 1);
	LOOM_ARRAY(&w.arrays, first_recv, g->n_ranks + (size_t)1);
	LOOM_ARRAY(&w.arrays, first, g->n_ranks + (size_t)1);
	LOOM_ARRAY(&w.arrays, active, g->n_ops + 1);
	int code = w.arrays.is_short ? loom_goal_no_memory(err) : 0;
	for (size_t i = 0; code == 0 && i < g->n_ops; i++)
		if (is_recv(run, i))
			all[n_recvs++] = i;
	if (code == 0) {
		loom_goal_by_rank(recvs, first_recv, g, all, n_recvs);
		loom_goal_by_rank(active, first, g, run->sequence, run->n_sequence);
	}
	for (uint32_t r = 0; code == 0 && r < g->n_ranks; r++) {
		out->first[r] = w.n;
		for (size_t k = first[r]; k < first[r + 1]; k++) {
			place_needed(&w, active[k]);
			w.entry[w.n++] = active[k];
		}
		place_rest(&w, recvs + first_recv[r], first_recv[r + 1] - first_recv[r]);
	}
	out->first[g->n_ranks] = w.n;
	loom_arrays_free(&w.arrays);
	return code;
}
