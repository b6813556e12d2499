// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "pattern/collective.h"

static void put(struct collective *c, const struct loom_goal_op *op)
{
	size_t i = 0;
	if (c->code == 0)
		c->code = loom_goal_add(&i, c->goal, op, c->err);
	for (unsigned k = 0; c->code == 0 && k < c->n_before; k++)
		c->code = loom_goal_add_need(c->goal, &(struct loom_goal_need){.op = i, .on = c->before[k]}, c->err);
	c->now[c->n_now++] = i;
}

void loom_collective_send(struct collective *c, uint32_t to, uint64_t bytes, uint32_t tag)
{
	put(c, &(struct loom_goal_op){.kind = LOOM_GOAL_SEND, .rank = c->rank, .peer = to, .size = bytes, .tag = tag});
}

void loom_collective_recv(struct collective *c, uint32_t from, uint64_t bytes, uint32_t tag)
{
	put(c,
	    &(struct loom_goal_op){.kind = LOOM_GOAL_RECV, .rank = c->rank, .peer = from, .size = bytes, .tag = tag});
}

void loom_collective_calc(struct collective *c, uint64_t units)
{
	put(c, &(struct loom_goal_op){.kind = LOOM_GOAL_CALC, .rank = c->rank, .size = units});
}

void loom_collective_next_step(struct collective *c)
{
	memcpy(c->before, c->now, sizeof c->before);
	c->n_before = c->n_now;
	c->n_now = 0;
}

uint64_t loom_collective_pieces(uint64_t bytes, uint64_t first, uint64_t last, uint64_t n)
{
	// bytes = q n + r: piece i begins at q i + (r i) / n, which does not overflow.
	uint64_t q = bytes / n, r = bytes % n;
	return q * (last - first) + r * last / n - r * first / n;
}
