// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine that moves flits: its opening, worms and counts. lanes_step.c runs a cycle.
#include "machine/lanes_internal.h"

#include <stdlib.h>
#include <string.h>

#include "machine/engine_front.h"

static void lanes_close(struct loom_engine *e)
{
	if (!e)
		return;
	loom_lanes_lights_close(e->lights);
	loom_lanes_deep_close(e->deep);
	loom_agenda_free(&e->agenda);
	loom_arrays_free(&e->arrays);
	free(e->usual);
	free(e->votes);
	free(e->worm);
	free(e);
}

static bool has_light(const struct loom_engine_net *net)
{
	return net->is_light && (net->light_cycles > 0 || net->light_ratio > 1);
}

// Computes the numbers of places, lanes and words.
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

// Allocates the engine's memory and sets it up. -1: no memory.
static int take_room(struct loom_engine *e)
{
	const size_t n_lanes = e->n_lanes, n_nodes = e->net.n_nodes;
	struct lanes_word *word;
	LOOM_ARRAY(&e->arrays, word, (size_t)e->n_words + 2);
	e->word = word ? word + 1 : NULL;
	LOOM_ARRAY(&e->arrays, e->engaged, e->n_words / 64 + 1);
	LOOM_ARRAY(&e->arrays, e->active, e->n_words);
	LOOM_ARRAY(&e->arrays, e->feeder, n_lanes);
	LOOM_ARRAY(&e->arrays, e->next, n_lanes);
	LOOM_ARRAY(&e->arrays, e->lane, n_lanes);
	LOOM_ARRAY(&e->arrays, e->channel, e->n_places);
	LOOM_ARRAY(&e->arrays, e->inner, (size_t)e->net.n_channels * e->net.n_vcs);
	LOOM_ARRAY(&e->arrays, e->node, n_nodes);
	LOOM_ARRAY(&e->arrays, e->offered, n_nodes);
	LOOM_ARRAY(&e->arrays, e->others, (size_t)e->n_words + 2);
	LOOM_ARRAY(&e->arrays, e->sources, (size_t)e->n_words + 2);
	LOOM_ARRAY(&e->arrays, e->header_bits, (size_t)e->n_words + 2);
	LOOM_ARRAY(&e->arrays, e->lanes, (size_t)e->n_words * 64);
	LOOM_ARRAY(&e->arrays, e->heads, 2 * (size_t)e->n_places);
	LOOM_ARRAY(&e->arrays, e->arrived, e->n_places);
	LOOM_ARRAY(&e->arrays, e->left, n_nodes);
	e->n_room = FRONT_FIRST_ROOM;
	e->worm = calloc(e->n_room, sizeof *e->worm);
	if (e->arrays.is_short || !e->worm)
		return -1;
	memset(e->next, 0xff, n_lanes * sizeof *e->next); // LANES_NONE
	memset(e->lane, 0xff, n_lanes * sizeof *e->lane);
	for (uint32_t k = 0; k < e->net.n_channels * e->net.n_vcs; k++)
		e->inner[k] = k / e->net.n_vcs << e->shift | k % e->net.n_vcs;
	if (has_light(&e->net) && loom_lanes_lights_open(e) != 0)
		return -1;
	if ((e->net.buffers > 2 || e->net.delay) && loom_lanes_deep_open(e) != 0)
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

static void front_take(struct loom_engine *e, uint32_t w, const struct loom_engine_message *m, uint32_t v)
{
	const uint32_t l = e->inner[m->way[0]], last = e->inner[m->way[m->n_way - 1]];
	lanes_word_of(e, l)->source |= lanes_bit(l);
	lanes_word_of(e, last)->drains |= lanes_bit(last);
	e->worm[w] = (struct lanes_worm){.way = m->way,
	                                 .id = m->id,
	                                 .offer = m->release > e->now + 1 ? m->release : e->now + 1,
	                                 .n_way = m->n_way,
	                                 .fifo = LANES_NONE,
	                                 .flits = m->flits,
	                                 .node = v};
}

static void front_ask(struct loom_engine *e, uint32_t w)
{
	loom_lanes_enqueue(e, w, e->inner[e->worm[w].way[0]]);
}

static bool front_step(struct loom_engine *e)
{
	return e->step(e);
}

static void front_moved(struct loom_engine *e)
{
	if (e->votes && e->n_grants >= e->reorder_at)
		loom_lanes_reorder(e);
}

static void lanes_count(const struct loom_engine *e, uint32_t c, struct loom_engine_count *out)
{
	uint32_t first = e->inner[c * e->net.n_vcs];
	const struct lanes_channel *channel = &e->channel[first >> e->shift];
	uint64_t cycle = front_cycle(e);
	*out = channel->count;
	if (channel->waits > 0 && cycle >= channel->since)
		out->blocked += cycle + 1 - channel->since;
	for (uint32_t l = first; l < first + e->net.n_vcs; l++)
		if (lanes_word_of(e, l)->held & lanes_bit(l))
			out->flits -= loom_lanes_uncrossed(e, l);
}

const struct loom_engine_kind loom_engine_lanes = {
	.open = lanes_open,
	.offer = front_offer,
	.run = front_run,
	.cycle = front_cycle,
	.count = lanes_count,
	.close = lanes_close,
};
