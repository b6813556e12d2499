// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine whose routers choose: its opening, worms and counts. adaptive_step.c runs a cycle.
#include "machine/adaptive_internal.h"

#include <stdlib.h>
#include <string.h>

#include "machine/engine_front.h"

// Keeps the state of the routers for the next pass.
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
	loom_arrays_free(&e->arrays);
	free(e->worm);
	free(e);
}

static size_t lanes_count(const struct loom_engine *e)
{
	return (size_t)e->net.n_channels * e->net.n_vcs;
}

// Allocates the engine's memory. -1: no memory.
static int take_room(struct loom_engine *e)
{
	const size_t n_lanes = lanes_count(e), n_nodes = e->net.n_nodes, per_router = (size_t)e->n_links * e->net.n_vcs;
	e->n_active_words = e->net.n_channels / 64 + 1;
	e->n_drains_words = e->net.n_nodes / 64 + 1;
	e->n_room = FRONT_FIRST_ROOM;
	LOOM_ARRAY(&e->arrays, e->lane, n_lanes);
	LOOM_ARRAY(&e->arrays, e->channel, e->net.n_channels);
	LOOM_ARRAY(&e->arrays, e->router, n_nodes);
	LOOM_ARRAY(&e->arrays, e->waits, n_nodes * (per_router + 1));
	LOOM_ARRAY(&e->arrays, e->was, n_lanes);
	LOOM_ARRAY(&e->arrays, e->slot, n_lanes * e->depth);
	LOOM_ARRAY(&e->arrays, e->flying, n_lanes * e->delay + 1);
	LOOM_ARRAY(&e->arrays, e->told, n_lanes * e->back);
	LOOM_ARRAY(&e->arrays, e->active, e->n_active_words);
	LOOM_ARRAY(&e->arrays, e->drains, e->n_drains_words);
	e->worm = calloc(e->n_room, sizeof *e->worm);
	LOOM_ARRAY(&e->arrays, e->node, n_nodes);
	LOOM_ARRAY(&e->arrays, e->go, e->net.n_channels);
	LOOM_ARRAY(&e->arrays, e->heads, 3 * n_lanes);
	LOOM_ARRAY(&e->arrays, e->stirred, n_nodes);
	LOOM_ARRAY(&e->arrays, e->arrived, n_nodes);
	LOOM_ARRAY(&e->arrays, e->left, n_nodes);
	LOOM_ARRAY(&e->arrays, e->offered, n_nodes);
	LOOM_ARRAY(&e->arrays, e->slow, n_lanes);
	LOOM_ARRAY(&e->arrays, e->is_stirred, n_nodes);
	LOOM_ARRAY(&e->arrays, e->is_on_slow, n_lanes);
	return !e->arrays.is_short && e->worm && loom_agenda_begin(&e->agenda) ? 0 : -1;
}

static uint8_t net_delay(const struct loom_engine *e, uint32_t channel)
{
	return e->net.delay ? e->net.delay[channel] : 0;
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
			channel[p].delay = net_delay(e, u * e->per_tile + p);
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
		                          .delay = net->delay ? net->delay_most : 0,
		                          .back = net->delay ? net->delay_most - net->router_delay : 0,
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

static void front_take(struct loom_engine *e, uint32_t w, const struct loom_engine_message *m, uint32_t v)
{
	e->worm[w] = (struct adaptive_worm){.way = m->way,
	                                    .id = m->id,
	                                    .offer = m->release > e->now + 1 ? m->release : e->now + 1,
	                                    .n_way = m->n_way,
	                                    .flits = m->flits,
	                                    .left = m->flits,
	                                    .node = v,
	                                    .destination = m->destination,
	                                    .rule = m->rule};
}

static void front_ask(struct loom_engine *e, uint32_t w)
{
	loom_adaptive_inject(e, w, (e->worm[w].node * e->per_tile + e->n_links + 1) * e->net.n_vcs);
}

static bool front_step(struct loom_engine *e)
{
	return loom_adaptive_step(e);
}

static void front_moved(struct loom_engine *e)
{
	(void)e; // lanes stay where they are
}

static void adaptive_count(const struct loom_engine *e, uint32_t c, struct loom_engine_count *out)
{
	const struct adaptive_channel *channel = &e->channel[c];
	const uint64_t cycle = front_cycle(e);
	*out = channel->count;
	if (channel->waits > 0 && cycle >= channel->since)
		out->blocked += cycle + 1 - channel->since;
}

const struct loom_engine_kind loom_engine_adaptive = {
	.open = adaptive_open,
	.offer = front_offer,
	.run = front_run,
	.cycle = front_cycle,
	.count = adaptive_count,
	.close = adaptive_close,
};
