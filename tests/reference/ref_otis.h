// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_OTIS_H
#define REF_OTIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The OTIS-Mesh of [Sahni97] and its moves, from the printed text and by trying; it uses no code of the library, no
// formula and no planner. Processor p of group g has the number g * side^2 + p; p is in row p / side, column p % side
// of its group, and so is g among the groups.

// A message of a pass: it takes what slot `from` of its sender's store holds (0: the sender's own item, of which it
// has one for each such message), and leaves it in slot `keep` of the receiver's (0: it is where it was to go).
struct ref_otis_hop {
	uint32_t pass, source, destination; // nodes
	unsigned from, keep;                // below 256
};

// An item that is to be moved.
struct ref_otis_item {
	uint32_t source, destination; // nodes
};

struct ref_otis_played {
	unsigned electronic, otis; // moves
	char wrong[160];           // the first error; "": every pass is a move of the model, and every item has arrived
};

// Plays the passes one after the other. A pass is one electronic move (everything goes one hop along electronic links, in the
// same one of four directions), one OTIS move (everything goes along its optical link), or none; no processor sends two items
// in it. A message to its sender is no move. Hops are in ascending order of pass. wanted: in any order.
void ref_otis_play(struct ref_otis_played *out, unsigned side, const struct ref_otis_hop *hop, size_t n_hops,
                   const struct ref_otis_item *wanted, size_t n_wanted);

// Hops from a node to all others by breadth-first search; the largest of all.
void ref_otis_distances(uint32_t *out, unsigned side, uint32_t from);
uint32_t ref_otis_diameter(unsigned side);

// The longest ways of a permutation of the side^2 processors of each group, group g's at to[g * side^2]: how far the
// one goes that goes furthest to the right, to the left, up (to lower rows) and down in any group. Every schedule takes
// at least these moves each way.
struct ref_otis_displacement {
	unsigned right, left, up, down;
};
void ref_otis_displace(struct ref_otis_displacement *out, unsigned side, const uint32_t *to, uint32_t n_groups);

// A bit permutation and complement by the definition in section 4: source bit i goes to destination bit to[i], complemented if
// minus[i], -0 included.
#define REF_BPC_BITS_MAX 20
struct ref_bpc {
	unsigned bits;
	unsigned to[REF_BPC_BITS_MAX];
	bool minus[REF_BPC_BITS_MAX];
};
uint32_t ref_bpc_destination(const struct ref_bpc *a, uint32_t source);
void ref_bpc_text(char out[128], const struct ref_bpc *a); // as printed: "[-0,1,2,-3]", A_(p-1) first
// Row k of Table 3 for `bits` bits, a multiple of four, and its name here. NULL: there are eight.
const char *ref_bpc_table3(struct ref_bpc *out, unsigned k, unsigned bits);
// The k-th BPC vector of `bits` bits, all of them for k below bits! * 2^bits.
void ref_bpc_number(struct ref_bpc *out, unsigned bits, uint64_t k);

#endif
