// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The ways of messages that go by way of a node: two parts, each on lanes of its own. rtl/net/route_via.sv does the same.
#include "topo/route_via.h"

#include <assert.h>

#include <flitloom/routes/via.h>

#include "topo/cube_vc.h"
#include "topo/grid.h"

void loom_route_go_by(struct loom_route *route, uint32_t via)
{
	const uint32_t row = route->topo->extent[0];
	route->via = via;
	// By o1turn the corner says whether y comes first: it is in the source's column and the destination's row. Of a way straight on both are
	// on it.
	route->is_second = route->rule == LOOM_RULE_O1TURN && via % row == route->source % row &&
	                   via / row == route->destination / row;
}

bool loom_route_via_goes_on(const struct loom_route *route)
{
	return loom_rule_has_via(route->rule) && route->topo->kind->router == LOOM_ROUTER_ORDER && route->step > 0 &&
	       (route->at != route->destination ||
	        (route->rule != LOOM_RULE_O1TURN && !route->is_second && route->at != route->via));
}

void loom_route_via_next(struct loom_route *route, uint32_t *channel)
{
	const struct loom_topo *t = route->topo;
	const bool is_o1turn = route->rule == LOOM_RULE_O1TURN;
	struct loom_topo half = *t; // as if it had no other lanes
	half.n_vcs = t->n_vcs / 2;
	const bool turns = !is_o1turn && !route->is_second && route->at == route->via;
	route->is_second = route->is_second || turns;
	const uint32_t to = is_o1turn || route->is_second ? route->destination : route->via;
	const enum loom_rule order = is_o1turn && route->is_second ? LOOM_RULE_DESCENDING : LOOM_RULE_ASCENDING;
	const unsigned p = t->kind->next(t, route->at, to, order), came = route->vc % half.n_vcs;
	const unsigned before = route->channel % loom_topo_channels_per_tile(t);
	const bool begins = route->step == 1 || turns; // a part of the way
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
