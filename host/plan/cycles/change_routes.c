// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The change "another route of a message". It takes the cheapest route at random prices, so each possible route can be
// drawn. The routes must not lock, and must fit the routers' tables.
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/deadlock.h>

#include "plan/cycles/cycles.h"
#include "plan/node_messages.h"
#include "plan/plan_tables.h"

#define PRICES 1024u

bool loom_route_change_is_open(const struct loom_cycles_search *s)
{
	return s->plan->routes.n > 0 && !s->plan->label && loom_plan_cycles(s->plan) == LOOM_CYCLES_UNKNOWN;
}

int loom_route_change_init(struct loom_route_change *out, struct loom_plan *plan, struct loom_err *err)
{
	struct loom_route_change c = {.plan = plan, .messages = loom_plan_node_messages(plan, 0, plan->n_messages)};
	const size_t n_channels = loom_topo_channels(&plan->topo);
	int code =
		c.messages
			? loom_region_init(&c.region, &plan->topo, c.messages, plan->n_messages, plan->detours, err)
			: loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages", plan->n_messages);
	c.room = plan->topo.n_nodes + plan->detours + 1;
	c.cost = calloc(n_channels + 1, sizeof *c.cost);
	c.channel = calloc(c.room, sizeof *c.channel);
	c.old = calloc(c.room, sizeof *c.old);
	if (code == 0 && (!c.cost || !c.channel || !c.old))
		code = loom_fail(err, LOOM_ENOMEM, "out of memory for a route on %zu channels", n_channels);
	*out = c;
	return code;
}

void loom_route_change_free(struct loom_route_change *change)
{
	free(change->messages);
	loom_region_free(&change->region);
	free(change->cost);
	free(change->channel);
	free(change->old);
	*change = (struct loom_route_change){0};
}

// Makes room for n more channels. Returns false if memory runs out.
static bool make_room(struct loom_routes *routes, uint32_t n)
{
	uint32_t *more = realloc(routes->channel, (routes->first[routes->n] + n) * sizeof *more);
	if (!more)
		return false;
	routes->channel = more;
	return true;
}

// Replaces the route of message i by one of n channels, for which there is room.
static void put(struct loom_routes *routes, size_t i, const uint32_t *channel, uint32_t n)
{
	const size_t begin = routes->first[i], end = routes->first[i + 1], all = routes->first[routes->n];
	const size_t n_old = end - begin;
	if (n != n_old)
		memmove(routes->channel + begin + n, routes->channel + end, (all - end) * sizeof *channel);
	if (n)
		memcpy(routes->channel + begin, channel, n * sizeof *channel);
	for (size_t k = i + 1; k <= routes->n; k++)
		routes->first[k] += n - n_old; // modulo 2^64, as the difference may be negative
}

// Draws a route into c->channel and returns its length.
static uint32_t draw(struct loom_route_change *c, struct loom_rng *rng)
{
	const struct loom_message *message = &c->messages[c->message];
	const uint32_t n_channels = loom_topo_channels(&c->plan->topo);
	const uint32_t ways = (uint32_t)loom_rng_next(rng) & loom_region_ties(&c->region, message);
	uint32_t n = 0;
	loom_region_set(&c->region, message, ways);
	for (uint32_t k = 0; k < n_channels; k++)
		c->cost[k] = 1 + loom_rng_below(rng, PRICES);
	(void)loom_region_least_sum(c->channel, &n, &c->region, c->cost, 0);
	return n;
}

static uint8_t draw_rule(const struct loom_plan *plan, uint8_t rule, struct loom_rng *rng)
{
	const struct loom_topo *t = &plan->topo;
	return t->kind->router == LOOM_ROUTER_TABLE && t->n_vcs > 1 ? (uint8_t)loom_rng_below(rng, t->n_vcs) : rule;
}

static int make(bool *is_made, void *user, struct loom_rng *rng, struct loom_err *err)
{
	struct loom_route_change *c = user;
	struct loom_routes *routes = &c->plan->routes;
	c->message = (size_t)loom_rng_below(rng, routes->n);
	struct loom_plan_message *m = &c->plan->messages[c->message];
	const uint32_t *old = routes->channel + routes->first[c->message];
	c->n_old = (uint32_t)(routes->first[c->message + 1] - routes->first[c->message]);
	*is_made = false;
	if (m->source == m->destination || c->n_old > c->room)
		return 0;
	const uint32_t n = draw(c, rng);
	c->rule = m->rule;
	m->rule = draw_rule(c->plan, m->rule, rng);
	if (m->rule == c->rule && n == c->n_old && memcmp(old, c->channel, n * sizeof *old) == 0)
		return 0;
	memcpy(c->old, old, c->n_old * sizeof *old);
	if (n > c->n_old && !make_room(routes, n - c->n_old))
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a route of %u channels", n);
	put(routes, c->message, c->channel, n);
	*is_made = true;
	return 0;
}

static void undo(void *user)
{
	struct loom_route_change *c = user;
	c->plan->messages[c->message].rule = c->rule;
	put(&c->plan->routes, c->message, c->old, c->n_old); // the old route fits: there was room for it before
}

static int check(bool *may_stay, void *user, struct loom_err *err)
{
	const struct loom_route_change *c = user;
	struct loom_err why = {0};
	int code = loom_deadlock_check(c->plan, &why);
	if (code == 0)
		code = loom_plan_tables_check(c->plan, &why);
	*may_stay = code == 0;
	return code == 0 || code == LOOM_EINPUT || code == LOOM_EFIT ? 0 : loom_fail(err, code, "%s", why.text);
}

struct loom_change loom_route_change(struct loom_route_change *change)
{
	return (struct loom_change){.make = make, .undo = undo, .check = check, .user = change};
}
