// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_SLOW_H
#define REF_SLOW_H

#include "ref_state.h"

// Links that are some cycles slower than others, by lane. A flit that crosses one in cycle t goes into the FIFO at its
// end in cycle t + delay. If a flit leaves that FIFO in cycle t, the near end knows it in cycle t + back + 1. back is
// no more than delay.
struct ref_slow;

struct ref_slow *ref_slow_new(size_t n_lanes); // at first no lane is slow; NULL: no memory
void ref_slow_free(struct ref_slow *slow);
void ref_slow_set(struct ref_slow *slow, size_t lane, unsigned delay, unsigned back); // delay 0: the lane is not slow
bool ref_slow_is(const struct ref_slow *slow, size_t lane);

// Returns the flits that, as far as the near end knows in this cycle, have not left the FIFO. in_fifo: the flits in the
// FIFO.
unsigned ref_slow_out(const struct ref_slow *slow, size_t lane, unsigned in_fifo, uint64_t cycle);
void ref_slow_send(struct ref_slow *slow, size_t lane, uint64_t cycle, struct flit flit);
void ref_slow_left(struct ref_slow *slow, size_t lane, uint64_t cycle);
// True if *out goes into the lane's FIFO in this cycle.
bool ref_slow_take(struct flit *out, struct ref_slow *slow, size_t lane, uint64_t cycle);
// True if a flit is under way, or a credit that the near end does not know yet.
bool ref_slow_stirs(const struct ref_slow *slow, uint64_t cycle);

#endif
