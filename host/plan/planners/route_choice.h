// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ROUTE_CHOICE_H
#define LOOM_ROUTE_CHOICE_H

#include <flitloom/plan.h>
#include <flitloom/routes/routes.h>

// The choice of routes for the messages of one pass, whose nodes are given.
struct loom_choice {
	const struct loom_plan *plan;
	const struct loom_plan_options *options;
	const struct loom_message *messages;
	size_t n;
	uint32_t *lane;           // by message, if routers have tables; else NULL
	enum loom_load_unit load; // the load to keep low
	uint32_t detours;         // hops that some route has more than a shortest one, or may have
	double budget_seconds;    // the budget of this pass
	uint64_t most_steps;      // the steps of this pass, if no time was given; 0: the default
	struct loom_routes routes;
	uint64_t lower_bound;
};

// Runs rip-up and re-route with `detours` detours, for budget_seconds (0: a fixed number of steps). Reports progress to
// the caller of the planner, who may stop it. found may be NULL.
int loom_choice_search(struct loom_routes *out, struct loom_routes_found *found, const struct loom_choice *c,
                       uint32_t detours, double budget_seconds, struct loom_err *err);
// Returns the seconds of the first search: all, or less if loom_choice_keep_some_detours may have to search again.
double loom_choice_first_share(const struct loom_choice *c);

// The next two are for routes that have too few lanes; `lane` is filled in.

// Keeps the searched routes that fit beside the usual ones, or only the usual ones. Does nothing if the usual routes
// can lock, as they can round the rings of a torus.
int loom_choice_keep_some(struct loom_choice *c, struct loom_err *err);
// For routes longer than shortest ones, if nodes have coordinates: keeps some of them, or takes shortest routes,
// whichever is better.
int loom_choice_keep_some_detours(struct loom_choice *c, struct loom_err *err);

#endif
