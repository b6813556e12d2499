// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAIR_HUNT_H
#define LOOM_PAIR_HUNT_H

#include <flitloom/routes/pair_routes.h>

#include "plan/routes/pairs/pair_set.h"

// The data of a search for routes of all pairs that its parts share: the state, the pairs, and the best set so far.
struct loom_pair_hunt {
	const struct loom_pair_options *options;
	struct loom_pair_state state;
	size_t n_pairs;
	uint32_t *pair, *hot; // owned: pairs in the order in which they choose; those on busy links
	float *weight;        // owned, of each pair: grows as long as the pair falls
	uint32_t bound;
	uint64_t least_hops; // hops of shortest routes, summed over all pairs
	double deadline_s;   // time on loom_clock_s
	bool has_deadline;
	struct loom_pair_set *best; // the caller's
};

// How freely pairs choose.
struct loom_pair_freedom {
	double fine;
	// links more than a shortest way has: in the first search; in the last one, if only falling ways are found
	uint32_t slack, most_slack;
	double lazy;
};

// Begins with all pairs of the network, and no routes. LOOM_ENOMEM; the caller frees it in either case.
int loom_pair_hunt_make(struct loom_pair_hunt *out, struct loom_pair_set *best, const struct loom_pair_net *net,
                        const struct loom_pair_options *options, struct loom_err *err);
void loom_pair_hunt_free(struct loom_pair_hunt *hunt);

// True if there are routes and the search must end: nothing better exists, the time is up, or the caller stops it.
bool loom_pair_hunt_is_over(const struct loom_pair_hunt *hunt);
// Finds the cheapest way of a pair, into *out as loom_pair_walk does. False: there is none.
bool loom_pair_choose(struct loom_pair_way *out, struct loom_pair_hunt *hunt, uint32_t pair,
                      const struct loom_pair_freedom *freedom);
// True if some link of the way carries more than `load`.
bool loom_pair_is_above(const struct loom_pair_state *state, const struct loom_pair_way *way, double load);
// Copies the routes of the state, all of which rise, to the best set if they are better. LOOM_ENOMEM.
int loom_pair_keep_if_better(struct loom_pair_hunt *hunt, struct loom_err *err);

// pair_polish.c: finds places with which many pairs have shortest ways, and routes with even loads by these places.
// `time` differs from call to call. The hunt's own state is unchanged. LOOM_ENOMEM.
int loom_pair_polish(struct loom_pair_hunt *hunt, uint32_t time, struct loom_err *err);

#endif
