// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Assigns slots to items between their hops: on each node the first slot that is free from the step in which the item
// arrives to the step in which it leaves, both included. Items take slots in the order of arrival, so a node needs only
// as many slots as it holds items at once.
#include "plan/otis/otis_slots.h"

#include <inttypes.h>
#include <stdlib.h>

#include "plan/otis/otis_moves.h"

#define CHIP_SLOTS_LEAST 7 // on a side of 2 some permutations need 4
#define CHIP_SLOTS_MOST 15

uint32_t loom_otis_slots_of_a_chip(uint32_t side)
{
	uint32_t n = 2 * side - 1;
	return n < CHIP_SLOTS_LEAST ? CHIP_SLOTS_LEAST : n < CHIP_SLOTS_MOST ? n : CHIP_SLOTS_MOST;
}

// Finds leaves[h]: the step of the item's next hop, + 1, or 0 if there is none.
static void find_leaving(uint32_t *leaves, uint32_t *next, const struct loom_otis_moves *m)
{
	for (uint32_t s = m->n_steps; s-- > 0;)
		for (size_t k = m->first[s]; k < m->first[s + 1]; k++) {
			leaves[k] = next[m->hop[k].item];
			next[m->hop[k].item] = s + 1;
		}
}

// Gives slots. free_from: by node and slot, the first step in which the slot can be written. Returns false if more than
// n_slots are needed.
static bool give(uint8_t *keep, uint32_t *most, uint32_t *free_from, uint32_t n_slots, const uint32_t *leaves,
                 const struct loom_otis_moves *m)
{
	*most = 0;
	for (uint32_t s = 0; s < m->n_steps; s++)
		for (size_t k = m->first[s]; k < m->first[s + 1]; k++) {
			uint32_t there, slot = 0;
			keep[k] = 0;
			if (leaves[k] == 0)
				continue;
			(void)loom_otis_neighbour(&there, m->side, m->hop[k].from,
			                          (enum loom_otis_direction)m->direction[s]);
			uint32_t *of_node = free_from + (size_t)there * n_slots;
			while (slot < n_slots && of_node[slot] > s)
				slot++;
			if (slot == n_slots)
				return false;
			of_node[slot] = leaves[k];
			keep[k] = (uint8_t)(slot + 1);
			*most = slot + 1 > *most ? slot + 1 : *most;
		}
	return true;
}

int loom_otis_slots(uint8_t *keep, uint32_t *n_slots, const struct loom_otis_moves *moves, struct loom_err *err)
{
	uint32_t n_nodes = loom_otis_nodes(moves->side), *next = calloc(moves->n_items + (size_t)1, sizeof *next),
		 *leaves = calloc(moves->first[moves->n_steps] + 1, sizeof *leaves), *free_from = NULL;
	bool done = false;
	int rc = next && leaves ? 0 : LOOM_ENOMEM;
	if (rc == 0)
		find_leaving(leaves, next, moves);
	for (uint32_t room = 15; rc == 0 && !done && room <= LOOM_OTIS_SLOTS_MOST; room = 4 * room + 3) {
		free_from = calloc((size_t)n_nodes * room, sizeof *free_from);
		if (!free_from)
			rc = LOOM_ENOMEM;
		else
			done = give(keep, n_slots, free_from, room, leaves, moves);
		free(free_from);
	}
	free(next);
	free(leaves);
	if (rc != 0)
		return loom_fail(err, rc, "out of memory for the slots of %" PRIu32 " nodes", n_nodes);
	return done ? 0
	            : loom_fail(err, LOOM_EINPUT,
	                        "these moves need more than %d slots on a node, which is as many as a plan can have",
	                        LOOM_OTIS_SLOTS_MOST);
}
