// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches for an order of passes. With barriers each pass but the last costs its cycles, at least LOOM_PASS_CYCLES,
// plus the barrier. So all orders cost the same, unless the last pass is shorter than LOOM_PASS_CYCLES less the
// cycles that it takes to notice an end. In a free run whose messages wait, the search exchanges two passes at a
// time.
#include <stdlib.h>
#include <string.h>

#include "machine/compute.h"
#include "plan/cycles/cycles.h"
#include "plan/plan_internal.h"

// True if passes may change places: they are of one communication, no data are handed on, and no switches turn between them.
static bool may_change(const struct loom_plan *plan)
{
	return plan->n_passes > 1 && plan->n_members == 1 && plan->n_theory == 0 && !plan->timing && !plan->label &&
	       !plan->topo.kind->two_directions && !loom_plan_relays(plan);
}

// Appends the messages of pass `from`, and their routes, as pass `as`.
static void append(struct loom_plan_message *messages, struct loom_routes *routes, size_t *n,
                   const struct loom_plan *plan, uint32_t from, uint32_t as)
{
	for (size_t i = 0; i < plan->n_messages; i++) {
		if (plan->messages[i].pass != from)
			continue;
		messages[*n] = plan->messages[i];
		messages[*n].pass = as;
		messages[*n].origin = (uint32_t)*n;
		if (plan->routes.n) {
			const size_t begin = plan->routes.first[i], length = plan->routes.first[i + 1] - begin;
			if (length)
				memcpy(routes->channel + routes->first[*n], plan->routes.channel + begin,
				       length * sizeof *routes->channel);
			routes->first[*n + 1] = routes->first[*n] + length;
		}
		++*n;
	}
}

// Exchanges two passes. A second call takes the exchange back.
static int exchange(struct loom_plan *plan, uint32_t a, uint32_t b, struct loom_err *err)
{
	const size_t n = plan->n_messages, n_channels = plan->routes.n ? plan->routes.first[plan->routes.n] : 0;
	struct loom_plan_message *messages = calloc(n + 1, sizeof *messages);
	struct loom_routes routes = {.n = plan->routes.n};
	size_t done = 0;
	if (plan->routes.n) {
		routes.first = calloc(n + 1, sizeof *routes.first);
		routes.channel = calloc(n_channels + 1, sizeof *routes.channel);
	}
	if (!messages || (plan->routes.n && (!routes.first || !routes.channel))) {
		free(messages);
		loom_routes_free(&routes);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
	}
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		append(messages, &routes, &done, plan, pass == a ? b : pass == b ? a : pass, pass);
	free(plan->messages);
	loom_routes_free(&plan->routes);
	plan->messages = messages;
	plan->routes = routes;
	return 0;
}

// --- Barriers -------------------------------------------------------------------------------------------------------

// Puts the shortest pass last, if that takes fewer cycles.
static int put_shortest_last(struct loom_cycles_search *s, struct loom_err *err)
{
	struct loom_plan *plan = s->plan;
	uint64_t *cycles = calloc(plan->n_passes, sizeof *cycles), count = 0;
	uint32_t shortest = plan->n_passes - 1;
	const struct loom_machine_options options = {.cycles = cycles};
	int code = cycles ? loom_machine_compute(NULL, plan, &options, err)
	                  : loom_fail(err, LOOM_ENOMEM, "out of memory for the cycles of %u passes", plan->n_passes);
	for (uint32_t pass = 0; code == 0 && pass < plan->n_passes; pass++)
		shortest = cycles[pass] < cycles[shortest] ? pass : shortest;
	free(cycles);
	if (code || shortest == plan->n_passes - 1)
		return code;
	code = exchange(plan, shortest, plan->n_passes - 1, err);
	if (code == 0)
		code = loom_descent_count(&count, &s->descent, err);
	if (code == 0 && count >= s->descent.cycles) // no gain: the pass is not short enough
		return exchange(plan, shortest, plan->n_passes - 1, err);
	s->descent.cycles = code == 0 ? count : s->descent.cycles;
	return code;
}

// --- A free run -----------------------------------------------------------------------------------------------------

struct passes {
	struct loom_plan *plan;
	uint32_t a, b;
	int code; // of an exchange that could not be undone
	struct loom_err why;
};

static int make(bool *is_made, void *user, struct loom_rng *rng, struct loom_err *err)
{
	struct passes *p = user;
	p->a = (uint32_t)loom_rng_below(rng, p->plan->n_passes);
	p->b = (uint32_t)loom_rng_below(rng, p->plan->n_passes);
	*is_made = p->a != p->b && p->code == 0;
	int code = *is_made ? exchange(p->plan, p->a, p->b, err) : 0;
	return p->code ? loom_fail(err, p->code, "%s", p->why.text) : code;
}

static void undo(void *user)
{
	struct passes *p = user;
	p->code = exchange(p->plan, p->a, p->b, &p->why);
}

int loom_cycles_order_passes(struct loom_cycles_search *s, struct loom_err *err)
{
	struct passes passes = {.plan = s->plan};
	const struct loom_change change = {.make = make, .undo = undo, .user = &passes};
	if (!may_change(s->plan))
		return 0;
	s->descent.plan = s->plan;
	s->descent.steps = loom_descent_steps(s->plan);
	s->descent.better = NULL;
	if (!s->plan->free_running)
		return put_shortest_last(s, err);
	if (loom_plan_cycles(s->plan) != LOOM_CYCLES_UNKNOWN) // no message waits
		return 0;
	int code = loom_descent_run(&s->descent, &change, 1, err);
	return code == 0 && passes.code ? loom_fail(err, passes.code, "%s", passes.why.text) : code;
}
