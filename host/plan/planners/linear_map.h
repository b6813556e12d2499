// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LINEAR_MAP_H
#define LOOM_LINEAR_MAP_H

#include <flitloom/math/lcc_set.h>

#include "plan/planners/budget.h"

// A map that puts processor v on node M v, with M nonsingular over GF(2): one map for a set of LCCs on a cube. An order
// of the address bits is such a map, whose M is a permutation matrix.

// Computes the communication of the nodes: y = M A M^-1 x + M b. m is nonsingular.
void loom_lcc_mapped(struct loom_lcc *out, const struct loom_lcc *lcc, const struct loom_gf2 *m);

// The task of a search: to find a map for these communications with a low objective.
struct loom_linear_task {
	const struct loom_lcc *lccs;
	unsigned n_lccs;
	enum loom_objective objective;
	const unsigned *order; // the order of address bits to begin with
	// Called whenever the map is better, with the objective. NULL allowed.
	void (*told)(void *user, uint64_t value, uint64_t lower_bound);
	void *user;
};

struct loom_linear_result {
	struct loom_gf2 m;
	uint64_t value;       // the value of the objective
	uint64_t lower_bound; // a lower bound of the largest contention of any member, for all linear maps
};

// Finds a map with a low objective; among equal ones, the map with the lowest sum of the members' contentions. It is
// never worse than the given order of address bits.
int loom_linear_map_search(struct loom_linear_result *out, const struct loom_linear_task *task,
                           struct loom_budget *budget, struct loom_err *err);

#endif
