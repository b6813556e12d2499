// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ENGINE_FRONT_H
#define LOOM_ENGINE_FRONT_H

// The user's side of an engine that moves flits: messages from its user and to it, and runs from one cycle to the next. lanes.c and
// adaptive.c include it, each once, behind its own `struct loom_engine`, of which it uses the members net, user, now, last_moved,
// has_begun, is_still, agenda, worm, n_worms, n_room, n_fresh, free_worm, node, offered, arrived, left and their
// numbers. It is included as text, because each engine has its own struct for worms, and because the work of every
// cycle must not cost a call.

#include <stdlib.h>

#include "machine/agenda.h"
#include "machine/engine.h"

enum { FRONT_FIRST_ROOM = 64 }; // for worms
#define FRONT_NONE UINT32_MAX

// The engine's own part. Fills in worm w, which is new, from a message of node v.
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

// Asks the user for a node's next message, whose header then asks from the next cycle on at the earliest. -1: no memory.
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

static void front_offer(struct loom_engine *e, uint32_t v)
{
	if (!e->node[v].stands || e->node[v].is_offered)
		return;
	e->node[v].is_offered = true;
	e->offered[e->n_offered++] = v;
}

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

// Reports the arrivals of this cycle to the user, and asks for the next messages of nodes.
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
		e->now--; // so that what is offered now can ask in that cycle
		return 0;
	}
	const uint64_t next = loom_agenda_first(&e->agenda) - 1;
	e->now = next < until ? next : until;
	(void)loom_agenda_next(&e->agenda, e->now); // nothing is due up to then
	return 0;
}

// LOOM_ENGINE_TIME: there is something to do.
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
		ok = front_advance(e, until) == 0 && !e->agenda.failed; // which loses what comes near
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
