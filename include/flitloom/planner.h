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

// Wishes beside a pattern on a fabric; the bits of `takes` of struct loom_planner.
enum loom_takes {
	LOOM_TAKES_HALF_DUPLEX = 1, // heeds plan->half_duplex
	LOOM_TAKES_RULES = 2,       // leaves every message the rule that it is handed with
	LOOM_TAKES_LOAD = 4,        // chooses routes by options->load
	LOOM_TAKES_DETOURS = 8,     // chooses routes with up to options->detours
	LOOM_TAKES_COST = 16,       // chooses by options->cost
	LOOM_TAKES_TIMING = 32,     // leaves messages as they are, in one pass
	LOOM_TAKES_CIRCUITS = 128,  // makes schedules of circuit switches: says when messages leave
	LOOM_TAKES_TRAFFIC = 64,    // gives each message a way of its own, in one pass on the map that it is given
};

// The request that a planner is handed.
struct loom_planner_request {
	const struct loom_pattern *pattern;
	const struct loom_plan_options *options; // never NULL; for who draws by lot, options->seed
	bool map_is_free; // the planner may choose the map (--map best); otherwise it must keep it
};

// A planner turns a pattern into passes. It is handed a plan whose topo, pattern, map (identity unless the caller
// fixed one), n_members, making, and messages (one pass per member, of the rule that was asked for, else ascending) are
// filled in, and improves on that.
// It knows no registers and no links.
struct loom_planner {
	const char *name, *help;
	bool (*accepts)(const struct loom_topo *topo, const struct loom_pattern *pattern);
	// True if the planner may be chosen for a pattern that it accepts without being named; NULL: for all of them.
	bool (*volunteers)(const struct loom_topo *topo, const struct loom_pattern *pattern);
	int (*plan)(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err);
	enum loom_bound bound;
	unsigned takes;    // bits of enum loom_takes; a planner without the bit is not asked where that is wanted
	bool only_by_name; // not every chip can run what it makes: "best" asks it only where routers have tables for it
	bool searches;     // for so long that somebody may want to end it with what it has found (loom_plan_searches)
	// The map alone decides the loads of channels, whatever is searched for: while a placement is looked for, the planner gets
	// few steps.
	bool loads_follow;
};

// Planners: flitloom's own, in order of preference: the first that accepts is used when the user names none. A program's
// own are handed over in loom_plan_options.
const struct loom_planner *loom_planner_at(size_t i);            // NULL after the last
const struct loom_planner *loom_planner_named(const char *name); // NULL: there is none

// True if a plan with these options is searched for: by a planner that searches, by "best", for a placement, or for as long
// as a budget lasts. options->stopped then ends it early; other plans take no time that is worth it.
bool loom_plan_searches(const struct loom_plan_options *options);

// Sets plan->lower_bound to what no routes between these nodes can beat, pass by pass.
int loom_planner_bound_placement(struct loom_plan *plan, struct loom_err *err);

// Replaces the messages of a plan, and its passes. Takes over `messages` (n of them, malloc'ed; or plan->messages itself, as
// changed), puts them in ascending order of pass, those of one pass as they were, and has `origin` follow: of what is sent on
// (from_slot) it is the index in `messages` of what brought it, of generated data it need not be set. All n_passes passes are
// of member 0: for patterns of one member, of whose messages no routes are chosen yet. LOOM_EINPUT: more passes than a plan on
// this fabric can have. On failure the plan still has its messages, and `messages` are freed.
int loom_planner_set_messages(struct loom_plan *plan, struct loom_plan_message *messages, size_t n, uint32_t n_passes,
                              struct loom_err *err);

// Relays a message by way of processor `middle`: writes the two messages to out[at] and out[at + 1]. The first goes
// to the middle in `pass`, where `slot` (from 1) of the store keeps it; the second goes on from there in the next
// pass. If the middle is the destination, only the first is needed; if it is the source, only the second; unless the
// network carries messages to oneself, too. A message to oneself goes by way of the middle like any other. The rule
// is that of `message`. Returns how many messages it wrote, 1 or 2.
size_t loom_planner_relay(struct loom_plan_message *out, size_t at, const struct loom_plan *plan,
                          const struct loom_plan_message *message, uint32_t middle, uint32_t pass, uint8_t slot);

LOOM_API_END

#endif
