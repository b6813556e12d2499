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

// The OTIS-Mesh of [Sahni97]: N = n*n groups of n x n processors, where n is the side. Processor p of group g is node
// g*N + p; p and g are row*n + column. Light joins (g, p) and (p, g); (g, g) has none.
//
// Data are moved in steps, as [Sahni97] counts them. An electronic step moves items by one hop in one direction, the
// same in all groups. An optical step moves them by light. A processor sends at most one item in a step, and may hold
// several.
#define LOOM_OTIS_SIDE_MOST 32u // any number up to this one; loom_topo takes powers of two only

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

// Return the hops of a shortest way between two nodes (Theorem 1), and the most hops (Theorem 2), 4n - 3. side >= 2.
uint32_t loom_otis_distance(uint32_t side, uint32_t from, uint32_t to);
uint32_t loom_otis_diameter(uint32_t side);
// Finds the node that is one step from `node`. Returns false if it has no such link.
bool loom_otis_neighbour(uint32_t *out, uint32_t side, uint32_t node, enum loom_otis_direction direction);

// ---- Moves: the steps that bring items to their destinations --------------------------------------------------------

// One hop of an item.
struct loom_otis_hop {
	uint32_t item; // 0 .. n_items - 1
	uint32_t from; // the node that sends it in this step
};

// Moves of items, step by step. Invariants: hops first[s] .. first[s+1] - 1 are those of step s. No two of them are
// from the same node, and each is along an existing link, from the node where the item then is. at[i] is the node of
// item i after the last step. The caller numbers items freely; makers below that make their own items give each item
// the number of the node on which it begins.
struct loom_otis_moves {
	uint32_t side;
	uint32_t n_items;
	uint32_t *at; // owned, n_items
	uint32_t n_steps;
	uint32_t electronic, otis; // steps of each sort: n_steps in all
	uint8_t *direction;        // owned, n_steps
	size_t *first;             // owned, n_steps + 1
	struct loom_otis_hop *hop; // owned, first[n_steps]
	char by[48];               // the method, for a person: "section 5, 3 exchanges"; "" if it is not known
	size_t room_steps, room_hops;
};

// Begins moves of items that stand on these nodes. Several items may begin on one node.
int loom_otis_moves_begin(struct loom_otis_moves *out, uint32_t side, const uint32_t *at, uint32_t n_items,
                          struct loom_err *err);
// Begins moves with one item on each node: item i begins on node i.
int loom_otis_moves_begin_all(struct loom_otis_moves *out, uint32_t side, struct loom_err *err);
void loom_otis_moves_free(struct loom_otis_moves *moves); // NULL allowed; leaves *moves zeroed

// Adds steps that bring item i to node to[i] of its group. Items go along rows, then along columns: right, left, down,
// up. Of several items on a node the one that has farthest to go is first. If no two items are on one node, neither
// before nor after, the steps are as few as rows and columns allow: in each direction the most that an item goes in it.
// to[i] may be the item's own node. LOOM_EINPUT: a node in another group.
int loom_otis_moves_local(struct loom_otis_moves *moves, const uint32_t *to, struct loom_err *err);
// Adds optical steps that move each item, or those with which[i]. One step is enough if no two are on one node. An item
// on a node without light stays.
int loom_otis_moves_light(struct loom_otis_moves *moves, const bool *which, struct loom_err *err);
// Makes moves shorter. Removes hops that an item takes back with nothing in between, and steps in which nothing moves
// any more.
int loom_otis_moves_trim(struct loom_otis_moves *moves, struct loom_err *err);

// ---- The moves of [Sahni97] -----------------------------------------------------------------------------------------

// The sequences of section 4, on a side that is a power of two. The swaps exchange G_y and P_x: by bit exchanges (first
// algorithm), by rotations (second algorithm, step 6 corrected), and as the second with exclusive or instead of
// rotations.
enum loom_otis_sequence {
	LOOM_OTIS_TRANSPOSE,
	LOOM_OTIS_SHUFFLE,
	LOOM_OTIS_UNSHUFFLE,
	LOOM_OTIS_BIT_REVERSAL,
	LOOM_OTIS_VECTOR_REVERSAL,
	LOOM_OTIS_SWAP_EXCHANGES,
	LOOM_OTIS_SWAP_ROTATIONS,
	LOOM_OTIS_SWAP_XOR,
	LOOM_OTIS_BIT_SHUFFLE, // with the swap by exchanges; the next two use the other swaps
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

// The variants of the general algorithm of section 5. Of p address bits k leave each half. One variant exchanges these,
// in k exchanges of two OTIS moves each, and then makes two local permutations with an OTIS move after each. The other
// exchanges the other p/2 - k bits, and makes one OTIS move between the local permutations. [Sahni97] takes the first
// one if k < p/4.
enum loom_otis_general { LOOM_OTIS_AS_PAPER, LOOM_OTIS_EXCHANGE_K, LOOM_OTIS_EXCHANGE_OTHERS };
// Makes the moves of a BPC permutation by the general algorithm.
int loom_otis_general(struct loom_otis_moves *out, uint32_t side, const struct loom_lcc *bpc,
                      enum loom_otis_general how, struct loom_err *err);

// Items from different nodes to different nodes: item i goes from source[i] to destination[i]; there are n_items of
// them.

// Makes moves by local permutation, OTIS, local, OTIS, local (section 4). Any permutation takes at most two OTIS moves.
int loom_otis_any(struct loom_otis_moves *out, uint32_t side, const uint32_t *source, const uint32_t *destination,
                  uint32_t n_items, struct loom_err *err);
// Makes moves by one OTIS move between two local permutations. There is no OTIS move if all items stay in their
// groups. *possible is false, and *out untouched, if two items go from one group to one other.
int loom_otis_by_one(struct loom_otis_moves *out, bool *possible, uint32_t side, const uint32_t *source,
                     const uint32_t *destination, uint32_t n_items, struct loom_err *err);

// Makes moves that simulate a 4-D mesh of n x n x n x n (Table 1). They go dimension by dimension, with two OTIS moves
// around each step of the group's dimensions. `least` holds the least steps of these: the most that an item goes in
// each direction.
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
// Reads costs, such as "electronic=1,otis=4": one or both, in either order. A missing cost is 1. NULL: both are 1.
int loom_otis_cost_parse(struct loom_otis_cost *out, const char *text, struct loom_err *err);
double loom_otis_cost_of(const struct loom_otis_cost *cost, uint32_t electronic, uint32_t otis);

// Computes numbers of steps that are a lower bound of the cost: no steps that move these items cost less than *out. The
// argument is that of Theorem 3, for any items: each item goes from P1 to P2 and from G1 to G2, or from P1 to G2 and
// from G1 to P2. In each direction there are at least as many steps as an item goes in it. OTIS moves count 0, 1 or 2,
// as many as the items need.
int loom_otis_bound(struct loom_otis_step_counts *out, uint32_t side, const uint32_t *source,
                    const uint32_t *destination, uint32_t n_items, const struct loom_otis_cost *cost,
                    struct loom_err *err);

LOOM_API_END

#endif
