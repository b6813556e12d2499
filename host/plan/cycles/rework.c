// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches by changes of the plan itself: places, rules, routes and orders together. If places are open, it first
// searches from a map with low loads, too. It leaves the best plan of the whole search.
#include <stdlib.h>
#include <string.h>

#include "plan/cycles/cycles.h"
#include "plan/cycles/message_order.h"
#include "plan/plan_internal.h"
#include "plan/planners/planners.h"

#define CHANGES_MOST 4

// A copy of all that changes, as it is in the best plan so far.
struct kept {
	struct loom_plan *plan;
	const struct loom_descent *descent;
	uint64_t cycles;                    // of that plan
	uint32_t *map;                      // owned
	struct loom_plan_message *messages; // owned
	struct loom_routes routes;          // owned
	size_t room;                        // room for channels in `routes`
	bool is_short;                      // memory ran out for the routes of a better plan
};

static void copy(struct kept *k)
{
	const struct loom_plan *plan = k->plan;
	const struct loom_routes *from = &plan->routes;
	const size_t n = from->n ? from->first[from->n] : 0;
	if (n > k->room) {
		uint32_t *more = realloc(k->routes.channel, n * sizeof *more);
		k->is_short = k->is_short || !more;
		k->room = more ? n : k->room;
		k->routes.channel = more ? more : k->routes.channel;
	}
	if (n > k->room)
		return;
	k->cycles = k->descent->cycles;
	memcpy(k->map, plan->map, plan->topo.n_nodes * sizeof *k->map);
	memcpy(k->messages, plan->messages, plan->n_messages * sizeof *k->messages);
	if (from->n)
		memcpy(k->routes.first, from->first, (from->n + 1) * sizeof *from->first);
	if (n)
		memcpy(k->routes.channel, from->channel, n * sizeof *from->channel);
}

static void keep(void *user)
{
	struct kept *k = user;
	if (k->descent->cycles < k->cycles)
		copy(k);
}

static int begin(struct kept *k, struct loom_plan *plan, const struct loom_descent *descent, struct loom_err *err)
{
	const size_t n = plan->n_messages + 1, n_channels = plan->routes.n ? plan->routes.first[plan->routes.n] : 0;
	*k = (struct kept){.plan = plan,
	                   .descent = descent,
	                   .cycles = descent->cycles,
	                   .map = calloc(plan->topo.n_nodes, sizeof *k->map),
	                   .messages = calloc(n, sizeof *k->messages),
	                   .routes = {.n = plan->routes.n,
	                              .first = calloc(n, sizeof *k->routes.first),
	                              .channel = calloc(n_channels + 1, sizeof *k->routes.channel)},
	                   .room = n_channels + 1};
	if (!k->map || !k->messages || !k->routes.first || !k->routes.channel)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a better plan of %zu messages", n - 1);
	copy(k);
	return 0;
}

// Restores the best plan's map and messages.
static void restore(const struct kept *k)
{
	struct loom_plan *plan = k->plan;
	memcpy(plan->map, k->map, plan->topo.n_nodes * sizeof *k->map);
	memcpy(plan->messages, k->messages, plan->n_messages * sizeof *k->messages);
	for (size_t i = 0; i < plan->n_messages; i++)
		if (!plan->messages[i].from_slot)
			plan->messages[i].origin = (uint32_t)i;
}

// Restores the best plan's routes: hands them over to the plan.
static void restore_routes(struct kept *k)
{
	const struct loom_routes other = k->plan->routes;
	if (other.n == 0)
		return;
	k->plan->routes = k->routes;
	k->routes = other;
}

static void let_go(struct kept *k)
{
	free(k->map);
	free(k->messages);
	loom_routes_free(&k->routes);
}

bool loom_cycles_promises_nothing(const struct loom_plan *plan)
{
	return plan->routes.n == 0 && plan->n_theory == 0 && plan->n_passes == plan->n_members && !plan->half_duplex &&
	       !plan->free_running && loom_plan_cycles(plan) == LOOM_CYCLES_UNKNOWN;
}

// The changes that are open, and their data.
struct kinds {
	struct loom_change change[CHANGES_MOST];
	size_t n;
	struct loom_place_change place;
	struct loom_rule_change rule;
	struct loom_route_change route;  // owned
	struct loom_message_order order; // owned
};

static int gather(struct kinds *k, struct loom_cycles_search *s, bool places, struct loom_err *err)
{
	const bool is_open = loom_cycles_promises_nothing(s->plan);
	int code = 0;
	if (is_open && places) {
		k->place = (struct loom_place_change){.plan = s->plan};
		k->change[k->n++] = loom_place_change(&k->place);
	}
	if (is_open && loom_rule_change_is_open(s)) {
		k->rule = (struct loom_rule_change){.plan = s->plan};
		k->change[k->n++] = loom_rule_change(&k->rule);
	}
	if (loom_route_change_is_open(s)) {
		code = loom_route_change_init(&k->route, s->plan, err);
		k->change[k->n++] = loom_route_change(&k->route);
	}
	if (code == 0 && s->planner == &loom_planner_order) {
		code = loom_message_order_init(&k->order, s->plan, err);
		if (code == 0 && loom_message_order_matters(&k->order))
			k->change[k->n++] = loom_message_order_change(&k->order);
	}
	return code;
}

// Searches from a map with low loads, with half of the budget, and leaves the best plan so far. Routes go by rule.
static int begin_elsewhere(struct loom_cycles_search *s, const struct kinds *kinds, const struct kept *kept,
                           struct loom_err *err)
{
	struct loom_descent *d = &s->descent;
	const struct loom_budget all = d->budget, share = loom_budget_share(&all, 2);
	bool is_found;
	int code = loom_cycles_low_loads(&is_found, s, err);
	if (code == 0 && is_found) {
		d->budget = share;
		code = loom_descent_count(&d->cycles, d, err);
		if (code == 0)
			keep(d->user);
		if (code == 0)
			code = loom_descent_run(d, kinds->change, kinds->n, err);
		const struct loom_budget spent = d->budget;
		d->budget = all;
		loom_budget_give_back(&d->budget, &share, &spent);
	}
	restore(kept);
	loom_plan_settle_rules(s->plan);
	d->cycles = kept->cycles;
	return code;
}

static int search(struct loom_cycles_search *s, const struct kinds *kinds, bool places, struct loom_err *err)
{
	struct kept kept;
	struct loom_descent *d = &s->descent;
	int code = begin(&kept, s->plan, d, err);
	d->plan = s->plan;
	d->steps = loom_descent_steps(s->plan);
	d->better = keep;
	d->user = &kept;
	if (code == 0 && places && d->cycles > d->least && !loom_plan_how_made(s->plan)->placement.how[0])
		code = begin_elsewhere(s, kinds, &kept, err);
	if (code == 0)
		code = loom_descent_run(d, kinds->change, kinds->n, err);
	if (code == 0 && kept.is_short)
		code = loom_fail(err, LOOM_ENOMEM, "out of memory for better routes of %zu messages",
		                 s->plan->routes.n);
	if (code == 0) {
		restore(&kept);
		restore_routes(&kept);
	}
	let_go(&kept);
	return code;
}

int loom_cycles_rework(bool *is_placed, struct loom_cycles_search *s, bool places, struct loom_err *err)
{
	const uint32_t n_nodes = s->plan->topo.n_nodes;
	struct kinds kinds = {.n = 0};
	uint32_t *map = calloc(n_nodes, sizeof *map); // the map before
	int code = map ? gather(&kinds, s, places, err)
	               : loom_fail(err, LOOM_ENOMEM, "out of memory for a map of %u nodes", n_nodes);
	if (code == 0)
		memcpy(map, s->plan->map, n_nodes * sizeof *map);
	if (code == 0 && kinds.n > 0)
		code = search(s, &kinds, kinds.place.plan != NULL, err);
	*is_placed = code == 0 && memcmp(map, s->plan->map, n_nodes * sizeof *map) != 0;
	loom_route_change_free(&kinds.route);
	loom_message_order_free(&kinds.order);
	free(map);
	return code;
}
