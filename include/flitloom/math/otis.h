// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OTIS_H
#define LOOM_OTIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/pattern.h>

LOOM_API_BEGIN

// The OTIS-Mesh of [Sahni97]: N = n*n groups of n x n processors, n being the side. Processor p of group g is node g*N + p;
// p and g are row*n + column. Light joins (g, p) and (p, g); (g, g) has none.
//
// Data is moved in steps, as [Sahni97] counts them. An electronic step moves items by one hop in one direction, the same in
// all groups; an optical one moves them by light. A processor sends one item at most in a step; it may hold several.
#define LOOM_OTIS_SIDE_MOST 32u // a power of two or not; loom_topo knows those that are

// A step's direction: the number of the link of an otis-mesh by which its items go.
enum loom_otis_direction {
	LOOM_OTIS_RIGHT, // column + 1
	LOOM_OTIS_LEFT,  // column - 1
	LOOM_OTIS_DOWN,  // row + 1
	LOOM_OTIS_UP,    // row - 1
	LOOM_OTIS_LIGHT,
	LOOM_OTIS_DIRECTIONS,
};
// The name of a direction.
const char *loom_otis_direction_name(unsigned direction); // "right", ..., "light"; NULL for others

// Hops of a shortest way between two nodes (Theorem 1), and the most that there are (Theorem 2): 4n - 3. side >= 2.
uint32_t loom_otis_distance(uint32_t side, uint32_t from, uint32_t to);
uint32_t loom_otis_diameter(uint32_t side);
// The node that is one step from `node`: false if it has no such link.
bool loom_otis_neighbour(uint32_t *out, uint32_t side, uint32_t node, enum loom_otis_direction direction);

// ---- Moves: the steps by which items get to where they belong --------------------------------------------------------

// One hop of an item.
struct loom_otis_hop {
	uint32_t item; // 0 .. n_items - 1
	uint32_t from; // the node that sends it in this step
};

// Moves of items, step by step. Invariants: hops first[s] .. first[s+1] - 1 are those of step s, no two from the same
// node, each along a link that there is and from where the item then is; at[i] is where item i is after the last step.
// The caller numbers items as he likes; the makers below that make their own items number each by the node it begins
// on.
struct loom_otis_moves {
	uint32_t side;
	uint32_t n_items;
	uint32_t *at; // owned, n_items
	uint32_t n_steps;
	uint32_t electronic, otis; // steps of each sort: n_steps in all
	uint8_t *direction;        // owned, n_steps
	size_t *first;             // owned, n_steps + 1
	struct loom_otis_hop *hop; // owned, first[n_steps]
	char by[48];               // the way they were found, for a person: "section 5, 3 exchanges"; "" if nobody said
	size_t room_steps, room_hops;
};

// Begins moves of items that stand on these nodes. Several may begin at one.
int loom_otis_moves_begin(struct loom_otis_moves *out, uint32_t side, const uint32_t *at, uint32_t n_items,
                          struct loom_err *err);
// Begins moves with one item on each node: item i begins on node i.
int loom_otis_moves_begin_all(struct loom_otis_moves *out, uint32_t side, struct loom_err *err);
void loom_otis_moves_free(struct loom_otis_moves *moves); // NULL allowed; leaves *moves zeroed

// Adds the steps that bring item i to node to[i] of the group where it is: along rows, then columns; right, left, down, up;
// of several items on a node the one that has farthest to go first. If no two items are on one node, neither before nor
// after, the steps are as few as rows and columns allow: in each direction the most that an item goes by it. to[i] may be the
// node where the item is. LOOM_EINPUT: a node in another group.
int loom_otis_moves_local(struct loom_otis_moves *moves, const uint32_t *to, struct loom_err *err);
// Adds optical steps that move each item, or those with moves[i]: one step if no two are on one node. An item on a node
// without light stays.
int loom_otis_moves_light(struct loom_otis_moves *moves, const bool *which, struct loom_err *err);
// Makes moves shorter. Leaves out what an item does and takes back with nothing in between, and steps in which nothing
// moves any more.
int loom_otis_moves_trim(struct loom_otis_moves *moves, struct loom_err *err);

// ---- The moves of [Sahni97] -----------------------------------------------------------------------------------------

// The sequences of section 4, on a side that is a power of two. Swap is that of G_y and P_x: by bit exchanges (first
// algorithm), by rotations (second algorithm, step 6 corrected), and as the second with exclusive or for the rotations.
enum loom_otis_sequence {
	LOOM_OTIS_TRANSPOSE,
	LOOM_OTIS_SHUFFLE,
	LOOM_OTIS_UNSHUFFLE,
	LOOM_OTIS_BIT_REVERSAL,
	LOOM_OTIS_VECTOR_REVERSAL,
	LOOM_OTIS_SWAP_EXCHANGES,
	LOOM_OTIS_SWAP_ROTATIONS,
	LOOM_OTIS_SWAP_XOR,
	LOOM_OTIS_BIT_SHUFFLE, // with the swap by exchanges; the next two with the others
	LOOM_OTIS_BIT_SHUFFLE_ROTATIONS,
	LOOM_OTIS_BIT_SHUFFLE_XOR,
	LOOM_OTIS_SHUFFLED_ROW_MAJOR,
	LOOM_OTIS_SHUFFLED_ROW_MAJOR_ROTATIONS,
	LOOM_OTIS_SHUFFLED_ROW_MAJOR_XOR,
	LOOM_OTIS_SEQUENCES,
};
// The name of a sequence, and its moves.
const char *loom_otis_sequence_name(unsigned sequence); // "section 4.2, shuffle"; NULL for others
int loom_otis_sequence(struct loom_otis_moves *out, uint32_t side, enum loom_otis_sequence sequence,
                       struct loom_err *err);

// True if a linear-complement communication is a BPC permutation: every destination bit is a source bit or its
// complement.
bool loom_otis_is_bpc(const struct loom_lcc *lcc);

// The general algorithm of section 5. Among p address bits k leave each half; either these are exchanged, in k
// exchanges of two OTIS moves, and two local permutations follow with an OTIS move after each, or the p/2 - k others
// are, and one OTIS move is between the two. [Sahni97] takes the first way if k < p/4.
enum loom_otis_general { LOOM_OTIS_AS_PAPER, LOOM_OTIS_EXCHANGE_K, LOOM_OTIS_EXCHANGE_OTHERS };
// The moves of a BPC permutation by the general algorithm.
int loom_otis_general(struct loom_otis_moves *out, uint32_t side, const struct loom_lcc *bpc,
                      enum loom_otis_general how, struct loom_err *err);

// Items that go to different nodes from different nodes: item i from source[i] to destination[i], n_items of them.

// By local permutation, OTIS, local, OTIS, local (section 4): two OTIS moves at most, whatever the permutation.
int loom_otis_any(struct loom_otis_moves *out, uint32_t side, const uint32_t *source, const uint32_t *destination,
                  uint32_t n_items, struct loom_err *err);
// By local permutation, OTIS, local, with one OTIS move; or, where all items stay in their groups, none.
// *possible is false, and *out untouched, where two items go from one group to one other.
int loom_otis_by_one(struct loom_otis_moves *out, bool *possible, uint32_t side, const uint32_t *source,
                     const uint32_t *destination, uint32_t n_items, struct loom_err *err);

// As a 4-D mesh of n x n x n x n would do it, simulated (Table 1): dimension by dimension, two OTIS moves around each step
// of the dimensions that are the group's. `least` is what these take at least: the most that an item goes in each direction.
struct loom_otis_step_counts {
	uint32_t electronic, otis;
};
void loom_otis_mesh_4d_count(struct loom_otis_step_counts *least, uint32_t side, const uint32_t *source,
                             const uint32_t *destination, uint32_t n_items);
int loom_otis_mesh_4d(struct loom_otis_moves *out, uint32_t side, const uint32_t *source, const uint32_t *destination,
                      uint32_t n_items, struct loom_err *err);

// ---- Costs and bounds --------------------------------------------------------------------------------------------------

// The costs of moves.
struct loom_otis_cost {
	double electronic, otis; // of a move of each sort: 0 or more, not both 0
};
// Reads costs, "electronic=1,otis=4": one or both, in either order; one that is left out costs 1. NULL: both 1.
int loom_otis_cost_parse(struct loom_otis_cost *out, const char *text, struct loom_err *err);
double loom_otis_cost_of(const struct loom_otis_cost *cost, uint32_t electronic, uint32_t otis);

// Computes numbers of steps: no steps that move these items cost less than *out. The argument is that of Theorem 3,
// for any items: each item goes from P1 to P2 and from G1 to G2, or from P1 to G2 and from G1 to P2, and in each
// direction there are at least as many steps as an item goes by it. OTIS moves count 0, 1 or 2, as many as the items
// need.
int loom_otis_bound(struct loom_otis_step_counts *out, uint32_t side, const uint32_t *source,
                    const uint32_t *destination, uint32_t n_items, const struct loom_otis_cost *cost,
                    struct loom_err *err);

LOOM_API_END

#endif
