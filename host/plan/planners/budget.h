// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_BUDGET_H
#define LOOM_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/plan.h>

// The budget of a search: a number of steps or, if the caller gave a time, until then.
struct loom_budget {
	uint64_t steps_left;                     // until it looks at the clock and asks the caller whether to stop
	uint64_t steps_after;                    // beyond these, if there is no deadline
	const struct loom_plan_options *options; // NULL: no caller is asked
	bool has_deadline;
	int64_t deadline_ns; // time on loom_clock_ns
};

// options may be NULL.
void loom_budget_begin(struct loom_budget *out, const struct loom_plan_options *options, uint64_t default_steps);
// Returns the options with a part of the time and of the steps, of which 0 is no limit.
struct loom_plan_options loom_options_share(const struct loom_plan_options *options, uint32_t divisor);
// Spends n steps. False: the budget is used up, and stays so.
bool loom_budget_spend(struct loom_budget *b, uint64_t n);
// Returns a part of what is left, so that something remains for later. Spend it, then give it back.
struct loom_budget loom_budget_share(const struct loom_budget *b, unsigned divisor);
void loom_budget_give_back(struct loom_budget *b, const struct loom_budget *share, const struct loom_budget *spent);

#endif
