// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends all messages in one pass, and orders those of each node so that the pass takes few cycles. The machine counts
// the cycles. The planner first tries a few orders. Then it exchanges messages of a node as long as the budget lasts.
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "plan/cycles/message_order.h"
#include "plan/planners/planners.h"

#define STEPS_DEFAULT 10000000u // channels that headers cross in all runs together

struct search {
	struct loom_plan *plan;
	struct loom_descent descent;
	struct loom_message_order order; // owned
	struct loom_plan_message *best;  // owned: the messages in the best order
};

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	return pattern->n_messages != 0 && !pattern->timing && pattern->n_members == 1;
}

// --- First orders ----------------------------------------------------------------------------------------------------

enum order { LISTED, LONGEST_WAY, SHORTEST_WAY, TURNING, CROSSWISE, LONGEST_MESSAGE, N_ORDERS };

static uint64_t key_of(const struct loom_plan *plan, size_t i, enum order order)
{
	const struct loom_plan_message *m = &plan->messages[i];
	const uint32_t n = plan->topo.n_nodes, from = plan->map[m->source], to = plan->map[m->destination];
	switch (order) {
	case LONGEST_WAY: return UINT32_MAX - loom_plan_route_length(plan, i);
	case SHORTEST_WAY: return loom_plan_route_length(plan, i);
	case TURNING: return to >= from ? to - from : to + n - from;
	case CROSSWISE: return from ^ to;
	case LONGEST_MESSAGE: return UINT32_MAX - m->flits;
	case LISTED:
	case N_ORDERS: break;
	}
	return i;
}

// A message and its key.
struct keyed {
	uint64_t key;
	size_t index;
	struct loom_plan_message message;
};

static int by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;
	const int by = loom_order(x->key, y->key);
	return by ? by : loom_order(x->index, y->index);
}

// Puts the listed messages of each node into an order.
static int arrange(struct search *s, const struct loom_plan_message *listed, enum order order, struct loom_err *err)
{
	struct loom_plan *plan = s->plan;
	struct keyed *list = malloc((plan->n_messages + 1) * sizeof *list);
	if (!list)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the order of %zu messages", plan->n_messages);
	memcpy(plan->messages, listed, plan->n_messages * sizeof *listed);
	for (size_t k = 0; k < plan->n_messages; k++) {
		const size_t i = s->order.place[k];
		list[k] = (struct keyed){key_of(plan, i, order), i, listed[i]};
	}
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		qsort(list + s->order.first[v], s->order.first[v + 1] - s->order.first[v], sizeof *list, by_key);
		for (size_t k = s->order.first[v]; k < s->order.first[v + 1]; k++)
			plan->messages[s->order.place[k]] = list[k].message;
	}
	free(list);
	return 0;
}

static void keep(struct search *s, uint64_t cycles)
{
	s->descent.cycles = cycles;
	memcpy(s->best, s->plan->messages, s->plan->n_messages * sizeof *s->best);
	loom_descent_tell(&s->descent);
}

// Leaves the messages in the best of the first orders.
static int try_orders(struct search *s, struct loom_err *err)
{
	struct loom_plan *plan = s->plan;
	const size_t n_bytes = (plan->n_messages + 1) * sizeof *plan->messages;
	struct loom_plan_message *listed = malloc(n_bytes);
	int code = listed ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the messages of an order");
	if (code == 0)
		memcpy(listed, plan->messages, plan->n_messages * sizeof *listed);
	for (enum order order = LISTED; code == 0 && order < N_ORDERS; order++) {
		uint64_t cycles;
		code = arrange(s, listed, order, err);
		if (code == 0)
			code = loom_descent_count(&cycles, &s->descent, err);
		if (code == 0 && (order == LISTED || cycles < s->descent.cycles))
			keep(s, cycles);
		if (!loom_budget_spend(&s->descent.budget, s->descent.steps))
			break;
	}
	if (code == 0)
		memcpy(plan->messages, s->best, plan->n_messages * sizeof *s->best);
	free(listed);
	return code;
}

static int change_places(struct search *s, struct loom_err *err)
{
	const struct loom_change change = loom_message_order_change(&s->order);
	return loom_message_order_matters(&s->order) ? loom_descent_run(&s->descent, &change, 1, err) : 0;
}

// --- The planner ----------------------------------------------------------------------------------------------------

static int begin(struct search *s, struct loom_plan *plan, const struct loom_plan_options *options,
                 struct loom_err *err)
{
	*s = (struct search){.plan = plan,
	                     .descent = {.plan = plan,
	                                 .name = "order",
	                                 .cycles = LOOM_CYCLES_UNKNOWN,
	                                 .steps = loom_descent_steps(plan)}};
	loom_budget_begin(&s->descent.budget, options, STEPS_DEFAULT);
	loom_rng_init(&s->descent.rng, options->seed);
	s->best = malloc((plan->n_messages + 1) * sizeof *s->best);
	if (!s->best)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the order of %zu messages", plan->n_messages);
	return loom_message_order_init(&s->order, plan, err);
}

static int plan_order(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	struct search s;
	int code = begin(&s, plan, request->options, err);
	if (code == 0)
		code = try_orders(&s, err);
	if (code == 0)
		code = change_places(&s, err);
	for (size_t i = 0; i < plan->n_messages; i++)
		plan->messages[i].origin = (uint32_t)i;
	free(s.best);
	loom_message_order_free(&s.order);
	if (code == 0)
		code = loom_planner_bound_placement(plan, err);
	return code ? code : loom_plan_predict(plan, err);
}

const struct loom_planner loom_planner_order = {
	.name = "order",
	.help = "any messages in one pass, each node's in an order in which it takes few cycles",
	.accepts = accepts,
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_order,
	.bound = LOOM_BOUND_PLACEMENT,
	.takes = LOOM_TAKES_RULES,
	.searches = true,
	.loads_follow = true,
};
