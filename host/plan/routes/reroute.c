// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Rips up and re-routes messages, beginning with the routes of BLOCK. Divides the time among the parts of the search,
// and adds detours last.
#include "plan/planners/budget.h"
#include "plan/routes/prices.h"
#include "plan/routes/region.h"
#include "plan/routes/reroute_search.h"
#include "plan/routes/routes_internal.h"

#define STEPS 1000000000u       // budget of the search if none is given, in links that are examined
#define BLOCK_LINKS 1000000000u // links of all messages' boxes above which the search does not begin with BLOCK
#define BOUND_SHARE 3           // the part of the budget that the bound may use

// Takes the routes of BLOCK. If they would take too long, takes those in dimension order, if there are any.
static int first_routes(struct loom_routes *out, const struct loom_reroute *like, struct loom_err *err)
{
	const struct loom_topo *topo = like->topo;
	struct loom_region region = {0};
	uint64_t links = 0;
	int rc = loom_region_is_box(topo, 0) ? loom_region_init(&region, topo, like->messages, like->n, 0, err) : 0;
	for (size_t i = 0; rc == 0 && region.by_box && i < like->n && links <= BLOCK_LINKS; i++) {
		loom_region_set(&region, &like->messages[i], 0);
		links += loom_region_links(&region);
	}
	loom_region_free(&region);
	if (rc != 0)
		return rc;
	return links > BLOCK_LINKS ? loom_routes_in_order(out, topo, like->messages, like->n, LOOM_RULE_ASCENDING, err)
	                           : loom_routes_block(out, topo, like->messages, like->n, like->options->load, err);
}

// Computes a lower bound for routes with `detours` detours.
static int bound(uint64_t *out, struct loom_reroute *s, uint32_t detours, struct loom_err *err)
{
	struct loom_budget share = loom_budget_share(s->budget, BOUND_SHARE), before = share;
	const struct loom_demand demand = {s->topo, s->messages, s->n, s->options->load, detours};
	int rc = loom_prices_bound(out, NULL, &demand, s->contention, &share, err);
	loom_budget_give_back(s->budget, &before, &share);
	return rc;
}

// Improves the routes with `detours` detours. *found: the figures of the routes. If it has no bound yet, computes that
// for all routes that the options allow.
static int improve(struct loom_routes *routes, struct loom_routes_found *found, const struct loom_reroute *like,
                   uint32_t detours, struct loom_err *err)
{
	struct loom_reroute s = *like;
	uint32_t asked = s.options->detours;
	int rc = loom_reroute_begin(&s, routes, detours, err);
	if (rc == 0 && found->lower_bound == 0) {
		rc = bound(&found->lower_bound, &s, asked, err);
		if (rc == 0)
			loom_reroute_tell(&s, found->lower_bound);
	}
	s.lower_bound = found->lower_bound;
	if (rc == 0 && detours != asked)
		rc = bound(&s.lower_bound, &s, detours, err);
	if (rc == 0) {
		loom_reroute_lower(&s);
		loom_reroute_polish(&s);
		found->contention = s.contention;
		loom_reroute_hand_over(routes, &s);
	}
	loom_reroute_end(&s);
	return rc;
}

// Searches without detours first, in half of the time, so that detours come in only where they help.
static int search_in_turn(struct loom_routes *routes, struct loom_routes_found *found, struct loom_reroute *s,
                          struct loom_err *err)
{
	struct loom_budget *whole = s->budget;
	if (s->options->detours == 0)
		return improve(routes, found, s, 0, err);
	struct loom_budget half = loom_budget_share(whole, 2), before = half;
	s->budget = &half;
	int rc = improve(routes, found, s, 0, err);
	loom_budget_give_back(whole, &before, &half);
	s->budget = whole;
	return rc != 0 || found->contention == found->lower_bound ? rc
	                                                          : improve(routes, found, s, s->options->detours, err);
}

int loom_routes_reroute(struct loom_routes *out, struct loom_routes_found *found, const struct loom_topo *topo,
                        const struct loom_message *messages, size_t n, const struct loom_routes_options *options,
                        struct loom_err *err)
{
	const struct loom_plan_options by = {.budget_seconds = options->budget_seconds,
	                                     .most_steps = options->most_steps,
	                                     .stopped = options->stopped,
	                                     .user = options->user};
	struct loom_budget budget;
	struct loom_routes routes = {0};
	struct loom_routes_found best = {0};
	struct loom_reroute_told told = {.contention = UINT64_MAX};
	struct loom_reroute s = {.topo = topo,
	                         .messages = messages,
	                         .n = n,
	                         .options = options,
	                         .budget = &budget,
	                         .told = &told,
	                         .n_channels = loom_topo_channels(topo)};
	loom_budget_begin(&budget, &by, STEPS);
	int rc = loom_routes_check_messages(topo, messages, n, err);
	if (rc == 0)
		rc = loom_routes_check_detours(options->detours, err);
	if (rc == 0)
		rc = first_routes(&routes, &s, err);
	if (rc == 0)
		rc = search_in_turn(&routes, &best, &s, err);
	if (rc != 0) {
		loom_routes_free(&routes);
		return rc;
	}
	*out = routes;
	if (found)
		*found = best;
	return 0;
}
