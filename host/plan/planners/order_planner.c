// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// All messages in one pass, each node's in an order in which the pass takes few cycles. The machine tells how many: a few orders are
// tried, then messages of a node change places for as long as the budget lasts.
#include <stdlib.h>
#include <string.h>

#include <flitloom/machine.h>

#include "base/rng.h"
#include "plan/planners/budget.h"
#include "plan/planners/planners.h"

#define STEPS_DEFAULT 10000000u // channels that headers cross, in all runs together

struct search {
	struct loom_plan *plan;
	struct loom_budget budget;
	struct loom_rng rng;
	uint64_t steps; // of a run
	uint64_t cycles;
	struct loom_plan_message *best; // owned: the messages in the best order
	size_t *place;                  // owned: places of the plan's messages, those of one node side by side
	size_t *first;                  // owned, n_nodes + 1: of each processor, where its places begin
};

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	return pattern->n_messages != 0 && !pattern->timing && pattern->n_members == 1;
}

// The cycles of the order that the plan has now. One in which the pass locks takes for ever.
static int run(uint64_t *out, const struct search *s, struct loom_err *err)
{
	struct loom_err why = {0};
	int code = loom_machine_cycles(out, s->plan, LOOM_MACHINE_FAST, &why);
	if (code == LOOM_ESTUCK || code == LOOM_EFIT)
		*out = LOOM_CYCLES_UNKNOWN;
	return code == 0 || code == LOOM_ESTUCK || code == LOOM_EFIT ? 0 : loom_fail(err, code, "%s", why.text);
}

static void tell(const struct search *s)
{
	const struct loom_plan_options *o = s->budget.options;
	char text[64];
	if (!o->progress)
		return;
	(void)snprintf(text, sizeof text, "order: %llu cycles", (unsigned long long)s->cycles);
	o->progress(o->user, text);
}

// --- Orders to begin with -------------------------------------------------------------------------------------------

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
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

// Puts each node's messages, as listed, into an order.
static int arrange(struct search *s, const struct loom_plan_message *listed, enum order order, struct loom_err *err)
{
	struct loom_plan *plan = s->plan;
	struct keyed *list = malloc((plan->n_messages + 1) * sizeof *list);
	if (!list)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the order of %zu messages", plan->n_messages);
	memcpy(plan->messages, listed, plan->n_messages * sizeof *listed);
	for (size_t k = 0; k < plan->n_messages; k++) {
		const size_t i = s->place[k];
		list[k] = (struct keyed){key_of(plan, i, order), i, listed[i]};
	}
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		qsort(list + s->first[v], s->first[v + 1] - s->first[v], sizeof *list, by_key);
		for (size_t k = s->first[v]; k < s->first[v + 1]; k++)
			plan->messages[s->place[k]] = list[k].message;
	}
	free(list);
	return 0;
}

static void keep(struct search *s, uint64_t cycles)
{
	const bool better = cycles < s->cycles;
	s->cycles = cycles;
	memcpy(s->best, s->plan->messages, s->plan->n_messages * sizeof *s->best);
	if (better)
		tell(s);
}

static int try_orders(struct search *s, struct loom_err *err)
{
	const size_t n_bytes = (s->plan->n_messages + 1) * sizeof *s->plan->messages;
	struct loom_plan_message *listed = malloc(n_bytes);
	int code = listed ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the messages of an order");
	if (code == 0)
		memcpy(listed, s->plan->messages, s->plan->n_messages * sizeof *listed);
	for (enum order order = LISTED; code == 0 && order < N_ORDERS; order++) {
		uint64_t cycles;
		code = arrange(s, listed, order, err);
		if (code == 0)
			code = run(&cycles, s, err);
		if (code == 0 && (order == LISTED || cycles < s->cycles))
			keep(s, cycles);
		if (!loom_budget_spend(&s->budget, s->steps))
			break;
	}
	free(listed);
	return code;
}

// --- Changing places ------------------------------------------------------------------------------------------------

// Takes one of a processor's messages to another place among them; those in between move up by one.
static void move(struct search *s, size_t from, size_t to)
{
	struct loom_plan_message *messages = s->plan->messages;
	const struct loom_plan_message moved = messages[s->place[from]];
	for (; from > to; from--)
		messages[s->place[from]] = messages[s->place[from - 1]];
	for (; from < to; from++)
		messages[s->place[from]] = messages[s->place[from + 1]];
	messages[s->place[to]] = moved;
}

static int change_places(struct search *s, struct loom_err *err)
{
	struct loom_plan *plan = s->plan;
	memcpy(plan->messages, s->best, plan->n_messages * sizeof *s->best);
	size_t n_free = 0; // messages that could go elsewhere
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++)
		n_free += s->first[v + 1] - s->first[v] > 1 ? s->first[v + 1] - s->first[v] : 0;
	int code = 0;
	while (code == 0 && n_free > 0 && loom_budget_spend(&s->budget, s->steps)) {
		uint64_t cycles;
		const size_t from = (size_t)loom_rng_below(&s->rng, plan->n_messages);
		const uint32_t v = plan->messages[s->place[from]].source;
		const size_t n = s->first[v + 1] - s->first[v];
		const size_t to = s->first[v] + (size_t)loom_rng_below(&s->rng, n);
		if (from == to)
			continue;
		move(s, from, to);
		code = run(&cycles, s, err);
		if (code == 0 && cycles <= s->cycles)
			keep(s, cycles);
		else
			move(s, to, from);
	}
	return code;
}

// --- The planner ----------------------------------------------------------------------------------------------------

static int begin(struct search *s, struct loom_plan *plan, const struct loom_plan_options *options,
                 struct loom_err *err)
{
	const size_t n = plan->n_messages, n_nodes = plan->topo.n_nodes;
	*s = (struct search){.plan = plan, .cycles = LOOM_CYCLES_UNKNOWN};
	loom_budget_begin(&s->budget, options, STEPS_DEFAULT);
	loom_rng_init(&s->rng, options->seed);
	s->best = malloc((n + 1) * sizeof *s->best);
	s->place = calloc(n + 1, sizeof *s->place);
	s->first = calloc(n_nodes + 2, sizeof *s->first);
	if (!s->best || !s->place || !s->first)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the order of %zu messages", n);
	for (size_t i = 0; i < n; i++) {
		s->first[plan->messages[i].source + 2]++;
		s->steps += loom_plan_route_length(plan, i);
	}
	for (size_t v = 1; v <= n_nodes; v++)
		s->first[v + 1] += s->first[v];
	for (size_t i = 0; i < n; i++) // first[v + 1] goes from where those of v begin to where they end
		s->place[s->first[plan->messages[i].source + 1]++] = i;
	return 0;
}

static int plan_order(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	struct search s;
	int code = begin(&s, plan, request->options, err);
	if (code == 0)
		code = try_orders(&s, err);
	if (code == 0)
		code = change_places(&s, err);
	if (code == 0)
		memcpy(plan->messages, s.best, plan->n_messages * sizeof *s.best);
	for (size_t i = 0; i < plan->n_messages; i++)
		plan->messages[i].origin = (uint32_t)i;
	free(s.best);
	free(s.place);
	free(s.first);
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
};
