// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REROUTE_SEARCH_H
#define LOOM_REROUTE_SEARCH_H

#include <flitloom/routes/routes.h>

#include "base/arrays.h"
#include "base/rng.h"
#include "plan/planners/budget.h"
#include "plan/routes/region.h"

// The search of loom_routes_reroute: negotiated rip-up and re-route, which begins with given routes.

// The figures that were reported last.
struct loom_reroute_told {
	uint64_t contention, lower_bound;
};

// Routes that change. The route of message i has length[i] links, from channel[first[i]] on, with room for the longest
// one that is allowed.
struct loom_reroute {
	const struct loom_topo *topo;
	const struct loom_message *messages;
	size_t n;
	const struct loom_routes_options *options;
	struct loom_budget *budget;
	struct loom_rng rng;
	struct loom_region region;
	uint32_t n_channels;
	size_t *first;
	uint32_t *channel, *length; // being changed
	uint32_t *best_channel, *best_length;
	uint64_t contention;  // that of the best routes
	uint64_t lower_bound; // a lower bound for routes in this region
	struct loom_reroute_told *told;
	uint64_t limit;
	// The weight of all messages. 0: weights differ, and `cost` is valid only for the message examined last, in its
	// region.
	uint64_t weight;
	uint64_t unit;     // the load that counts as one unit of overload: the mean weight
	uint64_t pressure; // the rise of a link's price with each unit of overload
	bool by_square;    // the cost of a link is the growth of the sum of squares, and no link may exceed the limit
	uint64_t *load;    // by channel
	uint64_t *past;    // by channel: the cost that stays from earlier overload
	uint64_t *cost;
	uint32_t *order;
	struct loom_arrays arrays; // owns the arrays by channel, `length`, `best_length` and `order`
};

// Begins with these routes, each of which may have `detours` hops more than a shortest one. The caller has set the
// fields down to `n_channels`, except rng and region, and `told`. The caller calls `loom_reroute_end` whatever it
// returns.
int loom_reroute_begin(struct loom_reroute *s, const struct loom_routes *routes, uint32_t detours,
                       struct loom_err *err);
void loom_reroute_end(struct loom_reroute *s);
// Reports the largest load and the bound to the listener, if they have changed.
void loom_reroute_tell(const struct loom_reroute *s, uint64_t lower_bound);
// Lowers the largest load, until it is s->lower_bound or the budget is used up.
void loom_reroute_lower(struct loom_reroute *s);
// Evens out the other loads, with the largest load as it is.
void loom_reroute_polish(struct loom_reroute *s);
// Replaces *out by the best routes; the search then has none.
void loom_reroute_hand_over(struct loom_routes *out, struct loom_reroute *s);

#endif
