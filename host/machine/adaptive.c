// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine whose routers choose: opening, messages from and to its user, runs. What happens in a cycle is in adaptive_step.c.
#include "machine/adaptive_internal.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 }; // for worms

static void remember(struct loom_engine *e)
{
	for (uint32_t u = 0; u < e->net.n_nodes; u++)
		e->net.memory->random[u] = e->router[u].random;
	e->net.memory->cycles += e->now;
}

static void adaptive_close(struct loom_engine *e)
{
	if (!e)
		return;
	if (e->router)
		remember(e);
	loom_agenda_free(&e->agenda);
	free(e->lane);
	free(e->channel);
	free(e->router);
	free(e->waits);
	free(e->was);
	free(e->slot);
	free(e->flying);
	free(e->told);
	free(e->active);
	free(e->drains);
	free(e->worm);
	free(e->node);
	free(e->go);
	free(e->heads);
	free(e->stirred);
	free(e->arrived);
	free(e->left);
	free(e->offered);
	free(e->slow);
	free(e->is_stirred);
	free(e->is_on_slow);
	free(e);
}

static size_t lanes_count(const struct loom_engine *e)
{
	return (size_t)e->net.n_channels * e->net.n_vcs;
}

static int take_room(struct loom_engine *e)
{
	const size_t n_lanes = lanes_count(e), n_nodes = e->net.n_nodes, per_router = (size_t)e->n_links * e->net.n_vcs;
	e->n_active_words = e->net.n_channels / 64 + 1;
	e->n_drains_words = e->net.n_nodes / 64 + 1;
	e->n_room = FIRST_ROOM;
	e->lane = malloc(n_lanes * sizeof *e->lane);
	e->channel = calloc(e->net.n_channels, sizeof *e->channel);
	e->router = calloc(n_nodes, sizeof *e->router);
	e->waits = calloc(n_nodes * (per_router + 1), sizeof *e->waits);
	e->was = calloc(n_lanes, sizeof *e->was);
	e->slot = calloc(n_lanes * e->depth, sizeof *e->slot);
	e->flying = malloc((n_lanes * e->delay + 1) * sizeof *e->flying);
	e->told = calloc(n_lanes * e->back + 1, sizeof *e->told);
	e->active = calloc(e->n_active_words, sizeof *e->active);
	e->drains = calloc(e->n_drains_words, sizeof *e->drains);
	e->worm = calloc(e->n_room, sizeof *e->worm);
	e->node = calloc(n_nodes, sizeof *e->node);
	e->go = calloc(e->net.n_channels, sizeof *e->go);
	e->heads = calloc(3 * n_lanes, sizeof *e->heads);
	e->stirred = calloc(n_nodes, sizeof *e->stirred);
	e->arrived = calloc(n_nodes, sizeof *e->arrived);
	e->left = calloc(n_nodes, sizeof *e->left);
	e->offered = calloc(n_nodes, sizeof *e->offered);
	e->slow = calloc(n_lanes, sizeof *e->slow);
	e->is_stirred = calloc(n_nodes, sizeof *e->is_stirred);
	e->is_on_slow = calloc(n_lanes, sizeof *e->is_on_slow);
	return e->lane && e->channel && e->router && e->waits && e->was && e->slot && e->flying && e->told &&
	                       e->active && e->drains && e->worm && e->node && e->go && e->heads && e->stirred &&
	                       e->arrived && e->left && e->offered && e->slow && e->is_stirred && e->is_on_slow &&
	                       loom_agenda_begin(&e->agenda)
	               ? 0
	               : -1;
}

static void set_up(struct loom_engine *e)
{
	const struct loom_topo *t = e->net.topo;
	const size_t n_lanes = lanes_count(e), per_router = (size_t)e->n_links * e->net.n_vcs;
	for (size_t l = 0; l < n_lanes; l++)
		e->lane[l] =
			(struct adaptive_lane){.holder = ADAPTIVE_NONE, .feeder = ADAPTIVE_NONE, .to = ADAPTIVE_NONE};
	memset(e->flying, 0xff, (n_lanes * e->delay + 1) * sizeof *e->flying); // ADAPTIVE_NONE
	for (uint32_t u = 0; u < e->net.n_nodes; u++) {
		struct adaptive_channel *channel = e->channel + (size_t)u * e->per_tile;
		e->router[u] = (struct adaptive_router){.random = e->net.memory->random[u],
		                                        .wait = e->waits + u * (per_router + 1),
		                                        .given = e->net.memory->given + u * per_router};
		for (unsigned p = 0; p < e->n_links; p++) {
			unsigned q;
			channel[p].far = ADAPTIVE_NONE;
			if (!t->kind->link(t, u, p, &channel[p].far, &q))
				continue;
			channel[p].is_slow = e->delay > 0;
			e->router[u].free |= ((UINT64_C(1) << e->net.n_vcs) - 1) << p * e->net.n_vcs;
		}
		channel[e->n_links].far = ADAPTIVE_NONE;
		channel[e->n_links + 1].far = u;
	}
}

static int adaptive_open(struct loom_engine **out, const struct loom_engine_net *net, bool paper,
                         const struct loom_engine_user *user, struct loom_err *err)
{
	struct loom_engine *e = calloc(1, sizeof *e);
	if (e) {
		*e = (struct loom_engine){.net = *net,
		                          .user = *user,
		                          .paper = paper,
		                          .depth = net->buffers > 2 ? net->buffers : 2,
		                          .delay = net->is_slow ? net->link_delay : 0,
		                          .back = net->is_slow ? net->credit_delay : 0,
		                          .per_tile = loom_topo_channels_per_tile(net->topo),
		                          .n_links = loom_topo_links(net->topo),
		                          .free_worm = ADAPTIVE_NONE};
		if (take_room(e) == 0) {
			set_up(e);
			*out = e;
			return 0;
		}
	}
	adaptive_close(e);
	return loom_fail(err, LOOM_ENOMEM, "no memory for a machine of %u nodes", net->n_nodes);
}

// ADAPTIVE_NONE: no memory.
static uint32_t new_worm(struct loom_engine *e)
{
	const uint32_t w = e->free_worm;
	if (w != ADAPTIVE_NONE) {
		e->free_worm = e->worm[w].next;
		return w;
	}
	if (e->n_fresh == e->n_room) {
		struct adaptive_worm *more = realloc(e->worm, 2 * (size_t)e->n_room * sizeof *more);
		if (!more)
			return ADAPTIVE_NONE;
		e->worm = more;
		e->n_room *= 2;
	}
	return e->n_fresh++;
}

static uint32_t injection_of(const struct loom_engine *e, uint32_t v)
{
	return (v * e->per_tile + e->n_links + 1) * e->net.n_vcs;
}

// Asks the user for a node's next message, whose header then asks from the next cycle on at the earliest. -1: no memory.
static int ask_user(struct loom_engine *e, uint32_t v)
{
	struct adaptive_node *node = &e->node[v];
	struct loom_engine_message m = {0};
	node->stands = !e->user.next(e->user.user, &m, v, node->from);
	if (node->stands)
		return 0;
	const uint32_t w = new_worm(e);
	if (w == ADAPTIVE_NONE)
		return -1;
	e->n_worms++;
	e->worm[w] = (struct adaptive_worm){.way = m.way,
	                                    .id = m.id,
	                                    .offer = m.release > e->now + 1 ? m.release : e->now + 1,
	                                    .n_way = m.n_way,
	                                    .flits = m.flits,
	                                    .left = m.flits,
	                                    .node = v,
	                                    .destination = m.destination,
	                                    .rule = m.rule};
	if (m.release <= e->now + 1) {
		loom_adaptive_inject(e, w, injection_of(e, v));
		return 0;
	}
	node->worm = w;
	if (e->agenda.now != e->now && loom_agenda_is_empty(&e->agenda))
		e->agenda.now = e->now;
	loom_agenda_put(&e->agenda, 0, v, m.release);
	return e->agenda.failed ? -1 : 0;
}

static void adaptive_offer(struct loom_engine *e, uint32_t v)
{
	struct adaptive_node *node = &e->node[v];
	if (!node->stands || node->is_offered)
		return;
	node->is_offered = true;
	e->offered[e->n_offered++] = v;
}

static int take_offers(struct loom_engine *e)
{
	for (uint32_t k = 0; k < e->n_offered; k++) {
		const uint32_t v = e->offered[k];
		e->node[v].is_offered = false;
		if (ask_user(e, v) != 0)
			return -1;
	}
	e->n_offered = 0;
	return 0;
}

// Has those ask from the next cycle on whose release that is.
static void take_released(struct loom_engine *e)
{
	if (!loom_agenda_next(&e->agenda, e->now + 1))
		return;
	const struct loom_agenda_list *due = loom_agenda_of(&e->agenda, 0, e->now + 1);
	for (uint32_t k = 0; k < due->n; k++)
		loom_adaptive_inject(e, e->node[due->item[k]].worm, injection_of(e, due->item[k]));
	loom_agenda_done(&e->agenda);
}

// Tells the user what has arrived in this cycle, and asks for what nodes send next.
static int tell_user(struct loom_engine *e)
{
	for (uint32_t k = 0; k < e->n_arrived; k++) {
		struct adaptive_worm *worm = &e->worm[e->arrived[k]];
		const struct loom_engine_arrival arrival = {worm->id, worm->offer, worm->header, e->now};
		worm->next = e->free_worm;
		e->free_worm = e->arrived[k];
		e->n_worms--;
		e->user.arrived(e->user.user, &arrival);
	}
	for (uint32_t k = 0; k < e->n_left; k++) {
		e->node[e->left[k]].from = e->now + 1;
		if (ask_user(e, e->left[k]) != 0)
			return -1;
	}
	return take_offers(e);
}

static int begin(struct loom_engine *e)
{
	e->has_begun = true;
	for (uint32_t v = 0; v < e->net.n_nodes; v++) {
		e->node[v].from = 1;
		if (ask_user(e, v) != 0)
			return -1;
	}
	return 0;
}

// Runs one cycle, and goes on to the next one in which anything could happen. -1: no memory.
static int advance(struct loom_engine *e, uint64_t until)
{
	if (!loom_agenda_is_empty(&e->agenda))
		take_released(e);
	e->now++;
	if (loom_adaptive_step(e)) {
		e->last_moved = e->now;
		return tell_user(e);
	}
	e->is_still = loom_agenda_is_empty(&e->agenda);
	if (e->is_still) {
		e->now--; // so that what is offered now can ask in that cycle
		return 0;
	}
	const uint64_t next = loom_agenda_first(&e->agenda) - 1;
	e->now = next < until ? next : until;
	(void)loom_agenda_next(&e->agenda, e->now); // nothing is due up to then
	return 0;
}

// LOOM_ENGINE_TIME: there is something to do.
static enum loom_engine_state state_of(const struct loom_engine *e)
{
	return e->n_worms == 0 ? LOOM_ENGINE_IDLE : e->is_still ? LOOM_ENGINE_LOCKED : LOOM_ENGINE_TIME;
}

static int adaptive_run(struct loom_engine *e, enum loom_engine_state *state, uint64_t until, struct loom_err *err)
{
	bool ok = e->has_begun || begin(e) == 0;
	if (e->n_offered > 0) {
		e->is_still = false;
		ok = ok && take_offers(e) == 0;
	}
	while (ok && state_of(e) == LOOM_ENGINE_TIME && e->now < until)
		ok = advance(e, until) == 0;
	if (!ok)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the messages under way in cycle %llu",
		                 (unsigned long long)e->now);
	*state = state_of(e);
	return 0;
}

static uint64_t adaptive_cycle(const struct loom_engine *e)
{
	return state_of(e) == LOOM_ENGINE_TIME ? e->now : e->last_moved;
}

static void adaptive_count(const struct loom_engine *e, uint32_t c, struct loom_engine_count *out)
{
	const struct adaptive_channel *channel = &e->channel[c];
	const uint64_t cycle = adaptive_cycle(e);
	*out = channel->count;
	if (channel->waits > 0 && cycle >= channel->since)
		out->blocked += cycle + 1 - channel->since;
}

const struct loom_engine_kind loom_engine_adaptive = {
	.name = "adaptive",
	.open = adaptive_open,
	.offer = adaptive_offer,
	.run = adaptive_run,
	.cycle = adaptive_cycle,
	.count = adaptive_count,
	.close = adaptive_close,
};
