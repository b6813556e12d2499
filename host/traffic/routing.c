// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/routing.h"

#include <inttypes.h>
#include <string.h>

#include <flitloom/plan.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>

#include "plan/light.h"
#include "traffic/load_exchange.h"
#include "traffic/load_routes.h"
#include "traffic/shares.h"

struct loom_routing loom_routing_of(const struct loom_topo *topo, const struct loom_load_options *options)
{
	return (struct loom_routing){
		.topo = topo, .routes = options->routes, .rule = options->rule, .seed = options->seed};
}

struct loom_routing loom_routing_of_replies(const struct loom_topo *topo, const struct loom_load_options *options)
{
	struct loom_routing routing = loom_routing_of(topo, options);
	routing.rule = loom_exchange_rule(options, true);
	return routing;
}

bool loom_routing_has(const struct loom_routing *r, uint32_t source, uint32_t destination)
{
	return !r->routes || loom_load_routes_find(r->routes, source, destination) != LOOM_LOAD_ROUTES_NONE;
}

int loom_routing_check(const struct loom_topo *topo, const struct loom_traffic *t, const uint32_t *map,
                       const struct loom_load_options *options, struct loom_err *err)
{
	const struct loom_routing routing = loom_routing_of(topo, options);
	struct loom_shares shares;
	struct loom_share share;
	if (options->closed.reply_flits)
		return loom_fail(
			err, LOOM_EINPUT,
			"the ways that a planner chose are those of requests, and replies have none: requests and "
			"replies go by rule");
	if (strcmp(options->routes->plan.topo.name, topo->name) != 0)
		return loom_fail(err, LOOM_EINPUT, "%s: the routes are for %s", topo->name,
		                 options->routes->plan.topo.name);
	for (uint32_t v = 0; v < t->n_nodes; v++)
		for (loom_shares_begin(&shares, t, v); loom_shares_next(&shares, &share);)
			if (!loom_routing_has(&routing, map[v], map[share.destination]))
				return loom_fail(err, LOOM_EINPUT,
				                 "the routes are for other traffic, or another map: there is none from "
				                 "node %" PRIu32 " to node %" PRIu32,
				                 map[v], map[share.destination]);
	return 0;
}

bool loom_routing_chooses(const struct loom_routing *r)
{
	return !r->routes && loom_rule_is_adaptive(r->rule);
}

bool loom_routing_has_via(const struct loom_routing *r)
{
	return !r->routes && loom_rule_has_via(r->rule);
}

bool loom_routing_is_by_rule(const struct loom_routing *r, enum loom_rule rule)
{
	return !r->routes && r->rule == rule && !loom_topo_rules_by_ends(r->topo);
}

uint32_t loom_routing_draw(const struct loom_routing *r, uint32_t source, uint32_t destination, uint64_t number)
{
	const uint64_t which = (uint64_t)source << 40 ^ number; // unique: in one run no node sends 2^40 messages
	return loom_routing_has_via(r) && source != destination
	               ? loom_via_draw(r->topo, r->rule, source, destination, r->seed, which)
	               : 0;
}

void loom_routing_begin(struct loom_route *out, const struct loom_routing *r, uint32_t source, uint32_t destination,
                        uint32_t via)
{
	if (r->routes)
		loom_plan_route_begin(out, &r->routes->plan, loom_load_routes_find(r->routes, source, destination));
	else
		loom_route_begin(out, r->topo, source, destination,
		                 (enum loom_rule)loom_routing_rule(r, source, destination));
	if (loom_routing_has_via(r))
		loom_route_go_by(out, via);
}

uint32_t loom_routing_rule(const struct loom_routing *r, uint32_t source, uint32_t destination)
{
	return r->routes ? r->routes->plan.messages[loom_load_routes_find(r->routes, source, destination)].rule
	                 : loom_topo_rule(r->topo, source, destination, r->rule);
}

const struct loom_route_tables *loom_routing_tables(const struct loom_routing *r)
{
	return r->routes && r->routes->plan.routes.n ? &r->routes->tables : NULL;
}

uint32_t loom_routing_label(const struct loom_routing *r, uint32_t source, uint32_t destination)
{
	return r->routes->tables.label[loom_load_routes_find(r->routes, source, destination)];
}

// Makes a plan of this message alone, which accounts for optical and slow links as well.
static uint32_t by_rule(const struct loom_routing *r, uint32_t flits, uint32_t source, uint32_t destination,
                        uint32_t via)
{
	uint32_t map[2] = {source, destination};
	struct loom_plan_message m = {.destination = 1,
	                              .flits = flits,
	                              .rule = (uint8_t)loom_routing_rule(r, source, destination),
	                              .via = via};
	const struct loom_plan alone = {
		.topo = *r->topo, .n_passes = 1, .n_messages = 1, .messages = &m, .map = map, .n_lanes = 1};
	return (uint32_t)loom_plan_message_cycles(&alone, &m);
}

uint32_t loom_routing_without_wait(const struct loom_routing *r, uint32_t flits, uint32_t source, uint32_t destination,
                                   uint32_t via)
{
	if (!r->routes && source != destination && !loom_light_matters(r->topo) && !loom_routing_has_via(r))
		return flits - 1 +
		       loom_route_length(r->topo, source, destination,
		                         (enum loom_rule)loom_routing_rule(r, source, destination));
	if (!loom_routing_tables(r))
		return by_rule(r, flits, source, destination, via);
	const size_t i = loom_load_routes_find(r->routes, source, destination);
	struct loom_plan alone = r->routes->plan; // of this message with the length asked for, on its way
	struct loom_plan_message m = alone.messages[i];
	m.flits = flits;
	alone.messages = &m;
	alone.n_messages = alone.routes.n = 1;
	alone.routes.first += i;
	return (uint32_t)loom_plan_message_cycles(&alone, &m);
}
