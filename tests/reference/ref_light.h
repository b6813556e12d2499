// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_LIGHT_H
#define REF_LIGHT_H

#include "ref_state.h"

// The optical links of an OTIS-Mesh, one for each node that it leaves, of latency l and ratio w, not both as of a wire:
//
//   near end --one flit every w cycles--> l + w - 1 cycles under way --> [flits of each virtual channel] --> [FIFO at the far end]
//      ^                                                                                           |
//      +---------------------- l cycles later the near end knows of one that left ------------------+
//
// Flits under way cannot be stopped. So the near end sends on a virtual channel while fewer than 2l + 1 of its flits
// (with w > 1: l + 1) are, as far as it knows, not yet in the FIFO. Into that, one flit a cycle comes: of the virtual
// channels which have one and room for it the next after the one that came last; the lowest to begin with, and after a
// cycle in which none had one.
struct ref_light;

struct ref_light *ref_light_new(unsigned n_nodes, unsigned n_vcs, unsigned cycles, unsigned ratio); // NULL: no memory
void ref_light_free(struct ref_light *light);

// Notes if the FIFO of a virtual channel is empty. It is called for each of them, first in each cycle.
void ref_light_look(struct ref_light *light, unsigned node, unsigned vc, uint64_t cycle, bool is_empty);
// The near end: true if it can send a flit; true if, as far as it knows, no flit of the virtual channel is under way or
// in the FIFO.
bool ref_light_is_ready(const struct ref_light *light, unsigned node, unsigned vc, uint64_t cycle);
bool ref_light_is_empty(const struct ref_light *light, unsigned node, unsigned vc, uint64_t cycle);
void ref_light_send(struct ref_light *light, unsigned node, unsigned vc, uint64_t cycle, struct flit flit);
// The far end: has_room is by virtual channel. Returns the one by which *out goes into its FIFO in this cycle; n_vcs: none.
unsigned ref_light_take(struct flit *out, struct ref_light *light, unsigned node, const bool *has_room, uint64_t cycle);
// True if anything can still move without new flits.
bool ref_light_stirs(const struct ref_light *light, uint64_t cycle);

#endif
