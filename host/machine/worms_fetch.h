// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_WORMS_FETCH_H
#define LOOM_WORMS_FETCH_H

#include "machine/worms_ways.h"

// Prefetches memory for the engine `worms`, on networks larger than the processor's cache.

#define WORMS_AHEAD 8u                   // entries of a list, from one step to the next
#define WORMS_FETCHED (4u * WORMS_AHEAD) // from the first step to the entry's turn

// Hints to the user which call will come when the worm gets its next channel.
WORMS_INLINE void worms_tell_soon(const struct loom_engine *e, const struct worms_worm *worm, bool is_last, bool again)
{
	if (worm->holds_source && (is_last || worm->wait < 2) && e->user.soon_next)
		e->user.soon_next(e->user.user, worm->node, again);
	if (is_last && !again && e->user.soon_arrived)
		e->user.soon_arrived(e->user.user, e->ticket[worm - e->worm].id);
}

// Prefetches what the entries of a list will need, in four steps, each of which reads what the step before it
// fetched: the channel of entry k, the worm of an earlier entry, the way of a worm, the channels on its way. With the
// last two steps come the hints to the user. Called with each k below WORMS_FETCHED before the first entry's turn,
// then with each entry's number and WORMS_FETCHED.
WORMS_INLINE void worms_fetch(const struct loom_engine *e, bool by_dims, const struct loom_agenda_list *list,
                              uint32_t k, bool is_last)
{
	// An entry in front of the list has a number beyond it.
	const uint32_t second = k - WORMS_AHEAD, third = k - 2 * WORMS_AHEAD, fourth = k - 3 * WORMS_AHEAD;
	if (k < list->n)
		__builtin_prefetch(&e->channel[list->item[k]], 1);
	if (second < list->n) {
		const uint32_t w = e->channel[list->item[second]].queue;
		__builtin_prefetch(&e->worm[w], 1);
		if (is_last)
			__builtin_prefetch(&e->ticket[w]);
	}
	if (third < list->n) {
		const struct worms_worm *worm = &e->worm[e->channel[list->item[third]].queue];
		if (!by_dims)
			__builtin_prefetch(&worm->way[is_last ? worm->tail.at : worm->head.at]);
		worms_tell_soon(e, worm, is_last, false);
	}
	if (fourth >= list->n)
		return;
	const struct worms_worm *worm = &e->worm[e->channel[list->item[fourth]].queue];
	worms_tell_soon(e, worm, is_last, true);
	if (!is_last) {
		const struct worms_place next = worms_go_on(by_dims, worm->head);
		__builtin_prefetch(&e->channel[worms_lane(e, by_dims, worm->way, next)], 1);
		if (worm->wait < 2)
			__builtin_prefetch(&e->channel[worms_lane(e, by_dims, worm->way, worm->tail)], 1);
		return;
	}
	struct worms_place p = worm->tail;
	for (uint32_t i = 0; i <= worms_span(by_dims, worm); i++) {
		__builtin_prefetch(&e->channel[worms_lane(e, by_dims, worm->way, p)], 1);
		p = worms_go_on(by_dims, p);
	}
}

#endif
