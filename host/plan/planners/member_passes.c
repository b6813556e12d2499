// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/planners/member_passes.h"

#include <stdlib.h>
#include <string.h>

#include "plan/planners/planners.h"

struct passes {
	uint32_t n;
	uint32_t *member; // the member of each pass, malloc'ed
};

static int add_passes(struct passes *p, uint32_t n, uint32_t member, struct loom_err *err)
{
	uint32_t *more = realloc(p->member, ((size_t)p->n + n) * sizeof *more);
	if (!more)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %u passes", p->n + n);
	p->member = more;
	for (uint32_t k = 0; k < n; k++)
		p->member[p->n++] = member;
	return 0;
}

// Puts chosen routes into the new order of the messages.
static bool put_routes_in_order(struct loom_routes *routes, const struct loom_planner_entry *entries)
{
	struct loom_routes out = {.n = routes->n, .first = malloc((routes->n + 1) * sizeof *out.first)};
	out.channel = malloc((routes->first[routes->n] + 1) * sizeof *out.channel);
	if (!out.first || !out.channel) {
		loom_routes_free(&out);
		return false;
	}
	out.first[0] = 0;
	for (size_t i = 0; i < routes->n; i++) {
		size_t from = routes->first[entries[i].place], n = routes->first[entries[i].place + 1] - from;
		if (n) // routes without any links may have no array
			memcpy(out.channel + out.first[i], routes->channel + from, n * sizeof *out.channel);
		out.first[i + 1] = out.first[i] + n;
	}
	loom_routes_free(routes);
	*routes = out;
	return true;
}

static int put_in_order(struct loom_plan *plan, struct loom_planner_entry *entries, struct loom_err *err)
{
	loom_planner_sort(entries, plan->n_messages);
	if (plan->routes.n && !put_routes_in_order(&plan->routes, entries))
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages", plan->n_messages);
	for (size_t i = 0; i < plan->n_messages; i++) {
		plan->messages[i] = entries[i].message;
		plan->messages[i].origin = (uint32_t)i;
	}
	return 0;
}

// Adds a member's proof to that of all. Members share no pass, so what each one needs adds up. The weakest of their
// proofs is the proof of all.
static void add_proof(struct loom_passes_found *all, const struct loom_passes_found *one)
{
	all->n_least += one->n_least;
	all->proof = one->proof > all->proof ? one->proof : all->proof;
}

// Plans with either `plain` or `proved`; the other is NULL.
static int plan_members(struct loom_plan *plan, const struct loom_planner_request *request, loom_member_schedule *plain,
                        loom_proved_schedule *proved, struct loom_err *err)
{
	struct loom_passes_found all = {0};
	struct passes passes = {0};
	uint32_t *pass = calloc(plan->n_messages + 1, sizeof *pass);
	struct loom_planner_entry *entries = calloc(plan->n_messages + 1, sizeof *entries);
	int rc = pass && entries ? 0
	                         : loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages",
	                                     plan->n_messages);
	for (size_t first = 0, end; rc == 0 && first < plan->n_messages; first = end) {
		uint32_t member = plan->messages[first].pass, before = passes.n;
		struct loom_passes_found one = {0};
		for (end = first; end < plan->n_messages && plan->messages[end].pass == member;)
			end++;
		rc = proved ? proved(pass, &one, plan, request->options, first, end - first, err)
		            : plain(pass, &one.n_passes, plan, request->options, first, end - first, err);
		add_proof(&all, &one);
		if (rc == 0)
			rc = add_passes(&passes, one.n_passes, member, err);
		for (size_t i = first; rc == 0 && i < end; i++) {
			entries[i] = (struct loom_planner_entry){plan->messages[i], i};
			entries[i].message.pass = before + pass[i - first];
		}
	}
	if (rc == 0)
		rc = put_in_order(plan, entries, err);
	if (rc == 0) {
		free(plan->member_of_pass);
		plan->member_of_pass = passes.member;
		passes.member = NULL;
		plan->n_passes = passes.n;
		loom_planner_report_objective(plan, request);
		rc = loom_plan_predict(plan, err);
	}
	if (rc == 0) {
		plan->lower_bound = loom_plan_contention(plan); // 1, or 0 if no message crosses a link
		bool is_more = all.n_least > plan->passes_bound;
		plan->passes_proved = is_more ? all.n_least : 0;
		plan->proof = is_more ? all.proof : LOOM_PROOF_NONE;
	}
	free(passes.member);
	free(entries);
	free(pass);
	return rc;
}

int loom_plan_in_member_passes(struct loom_plan *plan, const struct loom_planner_request *request,
                               loom_member_schedule *schedule, struct loom_err *err)
{
	return plan_members(plan, request, schedule, NULL, err);
}

int loom_plan_in_proved_passes(struct loom_plan *plan, const struct loom_planner_request *request,
                               loom_proved_schedule *schedule, struct loom_err *err)
{
	return plan_members(plan, request, NULL, schedule, err);
}
