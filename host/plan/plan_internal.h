// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_INTERNAL_H
#define LOOM_PLAN_INTERNAL_H

// Declarations that the files of host/plan which make and check plans share. Planners that can ask for too many passes
// include it, too, and no other files do.

#include <flitloom/plan.h>

struct loom_planner;

// Reads --map into map[n_nodes]. NULL or "best" sets *is_free, and the identity. LOOM_EINPUT: not a permutation.
int loom_plan_parse_map(uint32_t *map, bool *is_free, const struct loom_topo *topo, const char *text,
                        struct loom_err *err);
bool loom_plan_map_is_file(const char *text); // NULL allowed
// Reads the map in a file: numbers between commas or white space; # begins a comment. Processors that are not in it get
// the nodes that are left, in ascending order.
int loom_plan_read_places(uint32_t *map, const struct loom_topo *topo, const char *path, struct loom_err *err);
int loom_plan_parse_places(uint32_t *map, const struct loom_topo *topo, const char *text, const char *where,
                           struct loom_err *err);
// Finds the bit order behind a map, which is a permutation. Returns its length; 0: there is none.
unsigned loom_plan_order_of_map(unsigned order[LOOM_GF2_MAX], const uint32_t *map, uint32_t n_nodes);
// Checks that each of 0..n-1 is there once; `what` says what the numbers are. place (n entries) is scratch: the
// position of each number, counted from 1.
int loom_plan_check_permutation(const uint32_t *number, size_t n, uint32_t *place, const char *what,
                                struct loom_err *err);

// Checks that a plan on this fabric can have n_passes passes. LOOM_EINPUT.
int loom_plan_check_passes(const struct loom_topo *topo, uint64_t n_passes, struct loom_err *err);

// Sets the messages' rules on a network on which these follow from the ends of messages. Does nothing on other
// networks, or if routes were chosen.
void loom_plan_settle_rules(struct loom_plan *plan);

// Checks that the chosen routes of a plan lead from source to destination and are minimal. LOOM_EINPUT names the
// message.
int loom_plan_check_routes(const struct loom_plan *plan, struct loom_err *err);
// Checks that the plan's labels can be loaded: its routers have tables, and routes with one label agree.
int loom_plan_check_labels(const struct loom_plan *plan, struct loom_err *err);
// True if nodes keep messages and send them on.
bool loom_plan_relays(const struct loom_plan *plan);
// Sets n_lanes, as struct loom_plan describes it.
int loom_plan_settle_lanes(struct loom_plan *plan, struct loom_err *err);

// Check what plan.h states about a plan with timing: all but its waits (LOOM_EINPUT), and that all waits are met.
int loom_plan_check_timing(const struct loom_plan *plan, struct loom_err *err);
int loom_plan_check_waits(const struct loom_plan *plan, struct loom_err *err);

// Checks every invariant that plan.h states, except the predictions. LOOM_EINPUT names the message or pass.
int loom_plan_check(const struct loom_plan *plan, struct loom_err *err);

// Chooses the planner that options->planner names. If that is NULL, chooses the first that volunteers for the pattern,
// among the caller's and then among flitloom's. LOOM_EINPUT: there is none, it cannot plan this, or it does not heed an
// option.
int loom_plan_choose(const struct loom_planner **out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                     const struct loom_plan_options *options, struct loom_err *err);
// Decides whether a planner can be asked: it takes all wishes beside the pattern (enum loom_takes), and accepts the
// pattern.
bool loom_planner_can(const struct loom_planner *planner, const struct loom_topo *topo,
                      const struct loom_pattern *pattern, const struct loom_plan_options *options);
// Checks that the plan delivers exactly the messages of the pattern. LOOM_EINTERNAL names a message that it loses or
// adds. Neither loads nor theory show a missing message if each channel carries one message.
int loom_plan_check_deliveries(const struct loom_plan *plan, const struct loom_pattern *pattern, struct loom_err *err);

// Does what loom_plan_make does, with a planner chosen as above, on this map. NULL: the map of options->map, which then
// needs no placing.
int loom_plan_make_on(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                      const struct loom_plan_options *options, const uint32_t *map, struct loom_err *err);
// Checks that messages are between nodes that take part, in a network with failures (plan_check.c).
int loom_plan_check_parts(const struct loom_plan *plan, struct loom_err *err);
// Does the same if loom_plan_map_is_placed is true of options->map (placement/place.c).
int loom_plan_make_placed(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                          const struct loom_plan_options *options, struct loom_err *err);
// Counts the flits on the busiest link between routers, summed over the passes. *on_all: those on all channels.
// LOOM_ENOMEM.
int loom_plan_placed_flits(uint64_t *on_busiest, uint64_t *on_all, const struct loom_plan *plan, struct loom_err *err);
// Makes a plan by one planner: calls loom_plan_make_placed if the map is to be placed, else loom_plan_make_on.
int loom_plan_make_by_one(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                          const struct loom_plan_options *options, struct loom_err *err);
// Does what loom_plan_make does if options->planner is "best".
int loom_plan_make_best(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                        const struct loom_plan_options *options, struct loom_err *err);

#endif
