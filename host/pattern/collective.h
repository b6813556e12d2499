// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_COLLECTIVE_H
#define LOOM_COLLECTIVE_H

// Functions that write collectives rank by rank, in steps. Each step begins when the one before it is done, as with
// MPI_Sendrecv.

#include "goal/goal_internal.h"

enum { COLLECTIVE_STEP_MOST = 16 }; // the most operations of a step

struct collective {
	struct loom_goal *goal;
	uint64_t bytes;
	uint32_t n, rank; // number of ranks; the rank that is being written
	size_t before[COLLECTIVE_STEP_MOST], now[COLLECTIVE_STEP_MOST];
	unsigned n_before, n_now;
	int code; // the code of the first failure; nothing is added after it
	struct loom_err *err;
};

void loom_collective_send(struct collective *c, uint32_t to, uint64_t bytes, uint32_t tag);
void loom_collective_recv(struct collective *c, uint32_t from, uint64_t bytes, uint32_t tag);
void loom_collective_calc(struct collective *c, uint64_t units);
void loom_collective_next_step(struct collective *c);

// Returns the bytes of the pieces first .. last - 1, if `bytes` is cut into n pieces as equal as possible.
uint64_t loom_collective_pieces(uint64_t bytes, uint64_t first, uint64_t last, uint64_t n);

// Each of these writes the operations of c->rank. In messages of a reduction the tag is the first piece that they
// carry.
void loom_collective_ring(struct collective *c);
void loom_collective_recursive_doubling(struct collective *c);
void loom_collective_rabenseifner(struct collective *c);

#endif
