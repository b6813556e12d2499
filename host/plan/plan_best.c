// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planner "best": tries every planner that can plan the pattern, and keeps the plan that takes the fewest cycles.

#include <flitloom/machine.h>
#include <flitloom/planner.h>

#include "base/clock.h"
#include "plan/back_to_back_internal.h"
#include "plan/plan_internal.h"

struct contest {
	const struct loom_plan_options *options;
	double began;
	struct loom_plan best;
	uint64_t cycles; // of the best
	struct loom_plan_contest result;
	struct loom_err why; // the first planner that failed, while there is no plan
	int rc;
};

uint64_t loom_plan_cycles_with_barriers(const struct loom_plan *plan)
{
	uint64_t cycles = loom_plan_cycles(plan);
	if (cycles == LOOM_CYCLES_UNKNOWN)
		return cycles;
	// A free run has no barriers, and begins as a pass does.
	return plan->free_running ? loom_back_to_back_cycles(&cycles, 1)
	                          : loom_back_to_back_cycles(plan->cycles, plan->n_passes);
}

// Computes the cycles of a plan up to the last tail, with barriers: by formula, or on the machine if messages wait.
static int cycles_of(uint64_t *out, const struct loom_plan *plan, struct loom_err *err)
{
	*out = loom_plan_cycles_with_barriers(plan);
	if (*out != LOOM_CYCLES_UNKNOWN)
		return 0;
	int rc = loom_machine_cycles(out, plan, LOOM_MACHINE_FAST, err);
	return rc == LOOM_EFIT ? 0 : rc;
}

// True if this plan is better than the best so far. Plans whose cycles are unknown come last. Of equal plans the first
// stays.
static bool is_better(const struct loom_plan *plan, uint64_t cycles, const struct contest *c)
{
	if (cycles != c->cycles)
		return cycles < c->cycles;
	if (cycles == LOOM_CYCLES_UNKNOWN && loom_plan_contention(plan) != loom_plan_contention(&c->best))
		return loom_plan_contention(plan) < loom_plan_contention(&c->best);
	return plan->n_passes < c->best.n_passes;
}

static void name_runner_up(struct contest *c, const char *planner, uint64_t cycles)
{
	struct loom_plan_contest *r = &c->result;
	if (r->runner_up[0] && cycles >= r->runner_up_cycles)
		return;
	(void)snprintf(r->runner_up, sizeof r->runner_up, "%s", planner);
	r->runner_up_cycles = cycles;
}

// Compares a plan with the best one and keeps the better one. Takes ownership of the plan.
static int enter(struct contest *c, struct loom_plan *plan, struct loom_err *err)
{
	uint64_t cycles;
	int rc = cycles_of(&cycles, plan, err);
	if (rc != 0) {
		loom_plan_free(plan);
		return rc;
	}
	bool first = c->result.n_tried++ == 0;
	if (!first && !is_better(plan, cycles, c)) {
		name_runner_up(c, plan->planner, cycles);
		loom_plan_free(plan);
		return 0;
	}
	if (!first) {
		c->result.runner_up[0] = '\0'; // the former best plan is at least as good as all others before it
		name_runner_up(c, c->best.planner, c->cycles);
	}
	loom_plan_free(&c->best);
	c->best = *plan;
	c->cycles = cycles;
	return 0;
}

static bool is_over(const struct contest *c)
{
	const struct loom_plan_options *o = c->options;
	if (c->result.n_tried == 0)
		return false;
	return (o->stopped && o->stopped(o->user)) ||
	       (o->budget_seconds > 0 && loom_clock_s() - c->began >= o->budget_seconds);
}

// Tries a planner. Passes over a planner that fails on this map, objective or rule, or whose plan could deadlock.
static int try_planner(struct contest *c, const struct loom_planner *planner, const struct loom_topo *topo,
                       const struct loom_pattern *pattern, struct loom_err *err)
{
	struct loom_plan_options options = *c->options;
	struct loom_plan plan;
	if ((planner->only_by_name && topo->kind->spare_label_bits == 0) ||
	    !loom_planner_can(planner, topo, pattern, &options))
		return 0;
	if (is_over(c)) {
		c->result.n_left++;
		return 0;
	}
	options.planner = planner->name;
	if (options.budget_seconds > 0) {
		double left = options.budget_seconds - (loom_clock_s() - c->began);
		options.budget_seconds = left > 1e-3 ? left : 1e-3; // the first planner is always tried
	}
	int rc = loom_plan_make_by_one(&plan, topo, pattern, &options, err);
	if (rc == 0)
		rc = enter(c, &plan, err);
	else if (rc == LOOM_EINPUT && c->rc == 0) {
		c->rc = rc;
		c->why = *err;
	}
	return rc == LOOM_EINPUT ? 0 : rc;
}

// Explains why no planner can be asked.
static int refuse(struct loom_err *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                  const struct loom_plan_options *options)
{
	struct loom_plan_options any = *options;
	const struct loom_planner *planner;
	any.planner = NULL;
	int rc = loom_plan_choose(&planner, topo, pattern, &any, out);
	return rc ? rc
	          : loom_fail(out, LOOM_EINPUT, "planner best has no candidate for %.60s on %s; planner %s can plan it",
	                      pattern->name, topo->name, planner->name);
}

int loom_plan_make_best(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                        const struct loom_plan_options *options, struct loom_err *err)
{
	struct contest c = {.options = options, .began = loom_clock_s(), .cycles = LOOM_CYCLES_UNKNOWN};
	const struct loom_planner *planner;
	struct loom_err failed = {0};
	int rc = 0;
	for (size_t i = 0; rc == 0 && options->planners && options->planners[i]; i++)
		rc = try_planner(&c, options->planners[i], topo, pattern, &failed);
	for (size_t i = 0; rc == 0 && (planner = loom_planner_at(i)); i++)
		rc = try_planner(&c, planner, topo, pattern, &failed);
	if (rc == 0 && c.result.n_tried == 0) {
		rc = LOOM_EINPUT;
		if (c.rc != 0)
			failed = c.why;
		else
			(void)refuse(&failed, topo, pattern, options);
	}
	if (rc != 0) {
		loom_plan_free(&c.best);
		if (err)
			*err = failed;
		return rc;
	}
	c.best.making->contest = c.result;
	*out = c.best;
	return 0;
}
