// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Counts the operations that a program makes wait for something that they do not need, because it is carried out in
// order.

#include <flitloom/goal.h>

#include "base/arrays.h"
#include "goal/goal_run.h"

#define BLOCK 64

// Receives and calcs are examined 64 at a time: mask[point] has a bit for each of these that the point needs, directly
// or through others.
struct count {
	const struct goal_run *run;
	uint64_t *mask;            // by point
	uint64_t *bit;             // by operation: its own bit, or 0 if it is none of the 64
	bool *is_serialised;       // by operation
	struct loom_arrays arrays; // owns the arrays
};

static bool is_send(const struct count *c, size_t i)
{
	return c->run->goal->ops[i].kind == LOOM_GOAL_SEND;
}

static void follow_needs(struct count *c, const size_t *points, size_t n_points)
{
	const struct goal_run *run = c->run;
	size_t n = run->goal->n_ops;
	for (size_t p = 0; p < n_points; p++) {
		size_t point = points[p], i = point < n ? point : point - n;
		uint64_t mask = 0;
		if (point < n && is_recv(run, i)) {
			c->mask[point] = c->mask[n + point] | (is_inside(run, i) ? c->mask[run->match[i]] : 0);
			continue;
		}
		for (size_t k = run->needs.first[i]; k < run->needs.first[i + 1]; k++) {
			const struct loom_goal_need *need = &run->goal->needs[run->needs.need[k]];
			mask |= c->mask[asked_point(run, need)] | (need->start ? 0 : c->bit[need->on]);
		}
		c->mask[point] = mask;
	}
}

static bool is_of_one_cpu(const struct count *c, size_t a, size_t b)
{
	const struct loom_goal_op *ops = c->run->goal->ops;
	return ops[a].kind == LOOM_GOAL_CALC && ops[b].kind == LOOM_GOAL_CALC && ops[a].cpu == ops[b].cpu;
}

// Examines a program from the block's first entry on.
static void look_at_program(struct count *c, const size_t *entry, size_t n, const size_t *block)
{
	uint64_t before = 0;
	for (size_t k = 0; k < n; k++) {
		size_t i = entry[k];
		for (uint64_t missing = is_recv(c->run, i) ? 0 : before & ~c->mask[i]; missing; missing &= missing - 1)
			c->is_serialised[i] |= !is_of_one_cpu(c, i, block[__builtin_ctzll(missing)]);
		before |= c->bit[i];
	}
}

static void count_rank(struct count *c, const size_t *entry, size_t n, const size_t *points, size_t n_points)
{
	for (size_t k = 0; k < n;) {
		size_t block[BLOCK], n_block = 0, begin = k;
		for (; k < n && n_block < BLOCK; k++)
			if (!is_send(c, entry[k]) && !is_inside(c->run, entry[k])) {
				c->bit[entry[k]] = UINT64_C(1) << n_block;
				block[n_block++] = entry[k];
			}
		follow_needs(c, points, n_points);
		look_at_program(c, entry + begin, n - begin, block);
		for (size_t b = 0; b < n_block; b++)
			c->bit[block[b]] = 0;
	}
}

// True if a program is too long: the work grows with the square of its length.
static bool is_long(const struct loom_goal_order *order, const struct loom_goal *g)
{
	for (uint32_t r = 0; r < g->n_ranks; r++)
		if (order->first[r + 1] - order->first[r] > LOOM_SERIALISED_OPS_MOST)
			return true;
	return false;
}

int loom_goal_count_serialised(struct loom_goal_order *out, const struct goal_run *run, struct loom_err *err)
{
	const struct loom_goal *g = run->goal;
	if (is_long(out, g)) {
		out->n_serialised = LOOM_SERIALISED_UNKNOWN;
		return 0;
	}
	struct count c = {.run = run};
	size_t *points, *first;
	LOOM_ARRAY(&c.arrays, c.mask, 2 * g->n_ops + 1);
	LOOM_ARRAY(&c.arrays, c.bit, g->n_ops + 1);
	LOOM_ARRAY(&c.arrays, c.is_serialised, g->n_ops + 1);
	LOOM_ARRAY(&c.arrays, points, 2 * g->n_ops + 1);
	LOOM_ARRAY(&c.arrays, first, g->n_ranks + (size_t)1);
	int code = c.arrays.is_short ? loom_goal_no_memory(err) : 0;
	if (code == 0)
		loom_goal_by_rank(points, first, g, run->points, run->n_points);
	for (uint32_t r = 0; code == 0 && r < g->n_ranks; r++)
		count_rank(&c, out->entry + out->first[r], out->first[r + 1] - out->first[r], points + first[r],
		           first[r + 1] - first[r]);
	out->n_serialised = 0;
	for (size_t i = 0; code == 0 && i < g->n_ops; i++)
		out->n_serialised += c.is_serialised[i];
	loom_arrays_free(&c.arrays);
	return code;
}
