// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIR_STATE_H
#define LOOM_PAIR_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arrays.h"
#include "base/rng.h"
#include "plan/routes/pairs/pair_net.h"

// The present state of the search for routes of all pairs. Every (link, lane) has a place on a line, and a route whose
// places rise from link to link cannot be part of a circle. Routes and places change in turns until all routes rise.

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
	double *use;               // owned: [lane * n_turns + turn]: how much routes want the turn
	uint32_t *load;            // owned: of each link, the pairs whose route takes it
	double *price;             // owned: by load
	double *toll;              // owned: of each link, on top of the price of its load
	struct loom_pair_way *way; // owned: [source * n_nodes + destination]
	// Turns of a tree, which never fall, so that every pair always has a rising route.
	uint32_t *tree; // owned, n_tree of them: indices of `use`
	uint32_t n_tree;
	double gather; // a fall costs fine / (1 + gather * use), so it is cheaper where others fall as well
	struct loom_rng rng;
	struct loom_pair_walk *walk; // owned: the memory of pair_walk.c
	struct loom_arrays arrays;   // owns the arrays
};

// Draws all places at random; there are no routes. LOOM_ENOMEM.
int loom_pair_state_make(struct loom_pair_state *out, const struct loom_pair_net *net, uint32_t n_lanes, uint64_t seed,
                         struct loom_err *err);
void loom_pair_state_free(struct loom_pair_state *state); // leaves *state zeroed
// Draws new places, and forgets the uses.
void loom_pair_state_shuffle(struct loom_pair_state *state);

// Sets the price of each load: `hop`, and a part that grows exponentially from load 0 to `target`, by e to the
// `steepness`, and is 1 at `target`.
void loom_pair_state_set_prices(struct loom_pair_state *state, double steepness, double target, double hop);

// True if some turn of the way does not rise.
bool loom_pair_falls(const struct loom_pair_state *state, const struct loom_pair_way *way);
// Lift takes the way off its links, lay puts it on them.
void loom_pair_lift(struct loom_pair_state *state, const struct loom_pair_way *way);
void loom_pair_lay(struct loom_pair_state *state, const struct loom_pair_way *way);
uint32_t loom_pair_largest_load(const struct loom_pair_state *state);

// pair_walk.c: finds the cheapest ways of a pair.

#define LOOM_PAIR_HARD (-1.0) // a fine: falls are forbidden

// Finds the cheapest way of at most `slack` links more than a shortest one, where each turn that falls costs the fine.
// The array of *out belongs to the walk and lasts until the next call. False: there is none.
bool loom_pair_walk(struct loom_pair_way *out, struct loom_pair_state *state, uint32_t source, uint32_t destination,
                    uint32_t slack, double fine);
// Finds the cheapest way of any length whose places rise.
bool loom_pair_walk_far(struct loom_pair_way *out, struct loom_pair_state *state, uint32_t source,
                        uint32_t destination);
// Tells the walk that places have changed.
void loom_pair_walk_resort(struct loom_pair_state *state);
struct loom_pair_walk *loom_pair_walk_make(const struct loom_pair_net *net, uint32_t n_lanes); // NULL: no memory
void loom_pair_walk_free(struct loom_pair_walk *walk);

// pair_places.c: changes the places.

// Makes the tree of shortest ways to and from `root` rise on lane 0, if all its links lead both ways; else there is no
// tree. LOOM_ENOMEM.
int loom_pair_plant(struct loom_pair_state *state, uint32_t root, struct loom_err *err);
// Counts anew how much turns are wanted: the sum of `keep` times the old count and the weights of the ways (weight: of
// each pair).
void loom_pair_count_uses(struct loom_pair_state *state, double keep, const float *weight);
// Moves every (link, lane) to where fewest wanted turns fall, `passes` times. One that is already there moves, with
// probability `wander`, within the places that are equally good. LOOM_ENOMEM.
int loom_pair_sift(struct loom_pair_state *state, unsigned passes, double wander, struct loom_err *err);

// pair_anneal.c: draws places for all (link, lane) at random, and moves them so that as many pairs as possible have a
// shortest way whose places rise. With `reaches_all` pairs without any rising way weigh more, so that hardly any is
// left. LOOM_ENOMEM.
int loom_pair_anneal(struct loom_pair_state *state, bool reaches_all, struct loom_err *err);

#endif
