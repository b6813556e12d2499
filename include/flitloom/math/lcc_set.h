// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LCC_SET_H
#define LOOM_LCC_SET_H

#include <flitloom/api.h>
#include <flitloom/pattern.h>

LOOM_API_BEGIN

// One bit order for a set of m LCCs of one n ([Hou01], section 5). T_ri: contention of member r at dimension i.
enum loom_objective {
	LOOM_MAXMAX, // max over r, i of T_ri: members run one after the other, the worst counts
	LOOM_MAXSUM, // max over i of sum over r: members run at the same time
	LOOM_SUMSUM, // sum over all
};
// The name of an objective, "maxmax", "maxsum" or "sumsum", and the objective of a name. LOOM_EINPUT: there is none such.
const char *loom_objective_name(enum loom_objective objective);
int loom_objective_parse(enum loom_objective *out, const char *name, struct loom_err *err);

// The best order for a set, and what it took to find it.
struct loom_set_result {
	unsigned order[LOOM_GF2_MAX];
	uint64_t value;       // of the objective under that order: exactly the optimum
	uint64_t lower_bound; // == value; kept apart so that a heuristic could differ
	uint64_t n_visited;   // sets looked at
	uint64_t bytes;       // memory used at the peak
};

// The limits of a search for it.
struct loom_set_limits {
	uint64_t max_bytes; // of memory
	// Called a few times a second at most with done in 0..1; ends the search (LOOM_ETIMEOUT) by returning true.
	// NULL allowed.
	bool (*progress)(void *user, double done);
	void *user;
};

// Finds the best order for a set of communications. Exact. MAXMAX: threshold search over reachable sets, any n <= 64 (time
// and memory bounded by max_bytes). Sums: dynamic programming over 2^n sets, n <= 28 or as max_bytes allows: LOOM_EINPUT
// says which n would fit.
int loom_lcc_set_optimize(struct loom_set_result *out, const struct loom_lcc *lccs, unsigned m,
                          enum loom_objective objective, const struct loom_set_limits *limits, struct loom_err *err);

// The objective under a given order (closed formulas, Theorem 1), whatever the order.
uint64_t loom_lcc_set_value(const struct loom_lcc *lccs, unsigned m, const unsigned *order,
                            enum loom_objective objective);

LOOM_API_END

#endif
