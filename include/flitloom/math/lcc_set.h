// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LCC_SET_H
#define LOOM_LCC_SET_H

#include <flitloom/api.h>
#include <flitloom/pattern.h>

LOOM_API_BEGIN

// Objectives for one bit order of a set of m LCCs of one n ([Hou01], section 5). T_ri is the contention of member r at
// dimension i.
enum loom_objective {
	LOOM_MAXMAX, // max over r, i of T_ri: members run one after the other, the worst counts
	LOOM_MAXSUM, // max over i of sum over r: members run at the same time
	LOOM_SUMSUM, // sum over all
};
// Return the name of an objective ("maxmax", "maxsum", "sumsum"), and the objective of a name. LOOM_EINPUT: there is
// none of that name.
const char *loom_objective_name(enum loom_objective objective);
int loom_objective_parse(enum loom_objective *out, const char *name, struct loom_err *err);

// The best order for a set, and the cost of finding it.
struct loom_set_result {
	unsigned order[LOOM_GF2_MAX];
	uint64_t value;       // the value of the objective under that order: exactly the optimum
	uint64_t lower_bound; // == value; kept apart so that a heuristic could differ
	uint64_t n_visited;   // sets that were visited
	uint64_t bytes;       // memory used at the peak
};

// The limits of a search for the best order.
struct loom_set_limits {
	uint64_t max_bytes; // of memory
	// Called at most a few times a second, with done in 0..1. If it returns true the search ends (LOOM_ETIMEOUT).
	// NULL allowed.
	bool (*progress)(void *user, double done);
	void *user;
};

// Finds the best order for a set of communications. The result is exact. MAXMAX: a threshold search over reachable
// sets, for any n <= 64 (max_bytes bounds time and memory). Sums: dynamic programming over 2^n sets, for n <= 28 or as
// max_bytes allows. LOOM_EINPUT says which n would fit.
int loom_lcc_set_optimize(struct loom_set_result *out, const struct loom_lcc *lccs, unsigned m,
                          enum loom_objective objective, const struct loom_set_limits *limits, struct loom_err *err);

// Computes the objective under any given order (closed formulas, Theorem 1).
uint64_t loom_lcc_set_value(const struct loom_lcc *lccs, unsigned m, const unsigned *order,
                            enum loom_objective objective);

LOOM_API_END

#endif
