// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIR_STATE_H
#define LOOM_PAIR_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arrays.h"
#include "base/rng.h"
#include "plan/routes/pairs/pair_net.h"

// The search for routes of all pairs as it stands. Every (link, lane) has a place on a line, and a route whose places
// rise from link to link cannot be part of a circle. Routes and places change in turns until all routes rise.

// A route: links in order, all on one lane.
struct loom_pair_way {
	uint32_t *link; // owned
	uint16_t n;     // 0: none yet
	uint8_t lane;
};

struct loom_pair_state {
	const struct loom_pair_net *net;
	uint32_t n_lanes;
	double *place;             // owned: [lane * n_links + link]
	double *use;               // owned: [lane * n_turns + turn]: how much the turn is wanted
	uint32_t *load;            // owned: of each link, the pairs whose route takes it
	double *price;             // owned: by load
	double *toll;              // owned: of each link, on top of the price of its load
	struct loom_pair_way *way; // owned: [source * n_nodes + destination]
	// Turns that never fall, so that no pair is ever without a rising route: those of a tree.
	uint32_t *tree; // owned, n_tree of them: indices of `use`
	uint32_t n_tree;
	double gather; // a fall costs fine / (1 + gather * use), so it is cheaper where others fall as well
	struct loom_rng rng;
	struct loom_pair_walk *walk; // owned: the memory of pair_walk.c
	struct loom_arrays arrays;   // owns the arrays
};

// All places by lot, no routes. LOOM_ENOMEM.
int loom_pair_state_make(struct loom_pair_state *out, const struct loom_pair_net *net, uint32_t n_lanes, uint64_t seed,
                         struct loom_err *err);
void loom_pair_state_free(struct loom_pair_state *state); // leaves *state zeroed
// Forgets places and uses.
void loom_pair_state_shuffle(struct loom_pair_state *state);

// Sets the price of each load: `hop`, and what grows `steepness`-fold in powers of e from load 0 to `target`, where
// it is 1.
void loom_pair_state_set_prices(struct loom_pair_state *state, double steepness, double target, double hop);

// True if some turn of the way does not rise.
bool loom_pair_falls(const struct loom_pair_state *state, const struct loom_pair_way *way);
// Takes the way off its links, or puts it on them.
void loom_pair_lift(struct loom_pair_state *state, const struct loom_pair_way *way);
void loom_pair_lay(struct loom_pair_state *state, const struct loom_pair_way *way);
uint32_t loom_pair_largest_load(const struct loom_pair_state *state);

// pair_walk.c: the cheapest ways of a pair.

#define LOOM_PAIR_HARD (-1.0) // a fine: falls are forbidden

// Finds the cheapest way of at most `slack` links more than a shortest one, where each turn that falls costs the
// fine, into *out, whose array is that of the walk and lasts until the next call. False: there is none.
bool loom_pair_walk(struct loom_pair_way *out, struct loom_pair_state *state, uint32_t source, uint32_t destination,
                    uint32_t slack, double fine);
// Finds the cheapest one of any length whose places rise.
bool loom_pair_walk_far(struct loom_pair_way *out, struct loom_pair_state *state, uint32_t source,
                        uint32_t destination);
// Says that places have changed.
void loom_pair_walk_resort(struct loom_pair_state *state);
struct loom_pair_walk *loom_pair_walk_make(const struct loom_pair_net *net, uint32_t n_lanes); // NULL: no memory
void loom_pair_walk_free(struct loom_pair_walk *walk);

// pair_places.c: the places.

// Has the tree of shortest ways to and from `root` rise on lane 0, if all its links lead both ways; else there is no
// tree. LOOM_ENOMEM.
int loom_pair_plant(struct loom_pair_state *state, uint32_t root, struct loom_err *err);
// Counts anew how much turns are wanted: `keep` of what they were, and what the ways weigh (weight: of each pair).
void loom_pair_count_uses(struct loom_pair_state *state, double keep, const float *weight);
// Moves every (link, lane) to where fewest wanted turns fall, `passes` times; one that is there already moves within
// the places that are as good with probability `wander`. LOOM_ENOMEM.
int loom_pair_sift(struct loom_pair_state *state, unsigned passes, double wander, struct loom_err *err);

// pair_anneal.c: gives all (link, lane) places by lot, and moves them so that as many pairs as possible have a
// shortest way whose places rise. With `reaches_all` pairs without any such way weigh more, so that hardly one is
// left. LOOM_ENOMEM.
int loom_pair_anneal(struct loom_pair_state *state, bool reaches_all, struct loom_err *err);

#endif
