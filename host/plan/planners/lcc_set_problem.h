// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LCC_SET_PROBLEM_H
#define LOOM_LCC_SET_PROBLEM_H

#include <stdbool.h>

#include <flitloom/math/lcc_set.h>

// Private to the lcc_set_*.c files: a set of LCCs as both searches see it.
//
// Both place the address bits from the last dimension down. Let S be the bits not yet placed, and T = S for a gather,
// T = all bits but S for a scatter. Take n vectors: column i of A for i in T, the unit vector e_i for the others. With
// q the nullity of A[T;T], and D all i whose vector occurs in a dependency among these n, bit j of S placed last costs
//
//   2^(q - [j in D])     (Theorem 1: q - [j in D] = |S|-1 - rank A[S;S-j], likewise for the scatter)
//
// or 0 if the member never changes address bit j. So one elimination of one set prices all of its bits.
struct loom_set_member {
	uint64_t column[LOOM_GF2_MAX];
	uint64_t idle;   // bits the member never changes
	uint64_t weight; // members of the caller's set that look like this one
	bool is_scatter;
};

// Invariant: n >= 1, every bit is changed by some member, members differ from one another.
struct loom_set_problem {
	unsigned n, n_members;
	struct loom_set_member *member; // owned
	uint64_t max_bytes;
	bool (*progress)(void *user, double done);
	void *user;
	double last_s; // the time of the last call of progress
};

// Returns q and sets *d, as defined above. `set` is S.
unsigned loom_set_dependencies(uint64_t *d, const struct loom_set_problem *p, unsigned r, uint64_t set);

// Calls progress if it is time to do so. LOOM_ETIMEOUT: progress asked to stop.
int loom_set_tick(struct loom_set_problem *p, double done, struct loom_err *err);

// The two searches fill order[0..n-1], value, n_visited and bytes of *out.
int loom_set_search_largest(struct loom_set_result *out, struct loom_set_problem *p, struct loom_err *err);

// `reachable` is a value that is known to be reachable; it lets the table have narrower entries.
int loom_set_search_sums(struct loom_set_result *out, struct loom_set_problem *p, bool largest_dimension,
                         uint64_t reachable, struct loom_err *err);

#endif
