// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_STATES_WALK_H
#define LOOM_STATES_WALK_H

#include "base/arrays.h"
#include "topo/choice_states.h"

// The states that messages to one destination can come to.
struct loom_states_walk {
	struct loom_states *states;
	uint32_t *order; // owned: n states, each behind all those that it leads to; the destination's are left out
	uint32_t n;
	struct loom_choice *set; // owned: of each of these
	uint8_t *mark;           // owned: 0 of states that were not come to
	uint8_t *link;           // owned: on the way down, the next link to try
	uint32_t *stack;         // owned
	// A state with no lane, or no escape lane where the rule has them; or one to which a message can come back. LOOM_STATES_FAR: none.
	uint32_t gap, round;
	struct loom_arrays arrays; // owns the arrays
};

// Memory for walks over these states. -1: there is too little; *out can be freed.
int loom_walk_init(struct loom_states_walk *out, struct loom_states *states);
void loom_walk_free(struct loom_states_walk *w); // a zeroed one as well
// Begins again, with messages to this node and no state.
void loom_walk_begin(struct loom_states_walk *w, uint32_t destination);
// Adds the states that a message can come to from a node, unless that is the destination.
void loom_walk_from(struct loom_states_walk *w, uint32_t source);
// Both, from all nodes that send.
void loom_walk_all(struct loom_states_walk *w, uint32_t destination);

#endif
