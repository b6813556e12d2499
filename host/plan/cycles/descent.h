// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_DESCENT_H
#define LOOM_DESCENT_H

#include <flitloom/plan.h>

#include "base/rng.h"
#include "plan/planners/budget.h"

// A local search that evaluates each plan on the machine. It makes one change at a time, and keeps it unless the plan
// then takes more cycles.

// A kind of change.
struct loom_change {
	// Changes the plan at random. *is_made false: this draw changes nothing.
	int (*make)(bool *is_made, void *user, struct loom_rng *rng, struct loom_err *err);
	void (*undo)(void *user); // takes back the last change
	// Decides on conditions other than cycles whether a change may stay. It is called only if the cycles allow
	// the change. NULL: no other conditions.
	int (*check)(bool *may_stay, void *user, struct loom_err *err);
	void *user;
};

struct loom_descent {
	const struct loom_plan *plan; // the plan that is changed
	struct loom_budget budget;
	struct loom_rng rng;
	uint64_t steps;   // the steps that a change costs: loom_descent_steps, or more
	uint64_t cycles;  // the cycles of the plan without the change under test
	uint64_t least;   // a lower bound of the cycles after any change; 0: not known
	const char *name; // lines of progress begin with it
	// Called whenever the plan has become better, before anything is tried further. NULL allowed.
	void (*better)(void *user);
	void *user;
};

// Counts the cycles of the present plan. A plan that does not end, or takes more cycles than a trace can hold, counts
// LOOM_CYCLES_UNKNOWN, which is more than any other number.
int loom_descent_count(uint64_t *out, const struct loom_descent *d, struct loom_err *err);
// Counts the channels that the headers of all messages cross, but at least what the shortest run costs the search.
uint64_t loom_descent_steps(const struct loom_plan *plan);
// Tells the caller of the planner how many cycles the plan takes now.
void loom_descent_tell(const struct loom_descent *d);
// Tries changes of n > 0 kinds, drawn at random, until the budget is used up or no plan can be better. Keeps a change
// that leaves the cycles the same.
int loom_descent_run(struct loom_descent *d, const struct loom_change *changes, size_t n, struct loom_err *err);

#endif
