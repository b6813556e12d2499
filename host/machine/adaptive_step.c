// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a cycle in three steps. The state at its beginning decides which flits cross. Then the FIFOs move on. At the
// end, the headers without a lane are granted lanes.
#include "machine/adaptive_internal.h"

// True if the worm that holds the lane can send a flit on it.
static bool is_ready(const struct loom_engine *e, uint32_t l)
{
	const struct adaptive_lane *lane = &e->lane[l];
	if (lane->feeder != ADAPTIVE_NONE && e->lane[lane->feeder].n == 0)
		return false;
	const unsigned behind = adaptive_taken(e, l);
	return e->paper && lane->has_header ? behind == 0 : behind < e->depth;
}

// Picks the lane whose flit a channel carries, in turns: the next lane behind the one that sent last.
static void decide(struct loom_engine *e, uint32_t c)
{
	struct adaptive_channel *channel = &e->channel[c];
	unsigned ready = 0;
	for (unsigned held = channel->held; held; held &= held - 1) {
		const unsigned v = (unsigned)__builtin_ctz(held);
		ready |= (unsigned)is_ready(e, c * e->net.n_vcs + v) << v;
	}
	if (!ready)
		return;
	const unsigned first = ready & channel->later ? ready & channel->later : ready;
	const unsigned v = (unsigned)__builtin_ctz(first);
	channel->later = (uint8_t)(UINT32_C(0xff) << (v + 1));
	e->go[e->n_go++] = c * e->net.n_vcs + v;
}

static void note_head(struct loom_engine *e, uint32_t f)
{
	e->heads[e->n_heads++] = f;
}

// Notes that slow lane l carries a flit or a credit. The lane stays on the list of slow lanes until that has arrived.
static void keep_stirring(struct loom_engine *e, uint32_t l)
{
	e->lane[l].until = e->now + e->delay;
	e->stirs = e->lane[l].until;
	if (!e->is_on_slow[l])
		e->slow[e->n_slow++] = l;
	e->is_on_slow[l] = true;
}

// Takes the first flit out of a FIFO, and sends a credit back.
static void leave_fifo(struct loom_engine *e, uint32_t f)
{
	struct adaptive_lane *fifo = &e->lane[f];
	fifo->first = (uint8_t)(fifo->first + 1u == e->depth ? 0 : fifo->first + 1);
	fifo->n--;
	const unsigned delay = e->channel[adaptive_channel_of(e, f)].delay, back = delay - e->net.router_delay;
	if (delay == 0) {
		fifo->busy = e->now;
		return;
	}
	if (back == 0) {
		fifo->out--;
		fifo->busy = e->now;
		return;
	}
	e->told[(size_t)f * e->back + (e->now + back) % e->back] = true; // fly() has cleared this place
	keep_stirring(e, f);
}

// Puts a flit into the FIFO of lane l.
static void enter_fifo(struct loom_engine *e, uint32_t l, uint32_t flit)
{
	struct adaptive_lane *fifo = &e->lane[l];
	const unsigned at = fifo->first + fifo->n;
	e->slot[(size_t)l * e->depth + (at >= e->depth ? at - e->depth : at)] = flit;
	fifo->n++;
	if (fifo->n == 1 && fifo->to == ADAPTIVE_NONE)
		note_head(e, l);
}

// Takes the flits and credits that leave slow lanes in this cycle.
static void fly(struct loom_engine *e)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < e->n_slow; k++) {
		const uint32_t l = e->slow[k];
		uint32_t *flit = &e->flying[(size_t)l * e->delay + e->now % e->delay];
		if (*flit != ADAPTIVE_NONE)
			enter_fifo(e, l, *flit);
		*flit = ADAPTIVE_NONE;
		if (e->back) {
			bool *told = &e->told[(size_t)l * e->back + e->now % e->back];
			e->lane[l].out = (uint8_t)(e->lane[l].out - *told);
			if (*told)
				e->lane[l].busy = e->now;
			*told = false;
		}
		e->is_on_slow[l] = e->lane[l].until > e->now;
		if (e->is_on_slow[l])
			e->slow[n++] = l;
	}
	e->n_slow = n;
}

// Moves a flit over lane l: into its FIFO or, if the lane is slow, on its way there.
static void send(struct loom_engine *e, uint32_t l, uint32_t flit)
{
	const uint32_t c = adaptive_channel_of(e, l);
	e->channel[c].count.flits++;
	const unsigned delay = e->channel[c].delay;
	if (delay == 0) {
		enter_fifo(e, l, flit);
		return;
	}
	e->lane[l].out++;
	e->flying[(size_t)l * e->delay + (e->now + delay) % e->delay] = flit;
	keep_stirring(e, l);
}

static bool is_ejection(const struct loom_engine *e, uint32_t c)
{
	return c % e->per_tile == e->n_links;
}

// Handles the header of the worm that holds lane l, which crosses it.
static void cross(struct loom_engine *e, uint32_t l)
{
	const uint32_t c = adaptive_channel_of(e, l);
	struct adaptive_lane *lane = &e->lane[l];
	lane->has_header = false;
	e->channel[c].count.messages++;
	loom_adaptive_wait_ends(e, c, false);
	struct adaptive_worm *worm = &e->worm[lane->holder];
	if (is_ejection(e, c))
		worm->header = e->now;
	if (lane->feeder == ADAPTIVE_NONE) // the injection channel
		worm->waited = (uint32_t)(e->now - worm->offer);
}

// Handles the tail of the worm that holds lane l, which crosses it. Frees the lane.
static void give_free(struct loom_engine *e, uint32_t l)
{
	const uint32_t c = adaptive_channel_of(e, l), u = c / e->per_tile, k = c % e->per_tile;
	struct adaptive_lane *lane = &e->lane[l];
	const uint32_t w = lane->holder, f = lane->feeder;
	lane->holder = lane->feeder = ADAPTIVE_NONE;
	lane->busy = e->now;
	e->channel[c].held &= (uint8_t) ~(1u << l % e->net.n_vcs);
	if (f == ADAPTIVE_NONE) {
		e->left[e->n_left++] = e->worm[w].node;
		return; // the injection channel, of the node alone
	}
	e->lane[f].to = ADAPTIVE_NONE;
	if (e->lane[f].n > 0)
		note_head(e, f);
	if (k < e->n_links)
		e->router[u].free |= UINT64_C(1) << (k * e->net.n_vcs + l % e->net.n_vcs);
	else
		e->arrived[e->n_arrived++] = w;
	loom_adaptive_stir(e, u);
}

// Has the next flit of the worm that holds lane l cross it.
static void go(struct loom_engine *e, uint32_t l)
{
	struct adaptive_lane *lane = &e->lane[l];
	const uint32_t w = lane->holder, f = lane->feeder;
	uint32_t flit;
	if (f == ADAPTIVE_NONE) {
		flit = ADAPTIVE_FLIT(w, --e->worm[w].left == 0);
	} else {
		flit = e->slot[(size_t)f * e->depth + e->lane[f].first];
		leave_fifo(e, f);
	}
	if (lane->has_header)
		cross(e, l);
	send(e, l, flit);
	if (flit & 1)
		give_free(e, l);
}

// Has each node take a flit out of the FIFO of its ejection channel. True if any FIFO had one.
static bool drain(struct loom_engine *e)
{
	bool any = false;
	for (uint32_t i = 0; i < e->n_drains_words; i++)
		for (uint64_t nodes = e->drains[i]; nodes; nodes &= nodes - 1) {
			const uint32_t u = i * 64 + (unsigned)__builtin_ctzll(nodes);
			leave_fifo(e, (u * e->per_tile + e->n_links) * e->net.n_vcs);
			any = true;
		}
	return any;
}

// Updates the set of ejection channels whose FIFOs have flits.
static void note_drains(struct loom_engine *e)
{
	for (uint32_t i = 0; i < e->n_drains_words; i++)
		for (uint64_t nodes = e->drains[i]; nodes; nodes &= nodes - 1) {
			const uint32_t u = i * 64 + (unsigned)__builtin_ctzll(nodes);
			if (e->lane[(u * e->per_tile + e->n_links) * e->net.n_vcs].n == 0)
				e->drains[i] &= ~(UINT64_C(1) << u % 64);
		}
	for (uint32_t k = 0; k < e->n_go; k++) {
		const uint32_t c = adaptive_channel_of(e, e->go[k]), u = c / e->per_tile;
		if (is_ejection(e, c))
			e->drains[u / 64] |= UINT64_C(1) << u % 64;
	}
}

// Has the headers that came to the heads of their FIFOs ask for lanes.
static void ask(struct loom_engine *e)
{
	for (uint32_t k = 0; k < e->n_heads; k++) {
		const uint32_t f = e->heads[k];
		const struct adaptive_lane *fifo = &e->lane[f];
		if (fifo->n > 0 && fifo->to == ADAPTIVE_NONE && !fifo->waits &&
		    !is_ejection(e, adaptive_channel_of(e, f)))
			loom_adaptive_ask(e, f);
	}
}

// Decides for each channel of which worms hold lanes. Drops a channel from the set when no worm holds a lane of it
// and no header waits for one: the channel then forgets whose turn it was.
static void decide_all(struct loom_engine *e)
{
	for (uint32_t i = 0; i < e->n_active_words; i++)
		for (uint64_t channels = e->active[i]; channels; channels &= channels - 1) {
			const uint32_t c = i * 64 + (unsigned)__builtin_ctzll(channels);
			if (e->channel[c].held) {
				decide(e, c);
				continue;
			}
			if (e->channel[c].waits)
				continue;
			e->channel[c].later = 0;
			e->active[i] &= ~(UINT64_C(1) << c % 64);
		}
}

bool loom_adaptive_step(struct loom_engine *e)
{
	e->n_go = e->n_heads = e->n_arrived = e->n_left = 0;
	decide_all(e);
	if (e->net.select == LOOM_SELECT_CREDITS)
		for (size_t l = 0; l < (size_t)e->net.n_channels * e->net.n_vcs; l++)
			e->was[l] = (uint8_t)adaptive_taken(e, (uint32_t)l);
	const bool stirs = e->delay > 0 && e->now <= e->stirs, drained = drain(e);
	if (e->delay > 0)
		fly(e);
	for (uint32_t k = 0; k < e->n_go; k++)
		go(e, e->go[k]);
	note_drains(e);
	ask(e);
	return loom_adaptive_grant(e) || e->n_go > 0 || drained || stirs;
}
