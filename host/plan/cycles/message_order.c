// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/cycles/message_order.h"

#include <stdlib.h>

int loom_message_order_init(struct loom_message_order *out, struct loom_plan *plan, struct loom_err *err)
{
	const size_t n = plan->n_messages, n_nodes = plan->topo.n_nodes;
	*out = (struct loom_message_order){.plan = plan,
	                                   .place = calloc(n + 1, sizeof *out->place),
	                                   .first = calloc(n_nodes + 2, sizeof *out->first)};
	if (!out->place || !out->first) {
		loom_message_order_free(out);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the order of %zu messages", n);
	}
	for (size_t i = 0; i < n; i++)
		out->first[plan->messages[i].source + 2]++;
	for (size_t v = 1; v <= n_nodes; v++)
		out->first[v + 1] += out->first[v];
	for (size_t i = 0; i < n; i++) // first[v + 1] moves from the beginning of v's places to their end
		out->place[out->first[plan->messages[i].source + 1]++] = i;
	return 0;
}

void loom_message_order_free(struct loom_message_order *order)
{
	free(order->place);
	free(order->first);
	*order = (struct loom_message_order){0};
}

bool loom_message_order_matters(const struct loom_message_order *order)
{
	for (uint32_t v = 0; v < order->plan->topo.n_nodes; v++)
		if (order->first[v + 1] - order->first[v] > 1)
			return true;
	return false;
}

// Moves one of a processor's messages to another place among its messages. The messages in between shift by one.
static void move(struct loom_message_order *o, size_t from, size_t to)
{
	struct loom_plan_message *messages = o->plan->messages;
	const struct loom_plan_message moved = messages[o->place[from]];
	for (; from > to; from--)
		messages[o->place[from]] = messages[o->place[from - 1]];
	for (; from < to; from++)
		messages[o->place[from]] = messages[o->place[from + 1]];
	messages[o->place[to]] = moved;
}

static int make(bool *is_made, void *user, struct loom_rng *rng, struct loom_err *err)
{
	struct loom_message_order *o = user;
	(void)err;
	o->from = (size_t)loom_rng_below(rng, o->plan->n_messages);
	const uint32_t v = o->plan->messages[o->place[o->from]].source;
	o->to = o->first[v] + (size_t)loom_rng_below(rng, o->first[v + 1] - o->first[v]);
	*is_made = o->from != o->to;
	if (*is_made)
		move(o, o->from, o->to);
	return 0;
}

static void undo(void *user)
{
	struct loom_message_order *o = user;
	move(o, o->to, o->from);
}

struct loom_change loom_message_order_change(struct loom_message_order *order)
{
	return (struct loom_change){.make = make, .undo = undo, .user = order};
}
