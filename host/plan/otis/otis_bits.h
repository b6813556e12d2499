// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OTIS_BITS_H
#define LOOM_OTIS_BITS_H

#include <flitloom/math/otis.h>

#define LOOM_OTIS_BITS_MOST 20 // bits of a node's number, for side 32

// A BPC permutation of the 2q address bits, or of the q bits of a place in a group: bit j goes to bit to[j],
// complemented if that bit of flip is 1.
struct loom_otis_bits {
	unsigned n;
	uint8_t to[LOOM_OTIS_BITS_MOST];
	uint32_t flip;
};

bool loom_otis_bits_of(struct loom_otis_bits *out, const struct loom_lcc *lcc); // false: it is no BPC permutation
// Finds the bits of the permutation v -> to[v] of the 2^n numbers, n at most LOOM_OTIS_BITS_MOST.
bool loom_otis_bits_of_map(struct loom_otis_bits *out, unsigned n, const uint32_t *to);
uint32_t loom_otis_bits_apply(const struct loom_otis_bits *bits, uint32_t x);
// Returns the number of address bits of a place in a group, if the side is a power of two.
unsigned loom_otis_bits_of_side(uint32_t side);
// Finds the permutation that a sequence does.
int loom_otis_bits_of_sequence(struct loom_otis_bits *out, enum loom_otis_sequence sequence, uint32_t side,
                               struct loom_err *err);
bool loom_otis_bits_same(const struct loom_otis_bits *a, const struct loom_otis_bits *b);
// Does what loom_otis_general does, for as many bits as the side has.
int loom_otis_general_bits(struct loom_otis_moves *out, uint32_t side, const struct loom_otis_bits *bits,
                           enum loom_otis_general how, struct loom_err *err);

// A sequence under way: moves of one item per node, and the place in its group to which each is to go. After a call
// that failed the others do nothing, and rc has the error.
struct loom_otis_work {
	struct loom_otis_moves moves;
	uint32_t *to; // by item
	bool *which;  // by item
	unsigned q;
	int rc;
	struct loom_err *err;
};
void loom_otis_work_begin(struct loom_otis_work *out, uint32_t side, struct loom_err *err);
// Hands the moves over, or frees them; returns rc.
int loom_otis_work_end(struct loom_otis_moves *out, struct loom_otis_work *work);
// Adds a local permutation, the same in every group.
void loom_otis_work_local(struct loom_otis_work *work, const struct loom_otis_bits *bits);
// Moves every item to the place that `place` gives for its group and its place in it.
void loom_otis_work_places(struct loom_otis_work *work, uint32_t (*place)(uint32_t group, uint32_t p, unsigned q));
void loom_otis_work_light(struct loom_otis_work *work); // adds an optical step for all items
// B(i, j) exchanges address bit q + i, of the group, with bit j. Only the items move for which that makes a difference.
void loom_otis_work_exchange(struct loom_otis_work *work, unsigned i, unsigned j);

#endif
