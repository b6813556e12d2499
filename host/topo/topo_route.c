// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Follows the way of a message through a fabric, channel by channel.
#include <flitloom/topo.h>

#include <assert.h>

#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>

#include "topo/cube_vc.h"
#include "topo/grid.h"
#include "topo/topo_span.h"

void loom_route_begin(struct loom_route *out, const struct loom_topo *t, uint32_t source, uint32_t destination,
                      enum loom_rule rule)
{
	*out = (struct loom_route){.topo = t,
	                           .source = source,
	                           .destination = destination,
	                           .rule = rule,
	                           .at = source,
	                           .via = destination};
}

// Gives the next channel of a chosen route: injection, the links, ejection. If routers have tables, it is on the lane
// of the route's virtual network.
static void next_chosen(struct loom_route *route, uint32_t *channel)
{
	const struct loom_topo *t = route->topo;
	uint32_t per_tile = loom_topo_channels_per_tile(t);
	if (route->step == 0) {
		*channel = route->source * per_tile + t->ports;
	} else if (route->chosen < route->chosen_end) {
		*channel = *route->chosen++;
		route->vc = loom_topo_network(t, route->rule);
	} else {
		route->vc = 0;
		*channel = route->destination * per_tile + t->ports - 1;
		route->arrived = true;
	}
}

// Gives the next channel of a way that a message may take if routers choose: by the escape lanes if there are any, else
// by the lowest lanes.
static void next_of_choice(struct loom_route *route, uint32_t *channel)
{
	const struct loom_topo *t = route->topo;
	const uint32_t per_tile = loom_topo_channels_per_tile(t), before = route->channel;
	uint32_t here;
	unsigned q, came = 0;
	if (route->step > 1 && t->kind->link(t, before / per_tile, before % per_tile, &here, &q))
		came = q + 1;
	const struct loom_choice choice =
		loom_rule_choice_behind(t, route->rule, route->source, route->at, came, route->destination);
	const unsigned lane = (unsigned)__builtin_ctzll(choice.escape ? choice.escape : choice.lanes);
	*channel = route->at * per_tile + lane / t->n_vcs;
	route->vc = lane % t->n_vcs;
	(void)t->kind->link(t, route->at, lane / t->n_vcs, &route->at, &q);
}

void loom_route_go_by(struct loom_route *route, uint32_t via)
{
	const uint32_t row = route->topo->extent[0];
	route->via = via;
	// By o1turn the corner says if y comes first: the corner is then in the source's column and the destination's
	// row. On a straight way both corners are on the way.
	route->is_second = route->rule == LOOM_RULE_O1TURN && via % row == route->source % row &&
	                   via / row == route->destination / row;
}

// True if the message goes through a drawn node (flitloom/routes/via.h) and has not arrived.
static bool goes_on_by_way(const struct loom_route *route)
{
	return loom_rule_has_via(route->rule) && route->topo->kind->router == LOOM_ROUTER_ORDER && route->step > 0 &&
	       (route->at != route->destination ||
	        (route->rule != LOOM_RULE_O1TURN && !route->is_second && route->at != route->via));
}

// Gives the next channel of such a way. It has two parts, each on its own lanes. rtl/net/route_via.sv does the same.
static void next_by_way(struct loom_route *route, uint32_t *channel)
{
	const struct loom_topo *t = route->topo;
	const bool is_o1turn = route->rule == LOOM_RULE_O1TURN;
	struct loom_topo half = *t; // the same fabric without the other lanes
	half.n_vcs = t->n_vcs / 2;
	const bool turns = !is_o1turn && !route->is_second && route->at == route->via;
	route->is_second = route->is_second || turns;
	const uint32_t to = is_o1turn || route->is_second ? route->destination : route->via;
	const enum loom_rule order = is_o1turn && route->is_second ? LOOM_RULE_DESCENDING : LOOM_RULE_ASCENDING;
	const unsigned p = t->kind->next(t, route->at, to, order), came = route->vc % half.n_vcs;
	const unsigned before = route->channel % loom_topo_channels_per_tile(t);
	const bool begins = route->step == 1 || turns; // a part of the way begins
	unsigned q;
	if (half.n_vcs == 1)
		route->vc = 0;
	else if (t->kind->complements_bits)
		route->vc = begins ? loom_cube_vc(&half, to) : came;
	else
		route->vc =
			loom_grid_vc(&half, route->at, p, to, !begins && before / 2 == p / 2 ? came : LOOM_GRID_BEGINS);
	route->vc += route->is_second ? half.n_vcs : 0;
	*channel = route->at * loom_topo_channels_per_tile(t) + p;
	const bool there = t->kind->link(t, route->at, p, &route->at, &q);
	assert(there);
	(void)there;
}

bool loom_route_next(struct loom_route *route, uint32_t *channel)
{
	if (route->arrived)
		return false;
	if (route->chosen) {
		next_chosen(route, channel);
		route->step++;
		return true;
	}
	const bool chooses = route->rule == LOOM_RULE_TURNS ? route->topo->turns != NULL
	                                                    : loom_rule_is_adaptive(route->rule) &&
	                                                              route->topo->kind->router == LOOM_ROUTER_ORDER,
		   is_choice = chooses && route->step > 0 && route->at != route->destination;
	bool more = true;
	if (is_choice)
		next_of_choice(route, channel);
	else if (goes_on_by_way(route))
		next_by_way(route, channel);
	else
		more = route->topo->kind->route_next(route, channel);
	route->step++;
	if (more)
		route->channel = *channel;
	return more;
}

uint32_t loom_route_length(const struct loom_topo *t, uint32_t source, uint32_t destination, enum loom_rule rule)
{
	struct loom_route route;
	struct loom_span span;
	uint32_t channel;
	if (t->kind->router == LOOM_ROUTER_ORDER && t->kind->complements_bits && !loom_rule_is_adaptive(rule) &&
	    !loom_rule_has_via(rule)) // a link in each dimension in which the two differ
		return (uint32_t)__builtin_popcount(source ^ destination) + 2;
	if (loom_topo_span(&span, t, source, destination, rule))
		return span.n + 2;
	for (loom_route_begin(&route, t, source, destination, rule); loom_route_next(&route, &channel);)
		;
	return route.step;
}
