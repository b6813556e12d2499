// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLANNER_H
#define LOOM_PLANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/plan.h>

LOOM_API_BEGIN

// The wishes of options that a planner may support; the bits of `takes` of struct loom_planner.
enum loom_takes {
	LOOM_TAKES_HALF_DUPLEX = 1, // heeds plan->half_duplex
	LOOM_TAKES_RULES = 2,       // leaves every message the rule that the plan came with
	LOOM_TAKES_LOAD = 4,        // chooses routes by options->load
	LOOM_TAKES_DETOURS = 8,     // chooses routes with up to options->detours
	LOOM_TAKES_COST = 16,       // chooses by options->cost
	LOOM_TAKES_TIMING = 32,     // leaves messages as they are, in one pass
	LOOM_TAKES_CIRCUITS = 128,  // makes schedules of circuit switches: decides when messages leave
	LOOM_TAKES_TRAFFIC = 64,    // chooses a route for each message, in one pass, and keeps the map
};

// The request to a planner.
struct loom_planner_request {
	const struct loom_pattern *pattern;
	const struct loom_plan_options *options; // never NULL; a planner that draws at random uses options->seed
	bool map_is_free; // the planner may choose the map (--map best); otherwise it must keep it
};

// A planner turns a pattern into passes. It gets a plan in which topo, pattern, map (identity unless the caller fixed
// one), n_members, making, and messages are filled in, and improves it. These messages are one pass per member, by
// the rule that the caller gave, else ascending. A planner knows no registers and no links.
struct loom_planner {
	const char *name, *help;
	bool (*accepts)(const struct loom_topo *topo, const struct loom_pattern *pattern);
	// True if the planner may be chosen without being named, for a pattern that it accepts; NULL: always.
	bool (*volunteers)(const struct loom_topo *topo, const struct loom_pattern *pattern);
	int (*plan)(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err);
	enum loom_bound bound;
	unsigned takes;    // bits of enum loom_takes; a planner that lacks the bit of a wish is not asked
	bool only_by_name; // not every chip can run its plans: "best" asks it only if routers have tables for them
	// it may take so long that a user wants to end it with the best plan so far (loom_plan_searches)
	bool searches;
	// The map alone decides the loads of channels, however long the planner searches. So it gets few steps while
	// flitloom searches for a placement.
	bool loads_follow;
};

// Returns one of flitloom's own planners. They are in order of preference: if the user names none, the first that
// accepts is used. A program hands over its own planners in loom_plan_options.
const struct loom_planner *loom_planner_at(size_t i);            // NULL after the last
const struct loom_planner *loom_planner_named(const char *name); // NULL: there is none

// True if making a plan with these options takes a search: by a planner that searches, by "best", for a placement, or
// for as long as a budget lasts. options->stopped then ends it early. Other plans take too little time to end them.
bool loom_plan_searches(const struct loom_plan_options *options);

// Sets plan->lower_bound to the least contention that any routes between these nodes can have, pass by pass.
int loom_planner_bound_placement(struct loom_plan *plan, struct loom_err *err);

// Replaces the messages of a plan, and its passes. Takes over `messages`: n of them, malloc'ed, or plan->messages
// itself after changes. Sorts them by pass, keeping the order within a pass, and updates `origin`. Before the call,
// `origin` of a message that sends on data (from_slot) is the index in `messages` of the message that brought the
// data; of generated data it need not be set. All n_passes passes belong to member 0: the function is for patterns of
// one member, before routes are chosen. LOOM_EINPUT: more passes than a plan on this fabric can have. On failure the
// plan still has its messages, and `messages` are freed.
int loom_planner_set_messages(struct loom_plan *plan, struct loom_plan_message *messages, size_t n, uint32_t n_passes,
                              struct loom_err *err);

// Relays a message through processor `middle`: writes two messages to out[at] and out[at + 1]. The first goes to
// the middle in `pass`, and is kept there in `slot` (from 1) of the store; the second goes on from there in the next
// pass. If the middle is the destination, only the first is written; if it is the source, only the second. But if the
// network carries messages to oneself, both are written. A message to oneself goes through the middle like any
// other. The rule is that of `message`. Returns how many messages it wrote, 1 or 2.
size_t loom_planner_relay(struct loom_plan_message *out, size_t at, const struct loom_plan *plan,
                          const struct loom_plan_message *message, uint32_t middle, uint32_t pass, uint8_t slot);

LOOM_API_END

#endif
