// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ENGINE_FRONT_H
#define LOOM_ENGINE_FRONT_H

// The part of a flit-moving engine that faces its user: it takes messages from the user, reports arrivals, and goes
// from cycle to cycle. lanes.c and adaptive.c each include it once, behind the definition of their own `struct
// loom_engine`. It uses these members of that struct: net, user, now, last_moved, has_begun, is_still, agenda, worm,
// n_worms, n_room, n_fresh, free_worm, node, offered, arrived and left, and the lengths of these lists. It is
// included as text, because each engine has its own struct for worms, and because the work of every cycle must not
// cost a call.

#include <stdlib.h>

#include "machine/agenda.h"
#include "machine/engine.h"

enum { FRONT_FIRST_ROOM = 64 }; // worms for which there is memory at first
#define FRONT_NONE UINT32_MAX

// The engine defines the next four functions. This one fills in the new worm w from a message of node v.
static void front_take(struct loom_engine *e, uint32_t w, const struct loom_engine_message *m, uint32_t v);
// Has the header of a worm ask for its first lane from the next cycle on.
static void front_ask(struct loom_engine *e, uint32_t w);
// Runs cycle `now`. Returns true if anything moved.
static bool front_step(struct loom_engine *e);
// Called after a cycle in which something moved, when the user has been told.
static void front_moved(struct loom_engine *e);

// Returns a worm that is free; FRONT_NONE: no memory.
static uint32_t front_new_worm(struct loom_engine *e)
{
	const uint32_t w = e->free_worm;
	if (w != FRONT_NONE) {
		e->free_worm = e->worm[w].next;
		return w;
	}
	if (e->n_fresh == e->n_room) {
		void *more = realloc(e->worm, 2 * (size_t)e->n_room * sizeof *e->worm);
		if (!more)
			return FRONT_NONE;
		e->worm = more;
		e->n_room *= 2;
	}
	return e->n_fresh++;
}

// Asks the user for the next message of a node. Its header asks for its first lane in the next cycle at the earliest.
// -1: no memory.
static int front_ask_user(struct loom_engine *e, uint32_t v)
{
	struct loom_engine_message m = {0};
	e->node[v].stands = !e->user.next(e->user.user, &m, v, e->node[v].from);
	if (e->node[v].stands)
		return 0;
	const uint32_t w = front_new_worm(e);
	if (w == FRONT_NONE)
		return -1;
	e->n_worms++;
	front_take(e, w, &m, v);
	if (m.release <= e->now + 1) {
		front_ask(e, w);
		return 0;
	}
	e->node[v].worm = w;
	if (e->agenda.now != e->now && loom_agenda_is_empty(&e->agenda))
		e->agenda.now = e->now;
	loom_agenda_put(&e->agenda, 0, v, m.release);
	return e->agenda.failed ? -1 : 0;
}

// Notes that the user has a message for a node that had none.
static void front_offer(struct loom_engine *e, uint32_t v)
{
	if (!e->node[v].stands || e->node[v].is_offered)
		return;
	e->node[v].is_offered = true;
	e->offered[e->n_offered++] = v;
}

// Asks the user for the messages of all nodes noted by front_offer. -1: no memory.
static int front_take_offers(struct loom_engine *e)
{
	for (uint32_t k = 0; k < e->n_offered; k++) {
		const uint32_t v = e->offered[k];
		e->node[v].is_offered = false;
		if (front_ask_user(e, v) != 0)
			return -1;
	}
	e->n_offered = 0;
	return 0;
}

// Has the messages that are released in the next cycle ask from then on.
static void front_take_released(struct loom_engine *e)
{
	if (!loom_agenda_next(&e->agenda, e->now + 1))
		return;
	const struct loom_agenda_list *due = loom_agenda_of(&e->agenda, 0, e->now + 1);
	for (uint32_t k = 0; k < due->n; k++)
		front_ask(e, e->node[due->item[k]].worm);
	loom_agenda_done(&e->agenda);
}

// Reports the arrivals of this cycle to the user, and asks for the next messages of nodes whose message has left. -1:
// no memory.
static int front_tell_user(struct loom_engine *e)
{
	for (uint32_t k = 0; k < e->n_arrived; k++) {
		const uint32_t w = e->arrived[k];
		const struct loom_engine_arrival arrival = {.id = e->worm[w].id,
		                                            .offer = e->worm[w].offer,
		                                            .waited = e->worm[w].waited,
		                                            .header = e->worm[w].header,
		                                            .tail = e->now};
		e->worm[w].next = e->free_worm;
		e->free_worm = w;
		e->n_worms--;
		e->user.arrived(e->user.user, &arrival);
	}
	for (uint32_t k = 0; k < e->n_left; k++) {
		e->node[e->left[k]].from = e->now + 1;
		if (front_ask_user(e, e->left[k]) != 0)
			return -1;
	}
	return front_take_offers(e);
}

// Asks the user for the first message of each node. -1: no memory.
static int front_begin(struct loom_engine *e)
{
	e->has_begun = true;
	for (uint32_t v = 0; v < e->net.n_nodes; v++) {
		e->node[v].from = 1;
		if (front_ask_user(e, v) != 0)
			return -1;
	}
	return 0;
}

// Runs one cycle, and goes on to the next one in which anything could happen. -1: no memory.
static int front_advance(struct loom_engine *e, uint64_t until)
{
	if (!loom_agenda_is_empty(&e->agenda))
		front_take_released(e);
	e->now++;
	if (front_step(e)) {
		e->last_moved = e->now;
		if (front_tell_user(e) != 0)
			return -1;
		front_moved(e);
		return 0;
	}
	e->is_still = loom_agenda_is_empty(&e->agenda);
	if (e->is_still) {
		e->now--; // so that a message offered now can ask in this cycle
		return 0;
	}
	const uint64_t next = loom_agenda_first(&e->agenda) - 1;
	e->now = next < until ? next : until;
	(void)loom_agenda_next(&e->agenda, e->now); // moves the agenda on; nothing is due up to then
	return 0;
}

// Returns the state of the engine. LOOM_ENGINE_TIME: there is something to do.
static enum loom_engine_state front_state_of(const struct loom_engine *e)
{
	return e->n_worms == 0 ? LOOM_ENGINE_IDLE : e->is_still ? LOOM_ENGINE_LOCKED : LOOM_ENGINE_TIME;
}

static int front_run(struct loom_engine *e, enum loom_engine_state *state, uint64_t until, struct loom_err *err)
{
	bool ok = e->has_begun || front_begin(e) == 0;
	if (e->n_offered > 0) {
		e->is_still = false;
		ok = ok && front_take_offers(e) == 0;
	}
	while (ok && front_state_of(e) == LOOM_ENGINE_TIME && e->now < until)
		ok = front_advance(e, until) == 0 && !e->agenda.failed; // a failed agenda has lost items
	if (!ok)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the messages under way in cycle %llu",
		                 (unsigned long long)e->now);
	*state = front_state_of(e);
	return 0;
}

static uint64_t front_cycle(const struct loom_engine *e)
{
	return front_state_of(e) == LOOM_ENGINE_TIME ? e->now : e->last_moved;
}

#endif
