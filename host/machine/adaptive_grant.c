// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Grants lanes to the headers that wait in routers.
#include "machine/adaptive_internal.h"

#define TAPS 0xb400 // those of the LFSR in routers

void loom_adaptive_stir(struct loom_engine *e, uint32_t u)
{
	if (!e->is_stirred[u])
		e->stirred[e->n_stirred++] = u;
	e->is_stirred[u] = true;
}

// Counts one header more that waits for channel c, from the next cycle on.
static void wait_begins(struct loom_engine *e, uint32_t c)
{
	if (e->channel[c].waits++ == 0)
		e->channel[c].since = e->now + 1;
}

void loom_adaptive_wait_ends(struct loom_engine *e, uint32_t c, bool now_too)
{
	struct adaptive_channel *channel = &e->channel[c];
	const uint64_t end = e->now + now_too;
	if (--channel->waits == 0 && end > channel->since)
		channel->count.blocked += end - channel->since;
}

// Gives a lane to a worm, whose flits come from the FIFO `feeder`.
static void hold(struct loom_engine *e, uint32_t l, uint32_t worm, uint32_t feeder)
{
	const uint32_t c = adaptive_channel_of(e, l);
	e->lane[l].holder = worm;
	e->lane[l].feeder = feeder;
	e->lane[l].has_header = true;
	e->channel[c].held |= (uint8_t)(1u << l % e->net.n_vcs);
	e->active[c / 64] |= UINT64_C(1) << c % 64;
}

void loom_adaptive_inject(struct loom_engine *e, uint32_t worm, uint32_t l)
{
	e->worm[worm].at = 1;
	wait_begins(e, adaptive_channel_of(e, l));
	hold(e, l, worm, ADAPTIVE_NONE);
}

// Returns the router that a FIFO belongs to.
static uint32_t router_of(const struct loom_engine *e, uint32_t f)
{
	return e->channel[adaptive_channel_of(e, f)].far;
}

// Returns the input of its router to which a FIFO belongs: 0, that of the node itself; q + 1, the one beside link q.
static unsigned came_by(const struct loom_engine *e, uint32_t f)
{
	const uint32_t c = adaptive_channel_of(e, f);
	uint32_t v;
	unsigned q;
	return c % e->per_tile < e->n_links &&
	                       e->net.topo->kind->link(e->net.topo, c / e->per_tile, c % e->per_tile, &v, &q)
	               ? q + 1
	               : 0;
}

// Returns the lanes among which the header of a worm chooses in router u; none: it is ejected there.
static struct loom_choice choice_of(const struct loom_engine *e, struct adaptive_worm *worm, uint32_t u, uint32_t f)
{
	const uint32_t first = u * e->per_tile * e->net.n_vcs;
	if (worm->way) {
		const uint32_t bit = worm->way[worm->at++] - first;
		return (struct loom_choice){.lanes = bit < e->n_links * e->net.n_vcs ? UINT64_C(1) << bit : 0};
	}
	if (u == worm->destination)
		return (struct loom_choice){0};
	return loom_rule_choice_behind(e->net.topo, worm->rule, worm->node, u, came_by(e, f), worm->destination);
}

// Calls `what` for each channel of router u that has a lane among `lanes`, except channel `but`.
static void for_channels(struct loom_engine *e, uint32_t u, uint64_t lanes, uint32_t but,
                         void (*what)(struct loom_engine *e, uint32_t channel))
{
	const uint64_t of_link = (UINT64_C(1) << e->net.n_vcs) - 1;
	while (lanes) {
		const unsigned p = (unsigned)__builtin_ctzll(lanes) / e->net.n_vcs;
		lanes &= ~(of_link << p * e->net.n_vcs);
		if (u * e->per_tile + p != but)
			what(e, u * e->per_tile + p);
	}
}

static void waited(struct loom_engine *e, uint32_t c)
{
	loom_adaptive_wait_ends(e, c, true);
}

void loom_adaptive_ask(struct loom_engine *e, uint32_t f)
{
	const uint32_t u = router_of(e, f), w = adaptive_first_worm(e, f);
	struct adaptive_router *router = &e->router[u];
	struct adaptive_worm *worm = &e->worm[w];
	unsigned at = router->n_waits++;
	worm->choice = choice_of(e, worm, u, f);
	if (worm->choice.lanes)
		for_channels(e, u, worm->choice.lanes, ADAPTIVE_NONE, wait_begins);
	else
		wait_begins(e, u * e->per_tile + e->n_links);
	for (; at > 0 && router->wait[at - 1].asked == e->now + 1 &&
	       e->net.rank[router->wait[at - 1].lane] > e->net.rank[f];
	     at--)
		router->wait[at] = router->wait[at - 1];
	router->wait[at] = (struct adaptive_wait){f, e->now + 1};
	e->lane[f].waits = true;
	loom_adaptive_stir(e, u);
}

// Picks the lane that was granted longest ago.
static unsigned longest_ago(const struct adaptive_router *router, uint64_t lanes)
{
	unsigned best = (unsigned)__builtin_ctzll(lanes);
	for (; lanes; lanes &= lanes - 1) {
		const unsigned k = (unsigned)__builtin_ctzll(lanes);
		if (router->given[k] < router->given[best])
			best = k;
	}
	return best;
}

// Picks the lane with most room at its far end at the beginning of the cycle: 2, the FIFO is empty; 1, it has room;
// 0, it is full.
static unsigned most_room(const struct loom_engine *e, uint32_t u, uint64_t lanes)
{
	unsigned best = 0, most = 0;
	for (bool first = true; lanes; lanes &= lanes - 1, first = false) {
		const unsigned k = (unsigned)__builtin_ctzll(lanes);
		const unsigned was = e->was[u * e->per_tile * e->net.n_vcs + k];
		const unsigned room = was == 0 ? 2 : was < e->depth ? 1 : 0;
		if (first || room > most) {
			best = k;
			most = room;
		}
	}
	return best;
}

// Picks the first lane at or above the position that the router's LFSR gives; after the highest lane comes the
// lowest.
static unsigned by_lot(const struct loom_engine *e, const struct adaptive_router *router, uint64_t lanes)
{
	const unsigned n = 1 + e->n_links * e->net.n_vcs; // the node's own lane is 0
	const unsigned s = (router->random & 0xfffu) * n >> 12;
	const uint64_t above = s > 0 ? lanes >> (s - 1) << (s - 1) : lanes;
	return (unsigned)__builtin_ctzll(above ? above : lanes);
}

// Picks one of several free lanes, by the rule of preference.
static unsigned select_lane(const struct loom_engine *e, uint32_t u, uint64_t lanes)
{
	switch ((enum loom_select)e->net.select) {
	case LOOM_SELECT_RANDOM: return by_lot(e, &e->router[u], lanes);
	case LOOM_SELECT_LRU: return longest_ago(&e->router[u], lanes);
	case LOOM_SELECT_CREDITS: return most_room(e, u, lanes);
	case LOOM_SELECT_FIXED: break;
	}
	return (unsigned)__builtin_ctzll(lanes);
}

// Grants lane l to the first header in FIFO f. The header no longer waits for the other channels of its set.
static void give(struct loom_engine *e, uint32_t u, uint32_t f, uint32_t l)
{
	const uint32_t w = adaptive_first_worm(e, f), c = adaptive_channel_of(e, l);
	e->lane[f].to = l;
	e->lane[f].waits = false;
	hold(e, l, w, f);
	if (e->worm[w].choice.lanes)
		for_channels(e, u, e->worm[w].choice.lanes, c, waited);
}

// Returns those of the given lanes of router u that no worm held, and whose FIFOs were empty, at the beginning of the
// cycle.
static uint64_t clear_ones(const struct loom_engine *e, uint32_t u, uint64_t lanes)
{
	for (uint64_t rest = lanes; rest; rest &= rest - 1) {
		const uint32_t l = u * e->per_tile * e->net.n_vcs + (unsigned)__builtin_ctzll(rest);
		if (adaptive_taken(e, l) > 0 || e->lane[l].busy == e->now)
			lanes &= ~(rest & -rest);
	}
	return lanes;
}

// Grants a header one of its lanes, if one is free. link: the lane is one of a link.
static bool serve(struct loom_engine *e, uint32_t u, uint32_t f, bool *link)
{
	struct adaptive_router *router = &e->router[u];
	const struct loom_choice *choice = &e->worm[adaptive_first_worm(e, f)].choice;
	const uint32_t first = u * e->per_tile * e->net.n_vcs, ejection = first + e->n_links * e->net.n_vcs;
	uint64_t free = choice->lanes & router->free, usual = free & ~choice->escape;
	if (!choice->lanes && e->lane[ejection].holder == ADAPTIVE_NONE) {
		give(e, u, f, ejection);
		return true;
	}
	if (choice->escape) { // so that no message stands behind another one where it could not escape
		usual = clear_ones(e, u, usual);
		free = usual | (free & choice->escape);
	}
	if (!free)
		return false;
	const unsigned k = select_lane(e, u, usual ? usual : free);
	router->free &= ~(UINT64_C(1) << k);
	router->given[k] = e->net.memory->cycles + e->now;
	*link = true;
	give(e, u, f, first + k);
	return true;
}

bool loom_adaptive_grant(struct loom_engine *e)
{
	uint32_t n_next = 0;
	bool any = false;
	for (uint32_t i = 0; i < e->n_stirred; i++) {
		const uint32_t u = e->stirred[i];
		struct adaptive_router *router = &e->router[u];
		bool link = false, is_patient = false; // a header waits until a FIFO is empty
		unsigned n = 0;
		e->is_stirred[u] = false;
		for (unsigned k = 0; k < router->n_waits; k++) {
			const uint32_t f = router->wait[k].lane;
			if (serve(e, u, f, &link)) {
				any = true;
				continue;
			}
			router->wait[n++] = router->wait[k];
			is_patient = is_patient || e->worm[adaptive_first_worm(e, f)].choice.escape;
		}
		router->n_waits = (uint16_t)n;
		if (link)
			router->random = (uint16_t)(router->random >> 1 ^ (router->random & 1 ? TAPS : 0));
		if (is_patient)
			e->stirred[n_next++] = u;
		e->is_stirred[u] = is_patient;
	}
	e->n_stirred = n_next;
	return any;
}
