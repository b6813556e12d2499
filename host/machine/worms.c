// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Worms by events, on networks whose channels have one lane and no light. docs/exactness.md has the theorem and its proof; this
// is how it is used.
//
// A worm of F flits has channels 0 (injection) to L-1 (ejection) on its way. G(i) is the cycle in which its header is granted
// channel i, A(i) the first one in which its header is at the head of the FIFO in front of channel i. Put in the order of the
// way, G(0) A(1) G(1) A(2) ... G(L-1) are the worm's milestones, numbered from 1. Between its header and its tail a
// worm has a channel for itself, so its milestones determine the cycles of all its flits. Each milestone in turn
// fixes the cycle of one of two events:
//
//   Free(i), from which on another header can be granted channel i        milestone 2i + F + 1, and floor(F/2) cycles
//   Clear(i), from which on the FIFO behind channel i has no flit of it   milestone 2i + F + 2, and ceil(F/2) cycles
//
// The first event is Clear(-1), from which on the node's next header can ask for the injection channel. The last
// milestone fixes all events that are left, for nothing can stop the worm any more: each flit follows the one before
// it.
//
// With timing fast a header waits for Free of its next channel, and comes to the head of the FIFO behind it at Clear; with timing paper it
// waits for Clear at once. So grants of headers are the only events. A header that asks for a channel stands in its
// queue. When the channel can be granted again, the header that has asked longest gets it; among headers that began
// in the same cycle, the one with the lowest rank. Requests that begin later than the next cycle wait in the agenda,
// so that queues stay in the order of requests. The events of one cycle do not depend on one another, so their order
// does not matter.
//
// Over 400 lines because a grant and all its consequences must compile into one loop.
#include "machine/worms_fetch.h"
#include "machine/worms_internal.h"
#include "machine/worms_ways.h"

#define NONE WORMS_NONE
#define UNKNOWN WORMS_UNKNOWN
#define INLINE WORMS_INLINE
#define APART static __attribute__((noinline)) // rare; inlining it would cost the loop registers

// The sorts of the agenda: links that can be granted; ejection channels, and injection channels that can; worms that begin to ask.
enum { GRANTS, ENDS, SOURCES, ASKS };

// Returns x, and tells the compiler that it is mostly false.
INLINE bool rarely(bool x)
{
	return __builtin_expect(x, 0);
}

INLINE uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

// --- Queues ---------------------------------------------------------------------------------------------------------

// A cycle of a channel, from the engine's base on, as the agenda counts it.
INLINE uint64_t absolute(const struct loom_engine *e, uint32_t cycle)
{
	return e->base + cycle;
}

INLINE uint32_t relative(const struct loom_engine *e, uint64_t cycle)
{
	return (uint32_t)(cycle - e->base);
}

// The header of worm w waits for a link or an ejection channel, from the next cycle on, which is worm->asked.
INLINE void enqueue(struct loom_engine *e, bool by_dims, uint32_t w)
{
	struct worms_worm *worm = &e->worm[w];
	const uint32_t c = worms_lane(e, by_dims, worm->way, worm->head);
	struct worms_channel *ch = &e->channel[c];
	const uint32_t last = ch->queue;
	ch->queue = w;
	if (last != NONE) {
		worm->next = e->worm[last].next;
		e->worm[last].next = w;
		return;
	}
	worm->next = w;
	if (ch->free_at != UNKNOWN)
		loom_agenda_put(&e->agenda, GRANTS + worms_is_last(by_dims, worm->head), c,
		                later(absolute(e, ch->free_at), worm->asked));
}

// The header of worm w waits for an injection channel c, for which nobody else can ask, from worm->asked on: any cycle to come.
INLINE void enqueue_source(struct loom_engine *e, uint32_t w, uint32_t c)
{
	struct worms_worm *worm = &e->worm[w];
	struct worms_channel *ch = &e->channel[c];
	ch->queue = worm->next = w;
	if (ch->free_at != UNKNOWN)
		loom_agenda_put(&e->agenda, SOURCES, c, later(absolute(e, ch->free_at), worm->asked));
}

INLINE uint16_t rank_of(const struct loom_engine *e, const struct worms_worm *worm)
{
	return e->net.rank[worms_behind(e->net.n_dims > 0, worm)];
}

// Removes from a queue of two or more, whose last worm is `last`, the worm that is served first.
APART uint32_t take_first(struct loom_engine *e, struct worms_channel *ch, uint32_t last)
{
	struct worms_worm *worm = e->worm;
	uint32_t before = last, best = worm[last].next; // best, and the one in front of it
	const uint64_t asked = worm[best].asked;
	for (uint32_t p = best; p != last && worm[worm[p].next].asked == asked; p = worm[p].next) {
		uint32_t w = worm[p].next;
		if (rank_of(e, &worm[w]) < rank_of(e, &worm[best])) {
			best = w;
			before = p;
		}
	}
	worm[before].next = worm[best].next;
	if (best == last)
		ch->queue = before;
	return best;
}

INLINE uint32_t dequeue(struct loom_engine *e, struct worms_channel *ch)
{
	const uint32_t last = ch->queue;
	if (e->worm[last].next != last)
		return take_first(e, ch, last);
	ch->queue = NONE;
	return last;
}

// --- Worms ----------------------------------------------------------------------------------------------------------

INLINE uint32_t new_worm(struct loom_engine *e)
{
	const uint32_t w = e->free_worm;
	e->n_worms++;
	if (w == NONE)
		return e->n_fresh++;
	e->free_worm = e->worm[w].next;
	return w;
}

// The node's next message, if it has one, asks for the injection channel, from cycle `from` on, and not before `earliest`.
INLINE void send_next(struct loom_engine *e, bool by_dims, uint32_t node, uint64_t from, uint64_t earliest)
{
	struct loom_engine_message m;
	if (!e->user.next(e->user.user, &m, node, from)) {
		e->from[node] = from;
		return;
	}
	const uint64_t asked = later(later(m.release, from), earliest);
	const uint32_t w = new_worm(e);
	const struct worms_place begin = worms_begin(e, by_dims, &m, node);
	e->worm[w] = (struct worms_worm){.way = m.way,
	                                 .head = begin,
	                                 .tail = begin,
	                                 .flits = m.flits,
	                                 .wait = m.flits - 1,
	                                 .asked = asked,
	                                 .node = node,
	                                 .holds_source = true};
	e->ticket[w] = (struct worms_ticket){m.id, asked};
	enqueue_source(e, w, worms_lane(e, by_dims, m.way, begin));
}

// Has a channel for which headers wait granted as soon as possible, from `cycle` on.
APART void wake(struct loom_engine *e, uint32_t c, unsigned sort, uint64_t cycle)
{
	if (sort == SOURCES) // others have asked by now
		cycle = later(cycle, e->worm[e->channel[c].queue].asked);
	loom_agenda_put(&e->agenda, sort, c, cycle);
}

// Sets the cycle from which on a channel can be granted again. `sort` is its sort in the agenda.
INLINE void tell_free(struct loom_engine *e, uint32_t c, unsigned sort, uint64_t cycle)
{
	struct worms_channel *ch = &e->channel[c];
	ch->free_at = relative(e, cycle);
	if (rarely(ch->queue != NONE))
		wake(e, c, sort, cycle);
}

// The sort of a channel that is no ejection channel.
INLINE unsigned sort_of(bool by_dims, struct worms_place p)
{
	return worms_is_first(by_dims, p) ? SOURCES : GRANTS;
}

// Tells when the FIFO behind a channel is clear. A header that stands there behind the tail, if any, comes to its head then: it is returned.
INLINE uint32_t tell_clear(struct loom_engine *e, uint32_t c, uint64_t cycle)
{
	struct worms_channel *ch = &e->channel[c];
	const uint32_t waiter = ch->waiter;
	ch->waiter = NONE;
	if (waiter == NONE)
		ch->clear_at = relative(e, cycle);
	return waiter;
}

// Notes a milestone of the worm in `cycle`. If that fixes when a header behind its tail comes to the head of a FIFO,
// returns the worm of that header and sets *out to the cycle; else returns NONE.
INLINE uint32_t milestone(struct loom_engine *e, bool paper, bool by_dims, uint32_t w, uint64_t cycle, uint64_t *out)
{
	struct worms_worm *worm = &e->worm[w];
	if (worm->wait > 0) {
		worm->wait--;
		return NONE;
	}
	const uint64_t clear_at = *out = cycle + (worm->flits + 1) / 2;
	if (worm->holds_source) {
		worm->holds_source = false;
		send_next(e, by_dims, worm->node, clear_at, 0);
		return NONE;
	}
	const uint32_t c = worms_lane(e, by_dims, worm->way, worm->tail);
	const unsigned sort = sort_of(by_dims, worm->tail);
	worm->is_freed = !worm->is_freed;
	if (worm->is_freed) {
		if (!paper)
			tell_free(e, c, sort, cycle + worm->flits / 2);
		return NONE;
	}
	worms_advance_tail(by_dims, worm);
	if (!paper)
		return tell_clear(e, c, clear_at);
	tell_free(e, c, sort, clear_at);
	return NONE;
}

// The header of worm w comes to the head of its FIFO in `cycle`; that may tell when another one does.
INLINE void ask(struct loom_engine *e, bool paper, bool by_dims, uint32_t w, uint64_t cycle)
{
	do {
		uint64_t next_cycle = 0;
		const uint32_t next = milestone(e, paper, by_dims, w, cycle, &next_cycle);
		e->worm[w].asked = cycle;
		if (cycle == e->agenda.now + 1)
			enqueue(e, by_dims, w);
		else
			loom_agenda_put(&e->agenda, ASKS, w, cycle);
		w = next;
		cycle = next_cycle;
	} while (w != NONE);
}

// Worm w crosses a channel. Returns the cycles for which its header has waited since the one before it crossed.
INLINE uint32_t cross(struct loom_engine *e, struct worms_channel *ch, uint32_t w)
{
	const struct worms_worm *worm = &e->worm[w];
	const uint64_t now = e->agenda.now;
	const uint32_t waited = (uint32_t)(now - later(worm->asked, absolute(e, ch->counted)));
	ch->blocked += waited;
	ch->counted = relative(e, now);
	ch->messages++;
	ch->flits += worm->flits;
	ch->free_at = ch->clear_at = UNKNOWN;
	return waited;
}

// Tells when the FIFO behind channel c is clear, of which Free has been told. A header that stands there begins to ask.
APART void tell_last_clear(struct loom_engine *e, bool paper, bool by_dims, uint32_t c, unsigned sort, uint64_t cycle)
{
	if (paper) {
		tell_free(e, c, sort, cycle);
		return;
	}
	const uint32_t waiter = tell_clear(e, c, cycle);
	if (waiter != NONE)
		ask(e, paper, by_dims, waiter, cycle);
}

// Grants an ejection channel: nothing stops the worm any more. Clear of an ejection channel is not needed.
INLINE void grant_last(struct loom_engine *e, bool paper, bool by_dims, uint32_t c)
{
	const uint32_t w = dequeue(e, &e->channel[c]);
	struct worms_worm *worm = &e->worm[w];
	const uint64_t now = e->agenda.now;
	(void)cross(e, &e->channel[c], w);
	const uint32_t *way = worm->way, flits = worm->flits, node = worm->node, span = worms_span(by_dims, worm);
	const bool holds_source = worm->holds_source;
	const struct loom_engine_arrival arrival = {.id = e->ticket[w].id,
	                                            .offer = e->ticket[w].offer,
	                                            .waited = worm->waited,
	                                            .header = now,
	                                            .tail = now + flits - 1};
	struct worms_place p = worm->tail;
	uint64_t free_at = now + flits - span; // of the lane of p
	worm->next = e->free_worm;
	e->free_worm = w;
	e->n_worms--;
	e->moved = later(e->moved, arrival.tail);
	if (rarely(worm->is_freed)) {
		tell_last_clear(e, paper, by_dims, worms_lane(e, by_dims, way, p), sort_of(by_dims, p), ++free_at);
		p = worms_go_on(by_dims, p);
	}
	for (; free_at < now + flits; free_at++) {
		const uint32_t lane = worms_lane(e, by_dims, way, p);
		e->channel[lane].clear_at = 0; // a cycle after Free; who crosses then asks no sooner than that
		tell_free(e, lane, sort_of(by_dims, p), free_at + paper);
		p = worms_go_on(by_dims, p);
	}
	tell_free(e, c, ENDS, free_at + paper);
	if (holds_source)
		send_next(e, by_dims, node, now + flits - span, 0);
	e->user.arrived(e->user.user, &arrival);
}

// Handles the grant of a channel whose FIFO is clear from `clear_at` on, if it fixes an event, or if the header
// cannot ask at once.
INLINE void tell_grant(struct loom_engine *e, bool paper, bool by_dims, struct worms_channel *ch, uint32_t w,
                       uint32_t clear_at)
{
	const uint64_t now = e->agenda.now;
	uint64_t other_cycle = 0;
	const uint32_t other = milestone(e, paper, by_dims, w, now, &other_cycle);
	if (!paper && clear_at == UNKNOWN)
		ch->waiter = w;
	else
		ask(e, paper, by_dims, w, paper ? now + 1 : later(now + 1, absolute(e, clear_at)));
	if (other != NONE)
		ask(e, paper, by_dims, other, other_cycle);
}

APART void tell_grant_by_dims(struct loom_engine *e, bool paper, struct worms_channel *ch, uint32_t w,
                              uint32_t clear_at)
{
	tell_grant(e, paper, true, ch, w, clear_at);
}

APART void tell_grant_by_way(struct loom_engine *e, bool paper, struct worms_channel *ch, uint32_t w, uint32_t clear_at)
{
	tell_grant(e, paper, false, ch, w, clear_at);
}

// Worm w, whose turn it is, is granted a link or an injection channel.
INLINE uint32_t grant_to(struct loom_engine *e, bool paper, bool by_dims, uint32_t c, uint32_t w)
{
	struct worms_channel *ch = &e->channel[c];
	const uint32_t clear_at = ch->clear_at, waited = cross(e, ch, w);
	struct worms_worm *worm = &e->worm[w];
	worms_advance_head(by_dims, worm, c);
	const bool is_clear = paper || clear_at <= relative(e, e->agenda.now + 1);
	if (is_clear && worm->wait >= 2) { // this milestone and the next one show nothing
		worm->wait -= 2;
		worm->asked = e->agenda.now + 1;
		enqueue(e, by_dims, w);
		return waited;
	}
	if (by_dims)
		tell_grant_by_dims(e, paper, ch, w, clear_at);
	else
		tell_grant_by_way(e, paper, ch, w, clear_at);
	return waited;
}

INLINE void grant(struct loom_engine *e, bool paper, bool by_dims, uint32_t c)
{
	(void)grant_to(e, paper, by_dims, c, dequeue(e, &e->channel[c]));
}

INLINE void grant_source(struct loom_engine *e, bool paper, bool by_dims, uint32_t c)
{
	const uint32_t w = e->channel[c].queue;
	e->channel[c].queue = NONE;
	e->worm[w].waited = grant_to(e, paper, by_dims, c, w);
}

// --- Cycles ---------------------------------------------------------------------------------------------------------

// Grants the channels of a sort that can be in this cycle. Returns their number.
INLINE uint32_t grant_all(struct loom_engine *e, bool paper, bool by_dims, bool is_far, unsigned sort)
{
	const struct loom_agenda_list list = *loom_agenda_of(&e->agenda, sort, e->agenda.now);
	for (uint32_t k = 0; is_far && k < WORMS_FETCHED; k++)
		worms_fetch(e, by_dims, &list, k, sort == ENDS);
	for (uint32_t k = 0; k < list.n; k++) {
		if (is_far)
			worms_fetch(e, by_dims, &list, k + WORMS_FETCHED, sort == ENDS);
		if (sort == ENDS)
			grant_last(e, paper, by_dims, list.item[k]);
		else if (sort == SOURCES)
			grant_source(e, paper, by_dims, list.item[k]);
		else
			grant(e, paper, by_dims, list.item[k]);
	}
	return list.n;
}

// Handles the items of a cycle: requests that were put off, then grants. Adds no items to this cycle.
INLINE void step(struct loom_engine *e, bool paper, bool by_dims, bool is_far)
{
	const struct loom_agenda_list *asks = loom_agenda_of(&e->agenda, ASKS, e->agenda.now);
	for (uint32_t k = 0; k < asks->n; k++)
		enqueue(e, by_dims, asks->item[k]);
	const uint32_t n = grant_all(e, paper, by_dims, is_far, GRANTS) +
	                   grant_all(e, paper, by_dims, is_far, SOURCES) + grant_all(e, paper, by_dims, is_far, ENDS);
	if (n > 0)
		e->moved = later(e->moved, e->agenda.now);
	loom_agenda_done(&e->agenda);
}

INLINE void run_to(struct loom_engine *e, bool paper, bool by_dims, bool is_far, uint64_t until)
{
	while (!e->agenda.failed && loom_agenda_next(&e->agenda, until)) {
		if (e->agenda.now - e->base >= WORMS_SPAN)
			loom_worms_move_base(e);
		step(e, paper, by_dims, is_far);
	}
}

// A loop of its own for each timing, for networks that the processor's cache does not hold, and for ways that are given or not.
INLINE void run_so(struct loom_engine *e, bool by_dims, bool is_far, uint64_t until)
{
	if (e->paper && is_far)
		run_to(e, true, by_dims, true, until);
	else if (e->paper)
		run_to(e, true, by_dims, false, until);
	else if (is_far)
		run_to(e, false, by_dims, true, until);
	else
		run_to(e, false, by_dims, false, until);
}

static int run(struct loom_engine *e, enum loom_engine_state *state, uint64_t until, struct loom_err *err)
{
	const bool is_far = loom_worms_are_far(e);
	for (uint32_t node = 0; !e->has_begun && node < e->net.n_nodes; node++)
		send_next(e, e->net.n_dims > 0, node, 1, 0);
	e->has_begun = true;
	if (e->net.n_dims > 0)
		run_so(e, true, is_far, until);
	else
		run_so(e, false, is_far, until);
	if (e->agenda.failed)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the events of %u worms", e->n_worms);
	if (!loom_agenda_is_empty(&e->agenda) || e->moved > until) { // tails go on without events
		*state = LOOM_ENGINE_TIME;
		return 0;
	}
	e->agenda.now = e->moved;
	*state = e->n_worms > 0 ? LOOM_ENGINE_LOCKED : LOOM_ENGINE_IDLE;
	return 0;
}

static void offer(struct loom_engine *e, uint32_t node)
{
	const uint64_t from = e->from[node];
	if (!e->has_begun || from == 0)
		return;
	e->from[node] = 0;
	send_next(e, e->net.n_dims > 0, node, from, e->agenda.now + 1);
}

static uint64_t cycle(const struct loom_engine *e)
{
	return e->agenda.now;
}

const struct loom_engine_kind loom_engine_worms = {.open = loom_worms_open,
                                                   .offer = offer,
                                                   .run = run,
                                                   .cycle = cycle,
                                                   .count = loom_worms_count,
                                                   .close = loom_worms_close};
