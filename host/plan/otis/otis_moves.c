// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes lists of steps, and plays the items' movements within groups and by light.
//
// Items go along rows, then along columns, the item with the farthest destination first. If they begin on different
// nodes and end on different nodes, each direction takes as many steps as some item goes by it. Along rows, each node
// has one item at first, and all go on in each step, so none is held up. Along columns, destinations differ. Of the
// items that cross a link in one direction, let f be the farthest destination. The item to destination d waits at most
// once for each item that goes farther, and there are at most f - d of them. So it arrives no later than after its own
// distance, or that of one of these.
#include "plan/otis/otis_moves.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"

static int no_memory(const struct loom_otis_moves *m, struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory for the moves of %" PRIu32 " items, side %" PRIu32,
	                 m->n_items, m->side);
}

int loom_otis_check_side(uint32_t side, bool power_of_two, struct loom_err *err)
{
	if (side >= 2 && side <= LOOM_OTIS_SIDE_MOST && (!power_of_two || (side & (side - 1)) == 0))
		return 0;
	return loom_fail(err, LOOM_EINPUT, "an OTIS-Mesh of side %" PRIu32 ": it is %s2 to %u", side,
	                 power_of_two ? "a power of two from " : "from ", LOOM_OTIS_SIDE_MOST);
}

int loom_otis_moves_begin(struct loom_otis_moves *out, uint32_t side, const uint32_t *at, uint32_t n_items,
                          struct loom_err *err)
{
	struct loom_otis_moves m = {.side = side, .n_items = n_items};
	int rc = loom_otis_check_side(side, false, err);
	if (rc != 0)
		return rc;
	uint32_t n_nodes = loom_otis_nodes(side);
	for (uint32_t i = 0; i < n_items; i++)
		if (at[i] >= n_nodes)
			return loom_fail(err, LOOM_EINPUT,
			                 "item %" PRIu32 " is on node %" PRIu32 ", there are %" PRIu32, i, at[i],
			                 n_nodes);
	m.at = malloc((n_items + (size_t)1) * sizeof *m.at);
	m.first = calloc(1, sizeof *m.first);
	if (!m.at || !m.first) {
		loom_otis_moves_free(&m);
		return no_memory(&m, err);
	}
	if (n_items != 0)
		memcpy(m.at, at, n_items * sizeof *m.at);
	*out = m;
	return 0;
}

int loom_otis_moves_begin_all(struct loom_otis_moves *out, uint32_t side, struct loom_err *err)
{
	int rc = loom_otis_check_side(side, false, err);
	if (rc != 0)
		return rc;
	uint32_t n_nodes = loom_otis_nodes(side), *at = malloc(n_nodes * sizeof *at);
	if (!at)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " nodes", n_nodes);
	for (uint32_t v = 0; v < n_nodes; v++)
		at[v] = v;
	rc = loom_otis_moves_begin(out, side, at, n_nodes, err);
	free(at);
	return rc;
}

void loom_otis_moves_free(struct loom_otis_moves *moves)
{
	if (!moves)
		return;
	free(moves->at);
	free(moves->direction);
	free(moves->first);
	free(moves->hop);
	memset(moves, 0, sizeof *moves);
}

// Makes room for one more step of n_hops hops.
static bool make_room(struct loom_otis_moves *m, size_t n_hops)
{
	const size_t steps = 2 * m->room_steps + 16;
	if (m->n_steps == m->room_steps) {
		uint8_t *direction = realloc(m->direction, steps * sizeof *direction);
		m->direction = direction ? direction : m->direction;
		size_t *first = realloc(m->first, (steps + 1) * sizeof *first);
		m->first = first ? first : m->first;
		if (!direction || !first)
			return false;
		m->room_steps = steps;
	}
	return LOOM_ROOM(m->hop, m->room_hops, m->first[m->n_steps] + n_hops);
}

// Adds a step. An item takes at most one link in a step, so each hop starts where the item is before the step.
static bool add_step(struct loom_otis_moves *m, enum loom_otis_direction direction, const uint32_t *item, size_t n)
{
	if (!make_room(m, n))
		return false;
	struct loom_otis_hop *hop = m->hop + m->first[m->n_steps];
	for (size_t k = 0; k < n; k++) {
		hop[k] = (struct loom_otis_hop){item[k], m->at[item[k]]};
		(void)loom_otis_neighbour(&m->at[item[k]], m->side, hop[k].from, direction);
	}
	m->direction[m->n_steps] = (uint8_t)direction;
	m->first[m->n_steps + 1] = m->first[m->n_steps] + n;
	m->n_steps++;
	*(direction == LOOM_OTIS_LIGHT ? &m->otis : &m->electronic) += 1;
	return true;
}

// ---- Playing --------------------------------------------------------------------------------------------------------

bool loom_otis_play_begin(struct loom_otis_play *out, const struct loom_otis_moves *m)
{
	uint32_t n_nodes = loom_otis_nodes(m->side);
	*out = (struct loom_otis_play){
		.best = malloc(n_nodes * sizeof *out->best),
		.left = malloc((m->n_items + (size_t)1) * sizeof *out->left),
		.active = malloc((m->n_items + (size_t)1) * sizeof *out->active),
		.chosen = malloc((m->n_items + (size_t)1) * sizeof *out->chosen),
	};
	if (out->best && out->left && out->active && out->chosen) {
		memset(out->best, 0xff, n_nodes * sizeof *out->best);
		return true;
	}
	loom_otis_play_end(out);
	return false;
}

void loom_otis_play_end(struct loom_otis_play *play)
{
	free(play->best);
	free(play->left);
	free(play->active);
	free(play->chosen);
}

void loom_otis_play_choose(struct loom_otis_play *play, const struct loom_otis_moves *m)
{
	play->n_active = play->n_chosen = 0;
	for (uint32_t i = 0; i < m->n_items; i++) {
		if (play->left[i] == 0)
			continue;
		uint32_t *best = &play->best[m->at[i]];
		play->active[play->n_active++] = i;
		if (*best == LOOM_OTIS_NOBODY || play->left[i] > play->left[*best])
			*best = i;
	}
	for (size_t k = 0; k < play->n_active; k++) {
		uint32_t i = play->active[k];
		if (play->best[m->at[i]] == i)
			play->chosen[play->n_chosen++] = i;
	}
	for (size_t k = 0; k < play->n_chosen; k++)
		play->best[m->at[play->chosen[k]]] = LOOM_OTIS_NOBODY;
}

bool loom_otis_play_step(struct loom_otis_moves *m, const struct loom_otis_play *play,
                         enum loom_otis_direction direction)
{
	return add_step(m, direction, play->chosen, play->n_chosen);
}

// Takes steps in one direction until item i has gone left[i] hops. All items are on one line, so the item with most
// hops left goes farthest.
static bool run(struct loom_otis_moves *m, struct loom_otis_play *play, enum loom_otis_direction direction)
{
	for (;;) {
		loom_otis_play_choose(play, m);
		if (play->n_chosen == 0)
			return true;
		if (!loom_otis_play_step(m, play, direction))
			return false;
		for (size_t k = 0; k < play->n_chosen; k++)
			play->left[play->chosen[k]]--;
	}
}

uint32_t loom_otis_hops_along(uint32_t side, uint32_t from, uint32_t to, enum loom_otis_direction direction)
{
	uint32_t x = from % side, y = from / side % side, to_x = to % side, to_y = to / side % side;
	switch (direction) {
	case LOOM_OTIS_RIGHT: return to_x > x ? to_x - x : 0;
	case LOOM_OTIS_LEFT: return x > to_x ? x - to_x : 0;
	case LOOM_OTIS_DOWN: return to_y > y ? to_y - y : 0;
	case LOOM_OTIS_UP: return y > to_y ? y - to_y : 0;
	case LOOM_OTIS_LIGHT:
	case LOOM_OTIS_DIRECTIONS: break;
	}
	return 0;
}

int loom_otis_moves_local(struct loom_otis_moves *moves, const uint32_t *to, struct loom_err *err)
{
	uint32_t n = moves->side * moves->side;
	struct loom_otis_play play;
	for (uint32_t i = 0; i < moves->n_items; i++)
		if (to[i] / n != moves->at[i] / n)
			return loom_fail(err, LOOM_EINPUT,
			                 "item %" PRIu32 " is in group %" PRIu32 " and is to go to node %" PRIu32
			                 " of group %" PRIu32 ": electronic steps stay in a group",
			                 i, moves->at[i] / n, to[i] % n, to[i] / n);
	bool done = loom_otis_play_begin(&play, moves);
	if (!done)
		return no_memory(moves, err);
	for (unsigned d = 0; done && d < LOOM_OTIS_LIGHT; d++) {
		for (uint32_t i = 0; i < moves->n_items; i++)
			play.left[i] = loom_otis_hops_along(moves->side, moves->at[i] % n, to[i] % n,
			                                    (enum loom_otis_direction)d);
		done = run(moves, &play, (enum loom_otis_direction)d);
	}
	loom_otis_play_end(&play);
	return done ? 0 : no_memory(moves, err);
}

int loom_otis_moves_light(struct loom_otis_moves *moves, const bool *which, struct loom_err *err)
{
	struct loom_otis_play play;
	bool done = loom_otis_play_begin(&play, moves);
	if (!done)
		return no_memory(moves, err);
	for (uint32_t i = 0; i < moves->n_items; i++) {
		uint32_t v;
		play.left[i] =
			(!which || which[i]) && loom_otis_neighbour(&v, moves->side, moves->at[i], LOOM_OTIS_LIGHT);
	}
	done = run(moves, &play, LOOM_OTIS_LIGHT);
	loom_otis_play_end(&play);
	return done ? 0 : no_memory(moves, err);
}
