// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/planners/budget.h"

#include "base/clock.h"

#define STEPS_PER_LOOK 100000 // steps between two readings of the clock
#define NS_PER_S 1e9

static int64_t ns_left(const struct loom_budget *b)
{
	return b->deadline_ns - loom_clock_ns();
}

static uint64_t steps(const struct loom_budget *b)
{
	return b->steps_left + b->steps_after;
}

static void put_steps(struct loom_budget *b, uint64_t n)
{
	b->steps_left = n < STEPS_PER_LOOK ? n : STEPS_PER_LOOK;
	b->steps_after = n - b->steps_left;
}

static bool is_stopped(const struct loom_budget *b)
{
	return b->options && b->options->stopped && b->options->stopped(b->options->user);
}

void loom_budget_begin(struct loom_budget *out, const struct loom_plan_options *options, uint64_t default_steps)
{
	double seconds = options ? options->budget_seconds : 0, most = 1e9;
	*out = (struct loom_budget){.options = options};
	put_steps(out, options && options->most_steps && options->most_steps < default_steps ? options->most_steps
	                                                                                     : default_steps);
	if (seconds > 0) {
		out->has_deadline = true;
		put_steps(out, STEPS_PER_LOOK);
		out->deadline_ns = loom_clock_ns() + (int64_t)((seconds < most ? seconds : most) * NS_PER_S);
	}
}

struct loom_plan_options loom_options_share(const struct loom_plan_options *options, uint32_t divisor)
{
	struct loom_plan_options share = *options;
	share.budget_seconds /= divisor;
	share.most_steps = share.most_steps ? share.most_steps / divisor + 1 : 0;
	return share;
}

bool loom_budget_spend(struct loom_budget *b, uint64_t n)
{
	if (n < b->steps_left) {
		b->steps_left -= n;
		return true;
	}
	if (b->steps_left == 0)
		return false;
	n -= b->steps_left;
	if (is_stopped(b))
		put_steps(b, 0);
	else if (b->has_deadline)
		put_steps(b, ns_left(b) > 0 ? STEPS_PER_LOOK : 0);
	else
		put_steps(b, b->steps_after > n ? b->steps_after - n : 0);
	return b->steps_left != 0;
}

struct loom_budget loom_budget_share(const struct loom_budget *b, unsigned divisor)
{
	struct loom_budget share = *b;
	int64_t ns = b->has_deadline ? ns_left(b) : 0;
	if (b->has_deadline)
		share.deadline_ns = loom_clock_ns() + (ns > 0 ? ns / divisor : 0);
	else
		put_steps(&share, steps(b) / divisor);
	return share;
}

void loom_budget_give_back(struct loom_budget *b, const struct loom_budget *share, const struct loom_budget *spent)
{
	if (!b->has_deadline)
		put_steps(b, steps(b) - (steps(share) - steps(spent))); // a share is at most what there was
}
