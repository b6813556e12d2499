// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes no plan: every node tries at once, and again until its message is through ([Youssef93], section 8). In a
// wormhole network the fabric itself keeps trying: a header that is blocked waits where it is. That is one pass. But a
// waiting message holds the channels behind it. So if such a pass could lock, messages try as on a circuit-switched
// machine: a message whose whole way is free takes it, and the others try again in the next pass.
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/deadlock.h>

#include "base/rng.h"
#include "plan/planners/member_passes.h"
#include "plan/planners/planners.h"
#include "plan/planners/route_conflicts.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	return pattern->n_messages != 0;
}

static int can_lock(bool *out, const struct loom_plan *plan, size_t first, size_t n, struct loom_err *err)
{
	struct loom_dependency_cycle circle = {0};
	struct loom_plan member = *plan;
	member.messages += first;
	member.n_messages = n;
	int rc = loom_deadlock_find_in_plan(&circle, &member, err);
	*out = circle.n_channels != 0;
	loom_dependency_cycle_free(&circle);
	return rc;
}

static bool is_free(const struct loom_conflicts *g, const bool *taken, uint32_t message)
{
	for (size_t k = g->at[message]; k < g->at[message + 1]; k++)
		if (taken[g->hop[k]])
			return false;
	return true;
}

// Lets the messages that are left try in each pass, in random order. waiting: room for all messages; taken: for all
// channels.
static void try_again(uint32_t *pass, uint32_t *n_passes, const struct loom_conflicts *g, uint32_t *waiting,
                      bool *taken)
{
	struct loom_rng rng;
	size_t n = g->n;
	loom_rng_init(&rng, 1);
	for (size_t i = 0; i < n; i++)
		waiting[i] = (uint32_t)i;
	for (*n_passes = 0; n > 0; ++*n_passes) {
		size_t n_left = 0;
		memset(taken, 0, g->n_channels * sizeof *taken);
		loom_rng_shuffle(waiting, n, &rng);
		for (size_t i = 0; i < n; i++) {
			uint32_t message = waiting[i];
			if (!is_free(g, taken, message)) {
				waiting[n_left++] = message;
				continue;
			}
			pass[message] = *n_passes;
			for (size_t k = g->at[message]; k < g->at[message + 1]; k++)
				taken[g->hop[k]] = true;
		}
		n = n_left;
	}
}

static int schedule(uint32_t *pass, uint32_t *n_passes, const struct loom_plan *plan,
                    const struct loom_plan_options *options, size_t first, size_t n, struct loom_err *err)
{
	(void)options;
	bool locks = false;
	int rc = can_lock(&locks, plan, first, n, err);
	*n_passes = 1;
	memset(pass, 0, n * sizeof *pass);
	if (rc != 0 || !locks)
		return rc;
	struct loom_conflicts g = {0};
	bool done = loom_route_conflicts_make(&g, plan, first, n);
	uint32_t *waiting = malloc(n * sizeof *waiting);
	bool *taken = calloc(g.n_channels + 1, sizeof *taken);
	done = done && waiting && taken;
	if (done)
		try_again(pass, n_passes, &g, waiting, taken);
	loom_conflicts_free(&g);
	free(waiting);
	free(taken);
	return done ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
}

static int plan_ad_hoc(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	int rc = loom_plan_in_member_passes(plan, request, schedule, err);
	return rc == 0 ? loom_planner_bound_placement(plan, err) : rc;
}

const struct loom_planner loom_planner_ad_hoc = {
	.name = "ad_hoc",
	.help = "any messages, no plan: all at once, or, where that could lock, again and again until all are through",
	.accepts = accepts,
	// For a pattern that cannot lock it makes the same plan as planner direct.
	.volunteers = loom_planner_never_volunteers,
	.plan = plan_ad_hoc,
	.bound = LOOM_BOUND_PLACEMENT,
};
