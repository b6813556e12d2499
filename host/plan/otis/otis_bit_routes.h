// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OTIS_BIT_ROUTES_H
#define LOOM_OTIS_BIT_ROUTES_H

#include "plan/otis/otis_bits.h"
#include "plan/planners/budget.h"

#define LOOM_OTIS_HALF_MOST (LOOM_OTIS_BITS_MOST / 2)

// How an address bit of the place and one of the group exchange their halves, as a BPC permutation requires. The middle
// bit has one of these values:
enum loom_otis_pair {
	LOOM_OTIS_PAIR_XOR,      // the exclusive or of both, so no two items meet
	LOOM_OTIS_PAIR_PLACE,    // the bit of the place: two items meet on a node before the second OTIS move
	LOOM_OTIS_PAIR_GROUP,    // the bit of the group: two items meet before the first OTIS move
	LOOM_OTIS_PAIR_EXCHANGE, // the bits are exchanged beforehand, by B(i, j)
	LOOM_OTIS_PAIRS,
};

// A route of a BPC permutation by a middle has these parts: some bit exchanges, a local permutation to the middle,
// OTIS, local, OTIS, local. Each bit of the middle is a bit of the place that stays in its half, or a bit of a pair.
//
// A route across is different. It exchanges all bits of the place that stay with bits of the group that stay, so that
// all bits have to change their half. Two local permutations follow, with one OTIS move between them. The pairs are
// then these bits, all exchanged beforehand, and there is no middle.
struct loom_otis_bit_route {
	bool across;
	unsigned q, k; // bits of a half; pairs
	// by pair: the bit of the place that leaves (across: that stays), 0 .. q-1
	uint8_t place[LOOM_OTIS_HALF_MOST];
	uint8_t group[LOOM_OTIS_HALF_MOST]; // by pair: the bit of the group, q .. 2q-1
	uint8_t how[LOOM_OTIS_HALF_MOST];   // by pair: enum loom_otis_pair
	uint8_t stays[LOOM_OTIS_HALF_MOST]; // the q - k bits of the place that stay
	uint8_t order[LOOM_OTIS_HALF_MOST]; // middle's bit t is part order[t]: below k a pair, else stays[order[t] - k]
	uint32_t flip;                      // complements of the middle's bits
};

// Makes the first route of a kind; all others differ from it in order, pairs and flip.
void loom_otis_bit_route_first(struct loom_otis_bit_route *out, const struct loom_otis_bits *bpc, bool across);
// Counts the steps that it takes: in each local permutation the most that an item goes in each direction, and for each
// OTIS move as many as items meet on a node. If some items meet it can take more, as they wait for one another.
struct loom_otis_step_counts loom_otis_bit_route_count(const struct loom_otis_bit_route *route,
                                                       const struct loom_otis_bits *bpc);
// Makes its moves. `err` as for loom_otis_general_bits.
int loom_otis_bit_route_play(struct loom_otis_moves *out, uint32_t side, const struct loom_otis_bit_route *route,
                             const struct loom_otis_bits *bpc, struct loom_err *err);
// Returns the place to which the item that begins on node v goes first.
uint32_t loom_otis_bit_route_middle(const struct loom_otis_bit_route *route, uint32_t v);
#define LOOM_OTIS_ROUTE_STEPS 1000
// Searches for the cheapest route among those whose pairs use only the values in `allowed`, bit h for enum
// loom_otis_pair h; if `allowed` is 0, among the routes across. Each route that is examined takes LOOM_OTIS_ROUTE_STEPS
// of the budget.
void loom_otis_bit_route_search(struct loom_otis_bit_route *out, const struct loom_otis_bits *bpc,
                                const struct loom_otis_cost *cost, unsigned allowed, struct loom_budget *budget);

#endif
