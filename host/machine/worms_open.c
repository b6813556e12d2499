// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of the engine `worms`, and the cycles from which its channels count.
#include <stdlib.h>

#include "base/cache_lines.h"
#include "machine/worms_internal.h"

#define FAR_BYTES (1u << 20) // of channels: more than these are not in the processor's cache

_Static_assert(2 * sizeof(struct worms_channel) == LOOM_CACHE_LINE_BYTES &&
                       sizeof(struct worms_worm) == LOOM_CACHE_LINE_BYTES,
               "lines of the cache");

bool loom_worms_are_far(const struct loom_engine *e)
{
	return (size_t)e->net.n_channels * sizeof *e->channel > FAR_BYTES;
}

// --- The channels' cycles -------------------------------------------------------------------------------------------

// Converts a cycle to a base that is `by` cycles later. Cycles before the new base become 0.
static uint32_t moved(uint32_t cycle, uint64_t by)
{
	if (cycle == WORMS_UNKNOWN)
		return WORMS_UNKNOWN;
	return cycle > by ? (uint32_t)(cycle - by) : 0;
}

void loom_worms_move_base(struct loom_engine *e)
{
	const uint64_t base = e->agenda.now, by = base - e->base;
	for (size_t c = 0; c < e->net.n_channels; c++) {
		struct worms_channel *ch = &e->channel[c];
		struct loom_engine_count *before = &e->before[c];
		if (ch->queue != WORMS_NONE) { // its first header has waited since
			const struct worms_worm *first = &e->worm[e->worm[ch->queue].next];
			const uint64_t counted = e->base + ch->counted;
			const uint64_t since = first->asked > counted ? first->asked : counted;
			before->blocked += since < base ? base - since : 0;
		}
		before->messages += ch->messages;
		before->flits += ch->flits;
		before->blocked += ch->blocked;
		*ch = (struct worms_channel){.free_at = moved(ch->free_at, by),
		                             .clear_at = moved(ch->clear_at, by),
		                             .queue = ch->queue,
		                             .waiter = ch->waiter};
	}
	e->base = base;
}

void loom_worms_count(const struct loom_engine *e, uint32_t channel, struct loom_engine_count *out)
{
	const struct worms_channel *ch = &e->channel[channel];
	const struct loom_engine_count *before = &e->before[channel];
	*out = (struct loom_engine_count){before->messages + ch->messages, before->flits + ch->flits,
	                                  before->blocked + ch->blocked};
}

// --- Memory ---------------------------------------------------------------------------------------------------------

void loom_worms_close(struct loom_engine *e)
{
	if (!e)
		return;
	loom_agenda_free(&e->agenda);
	free(e->channel);
	free(e->worm);
	free(e->ticket);
	free(e->from);
	free(e->before);
	free(e);
}

// A FIFO holds two headers at most, and each node has one more in front of its injection channel. Memory that no worm has used has
// not been touched.
static size_t most_worms(const struct loom_engine_net *net)
{
	return 2 * (size_t)net->n_channels + net->n_nodes;
}

int loom_worms_open(struct loom_engine **out, const struct loom_engine_net *net, bool paper,
                    const struct loom_engine_user *user, struct loom_err *err)
{
	struct loom_engine *e = calloc(1, sizeof *e);
	if (!e)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a machine");
	*e = (struct loom_engine){.net = *net, .user = *user, .paper = paper, .free_worm = WORMS_NONE};
	e->channel = loom_cache_lines((size_t)net->n_channels * sizeof *e->channel);
	e->worm = loom_cache_lines(most_worms(net) * sizeof *e->worm);
	e->ticket = loom_cache_lines(most_worms(net) * sizeof *e->ticket);
	e->from = calloc(net->n_nodes, sizeof *e->from);
	e->before = calloc(net->n_channels, sizeof *e->before);
	if (!loom_agenda_begin(&e->agenda) || !e->channel || !e->worm || !e->ticket || !e->from || !e->before) {
		loom_worms_close(e);
		return loom_fail(err, LOOM_ENOMEM, "no memory for a machine of %u nodes", net->n_nodes);
	}
	for (size_t c = 0; c < net->n_channels; c++)
		e->channel[c] = (struct worms_channel){.queue = WORMS_NONE, .waiter = WORMS_NONE};
	*out = e;
	return 0;
}
