// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine that moves flits: opening, messages from and to its user, runs. What happens in a cycle is in lanes_step.c.
#include "machine/lanes_internal.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 }; // for worms

static void lanes_close(struct loom_engine *e)
{
	if (!e)
		return;
	loom_lanes_lights_close(e->lights);
	loom_lanes_deep_close(e->deep);
	loom_agenda_free(&e->agenda);
	if (e->word)
		free(e->word - 1);
	free(e->engaged);
	free(e->active);
	free(e->feeder);
	free(e->next);
	free(e->lane);
	free(e->channel);
	free(e->inner);
	free(e->usual);
	free(e->votes);
	free(e->worm);
	free(e->node);
	free(e->offered);
	free(e->others);
	free(e->sources);
	free(e->header_bits);
	free(e->lanes);
	free(e->heads);
	free(e->arrived);
	free(e->left);
	free(e);
}

static bool has_light(const struct loom_engine_net *net)
{
	return net->is_light && (net->light_cycles > 0 || net->light_ratio > 1);
}

static void size_up(struct loom_engine *e)
{
	e->stride = 1;
	while (e->stride < e->net.n_vcs) {
		e->stride *= 2;
		e->shift++;
	}
	e->n_places = e->net.n_channels;
	for (uint32_t c = 0; has_light(&e->net) && c < e->net.n_channels; c++)
		e->n_places += e->net.is_light[c];
	e->n_lanes = e->n_places << e->shift;
	e->n_words = (e->n_lanes + 63) / 64;
}

static int take_room(struct loom_engine *e)
{
	const size_t n_lanes = e->n_lanes, n_nodes = e->net.n_nodes;
	struct lanes_word *word = calloc((size_t)e->n_words + 2, sizeof *e->word);
	e->word = word ? word + 1 : NULL;
	e->engaged = calloc(e->n_words / 64 + 1, sizeof *e->engaged);
	e->active = calloc(e->n_words, sizeof *e->active);
	e->feeder = calloc(n_lanes, sizeof *e->feeder);
	e->next = malloc(n_lanes * sizeof *e->next);
	e->lane = malloc(n_lanes * sizeof *e->lane);
	e->channel = calloc(e->n_places, sizeof *e->channel);
	e->inner = calloc((size_t)e->net.n_channels * e->net.n_vcs, sizeof *e->inner);
	e->node = calloc(n_nodes, sizeof *e->node);
	e->offered = calloc(n_nodes, sizeof *e->offered);
	e->others = calloc((size_t)e->n_words + 2, sizeof *e->others);
	e->sources = calloc((size_t)e->n_words + 2, sizeof *e->sources);
	e->header_bits = calloc((size_t)e->n_words + 2, sizeof *e->header_bits);
	e->lanes = calloc((size_t)e->n_words * 64, sizeof *e->lanes);
	e->heads = calloc(2 * (size_t)e->n_places, sizeof *e->heads);
	e->arrived = calloc(e->n_places, sizeof *e->arrived);
	e->left = calloc(n_nodes, sizeof *e->left);
	e->n_room = FIRST_ROOM;
	e->worm = calloc(e->n_room, sizeof *e->worm);
	if (!e->word || !e->engaged || !e->active || !e->feeder || !e->next || !e->lane || !e->channel || !e->inner ||
	    !e->node || !e->offered || !e->others || !e->sources || !e->header_bits || !e->lanes || !e->heads ||
	    !e->arrived || !e->left || !e->worm)
		return -1;
	memset(e->next, 0xff, n_lanes * sizeof *e->next); // LANES_NONE
	memset(e->lane, 0xff, n_lanes * sizeof *e->lane);
	for (uint32_t k = 0; k < e->net.n_channels * e->net.n_vcs; k++)
		e->inner[k] = k / e->net.n_vcs << e->shift | k % e->net.n_vcs;
	if (has_light(&e->net) && loom_lanes_lights_open(e) != 0)
		return -1;
	if ((e->net.buffers > 2 || e->net.is_slow) && loom_lanes_deep_open(e) != 0)
		return -1;
	return loom_lanes_order_open(e) != 0 || !loom_agenda_begin(&e->agenda) ? -1 : 0;
}

static int lanes_open(struct loom_engine **out, const struct loom_engine_net *net, bool paper,
                      const struct loom_engine_user *user, struct loom_err *err)
{
	struct loom_engine *e = calloc(1, sizeof *e);
	if (e) {
		*e = (struct loom_engine){.net = *net, .user = *user, .paper = paper, .free_worm = LANES_NONE};
		size_up(e);
		if (take_room(e) == 0) {
			loom_lanes_choose_step(e);
			*out = e;
			return 0;
		}
	}
	lanes_close(e);
	return loom_fail(err, LOOM_ENOMEM, "no memory for a machine of %u nodes", net->n_nodes);
}

// LANES_NONE: no memory.
static uint32_t new_worm(struct loom_engine *e)
{
	uint32_t w = e->free_worm;
	if (w != LANES_NONE) {
		e->free_worm = e->worm[w].next;
		return w;
	}
	if (e->n_fresh == e->n_room) {
		struct lanes_worm *more = realloc(e->worm, 2 * (size_t)e->n_room * sizeof *more);
		if (!more)
			return LANES_NONE;
		e->worm = more;
		e->n_room *= 2;
	}
	return e->n_fresh++;
}

// Asks the user for a node's next message, whose header then asks from the next cycle on at the earliest. -1: no memory.
static int ask_user(struct loom_engine *e, uint32_t v)
{
	struct lanes_node *node = &e->node[v];
	struct loom_engine_message m = {0};
	node->stands = !e->user.next(e->user.user, &m, v, node->from);
	if (node->stands)
		return 0;
	uint32_t w = new_worm(e);
	if (w == LANES_NONE)
		return -1;
	uint32_t l = e->inner[m.way[0]], last = e->inner[m.way[m.n_way - 1]];
	lanes_word_of(e, l)->source |= lanes_bit(l);
	lanes_word_of(e, last)->drains |= lanes_bit(last);
	e->n_worms++;
	e->worm[w] = (struct lanes_worm){.way = m.way,
	                                 .id = m.id,
	                                 .offer = m.release > e->now + 1 ? m.release : e->now + 1,
	                                 .n_way = m.n_way,
	                                 .fifo = LANES_NONE,
	                                 .flits = m.flits,
	                                 .node = v};
	if (m.release <= e->now + 1) {
		loom_lanes_enqueue(e, w, l);
		return 0;
	}
	node->worm = w;
	if (e->agenda.now != e->now && loom_agenda_is_empty(&e->agenda))
		e->agenda.now = e->now;
	loom_agenda_put(&e->agenda, 0, v, m.release);
	return e->agenda.failed ? -1 : 0;
}

static void lanes_offer(struct loom_engine *e, uint32_t v)
{
	struct lanes_node *node = &e->node[v];
	if (!node->stands || node->is_offered)
		return;
	node->is_offered = true;
	e->offered[e->n_offered++] = v;
}

static int take_offers(struct loom_engine *e)
{
	for (uint32_t k = 0; k < e->n_offered; k++) {
		uint32_t v = e->offered[k];
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
	for (uint32_t k = 0; k < due->n; k++) {
		const uint32_t w = e->node[due->item[k]].worm;
		loom_lanes_enqueue(e, w, e->inner[e->worm[w].way[0]]);
	}
	loom_agenda_done(&e->agenda);
}

// Tells the user what has arrived in this cycle, and asks for what nodes send next.
static int tell_user(struct loom_engine *e)
{
	for (uint32_t k = 0; k < e->n_arrived; k++) {
		struct lanes_worm *worm = &e->worm[e->arrived[k]];
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
	if (e->step(e)) {
		e->last_moved = e->now;
		if (tell_user(e) != 0)
			return -1;
		if (e->votes && e->n_grants >= e->reorder_at)
			loom_lanes_reorder(e);
		return 0;
	}
	e->is_still = loom_agenda_is_empty(&e->agenda);
	if (e->is_still) {
		e->now--; // so that what is offered now can ask in that cycle
		return 0;
	}
	uint64_t next = loom_agenda_first(&e->agenda) - 1;
	e->now = next < until ? next : until;
	(void)loom_agenda_next(&e->agenda, e->now); // nothing is due up to then
	return 0;
}

// LOOM_ENGINE_TIME: there is something to do.
static enum loom_engine_state state_of(const struct loom_engine *e)
{
	return e->n_worms == 0 ? LOOM_ENGINE_IDLE : e->is_still ? LOOM_ENGINE_LOCKED : LOOM_ENGINE_TIME;
}

static int lanes_run(struct loom_engine *e, enum loom_engine_state *state, uint64_t until, struct loom_err *err)
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

static uint64_t lanes_cycle(const struct loom_engine *e)
{
	return state_of(e) == LOOM_ENGINE_TIME ? e->now : e->last_moved;
}

static void lanes_count(const struct loom_engine *e, uint32_t c, struct loom_engine_count *out)
{
	uint32_t first = e->inner[c * e->net.n_vcs];
	const struct lanes_channel *channel = &e->channel[first >> e->shift];
	uint64_t cycle = lanes_cycle(e);
	*out = channel->count;
	if (channel->waits > 0 && cycle >= channel->since)
		out->blocked += cycle + 1 - channel->since;
	for (uint32_t l = first; l < first + e->net.n_vcs; l++)
		if (lanes_word_of(e, l)->held & lanes_bit(l))
			out->flits -= loom_lanes_uncrossed(e, l);
}

const struct loom_engine_kind loom_engine_lanes = {
	.name = "lanes",
	.open = lanes_open,
	.offer = lanes_offer,
	.run = lanes_run,
	.cycle = lanes_cycle,
	.count = lanes_count,
	.close = lanes_close,
};
