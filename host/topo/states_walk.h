// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_STATES_WALK_H
#define LOOM_STATES_WALK_H

#include "base/arrays.h"
#include "topo/choice_states.h"

// The states that messages to one destination can reach.
struct loom_states_walk {
	struct loom_states *states;
	uint32_t *order; // owned: n states, each behind all those to which it leads, without those of the destination
	uint32_t n;
	struct loom_choice *set; // owned: of each of these states
	uint8_t *mark;           // owned: 0 for states that were not reached
	uint8_t *link;           // owned: on the way down, the next link to try
	uint32_t *stack;         // owned
	// gap: a state with no lane, or with no escape lane if the rule has them. round: a state to which a message can
	// return. LOOM_STATES_FAR: none.
	uint32_t gap, round;
	struct loom_arrays arrays; // owns the arrays
};

// Allocates memory for walks over these states. -1: there is too little; *out can be freed.
int loom_walk_init(struct loom_states_walk *out, struct loom_states *states);
void loom_walk_free(struct loom_states_walk *w); // a zeroed one as well
// Begins again without any state, for messages to this node.
void loom_walk_begin(struct loom_states_walk *w, uint32_t destination);
// Adds the states that a message can reach from a node, unless the node is the destination.
void loom_walk_from(struct loom_states_walk *w, uint32_t source);
// Does both, from all nodes that send.
void loom_walk_all(struct loom_states_walk *w, uint32_t destination);

#endif
