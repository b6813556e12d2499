// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_WORMS_WAYS_H
#define LOOM_WORMS_WAYS_H

#include "machine/worms_internal.h"

// The ways of worms, lane by lane. On a way that was given, `at` is the index of the lane, and `left` the number of
// lanes of the way. On a cube whose dimensions are taken in ascending order (by_dims), `at` is a node, and `left` has
// a bit for each lane that is still to be taken, the lowest one first: bit 0 is injection, bit d + 1 the link of
// dimension d, bit n + 1 ejection. So such a way takes no memory.

// The place at which a worm begins whose message node u sends.
WORMS_INLINE struct worms_place worms_begin(const struct loom_engine *e, bool by_dims,
                                            const struct loom_engine_message *m, uint32_t u)
{
	if (!by_dims)
		return (struct worms_place){0, m->n_way};
	return (struct worms_place){u, 1 | (u ^ m->destination) << 1 | UINT32_C(2) << e->net.n_dims};
}

WORMS_INLINE uint32_t worms_lane(const struct loom_engine *e, bool by_dims, const uint32_t *way, struct worms_place p)
{
	if (!by_dims)
		return way[p.at];
	const unsigned n = e->net.n_dims, k = (unsigned)__builtin_ctz(p.left);
	return p.at * (n + 2) + (k ? k - 1 : n + 1);
}

// The lane of such a place is that of an injection channel.
WORMS_INLINE bool worms_is_first(bool by_dims, struct worms_place p)
{
	return by_dims ? (p.left & 1) != 0 : p.at == 0;
}

// The lane of such a place is that of an ejection channel.
WORMS_INLINE bool worms_is_last(bool by_dims, struct worms_place p)
{
	return by_dims ? (p.left & (p.left - 1)) == 0 : p.at + 1 == p.left;
}

// The next place, of one that is not the last.
WORMS_INLINE struct worms_place worms_go_on(bool by_dims, struct worms_place p)
{
	if (!by_dims)
		return (struct worms_place){p.at + 1, p.left};
	const uint32_t rest = p.left & (p.left - 1);
	return (struct worms_place){p.at ^ (p.left ^ rest) >> 1, rest};
}

// The lanes that the worm has from `tail` on.
WORMS_INLINE uint32_t worms_span(bool by_dims, const struct worms_worm *worm)
{
	return by_dims ? worm->span : worm->head.at - worm->tail.at;
}

// The lane in whose FIFO the header is, of a worm that has left its node.
WORMS_INLINE uint32_t worms_behind(bool by_dims, const struct worms_worm *worm)
{
	return by_dims ? worm->behind : worm->way[worm->head.at - 1];
}

// The header goes on, since it has crossed lane c.
WORMS_INLINE void worms_advance_head(bool by_dims, struct worms_worm *worm, uint32_t c)
{
	worm->head = worms_go_on(by_dims, worm->head);
	if (!by_dims)
		return;
	worm->span++;
	worm->behind = c;
}

WORMS_INLINE void worms_advance_tail(bool by_dims, struct worms_worm *worm)
{
	worm->tail = worms_go_on(by_dims, worm->tail);
	if (by_dims)
		worm->span--;
}

#endif
