// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_INTERNAL_H
#define LOOM_PLAN_INTERNAL_H

// Declarations that the files of host/plan share that make and check plans; planners that can ask for too many passes
// include it, too, and nobody else does.

#include <flitloom/plan.h>

struct loom_planner;

// Reads --map (NULL or "best": *is_free, and the identity) into map[n_nodes]. LOOM_EINPUT: not a permutation.
int loom_plan_parse_map(uint32_t *map, bool *is_free, const struct loom_topo *topo, const char *text,
                        struct loom_err *err);
bool loom_plan_map_is_file(const char *text); // NULL allowed
// The map in a file: numbers between commas or white space, from # on to the end of a line nothing. Processors that are not
// in it get the nodes that are left, in ascending order.
int loom_plan_read_places(uint32_t *map, const struct loom_topo *topo, const char *path, struct loom_err *err);
int loom_plan_parse_places(uint32_t *map, const struct loom_topo *topo, const char *text, const char *where,
                           struct loom_err *err);
// The bit order behind a map (which is a permutation), if there is one; returns its length, else 0.
unsigned loom_plan_order_of_map(unsigned order[LOOM_GF2_MAX], const uint32_t *map, uint32_t n_nodes);
// Checks that each of 0..n-1 is there once; `what` says what the numbers are. place (n entries) is scratch: where each
// number was seen, counted from 1.
int loom_plan_check_permutation(const uint32_t *number, size_t n, uint32_t *place, const char *what,
                                struct loom_err *err);

// LOOM_EINPUT: more passes than a plan on this fabric can have.
int loom_plan_check_passes(const struct loom_topo *topo, uint64_t n_passes, struct loom_err *err);

// Sets the messages' rules: on a network on which they follow from the ends of messages, these; elsewhere, or where
// routes were chosen, nothing.
void loom_plan_settle_rules(struct loom_plan *plan);

// Checks that the chosen routes of a plan are the messages' and minimal; LOOM_EINPUT names the message.
int loom_plan_check_routes(const struct loom_plan *plan, struct loom_err *err);
// Checks that labels that the plan has can be loaded: its routers have tables, and routes with one label agree.
int loom_plan_check_labels(const struct loom_plan *plan, struct loom_err *err);
// True if nodes keep messages and send them on.
bool loom_plan_relays(const struct loom_plan *plan);
// Sets n_lanes, as struct loom_plan says.
int loom_plan_settle_lanes(struct loom_plan *plan, struct loom_err *err);

// Checks what plan.h states of a plan with timing (LOOM_EINPUT), its waits left out; and that these are all met.
int loom_plan_check_timing(const struct loom_plan *plan, struct loom_err *err);
int loom_plan_check_waits(const struct loom_plan *plan, struct loom_err *err);

// Checks every invariant that plan.h states, the predictions left out. LOOM_EINPUT names the message or pass.
int loom_plan_check(const struct loom_plan *plan, struct loom_err *err);

// The planner that options->planner names or, if that is NULL, the first that volunteers for the pattern: of the caller's,
// then of flitloom's. LOOM_EINPUT: there is none, it cannot plan this, or it does not heed an option.
int loom_plan_choose(const struct loom_planner **out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                     const struct loom_plan_options *options, struct loom_err *err);
// Decides whether a planner can be asked: it takes all of what is wanted beside the pattern (enum loom_takes), and accepts that.
bool loom_planner_can(const struct loom_planner *planner, const struct loom_topo *topo,
                      const struct loom_pattern *pattern, const struct loom_plan_options *options);
// LOOM_EINTERNAL names a message that the plan loses or that nobody asked for. Neither loads nor theory can tell a
// message that is missing where each channel carries one.
int loom_plan_check_deliveries(const struct loom_plan *plan, const struct loom_pattern *pattern, struct loom_err *err);

// loom_plan_make by the planner that is chosen as above, on that map (NULL: as options->map says, which is then not placed).
int loom_plan_make_on(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                      const struct loom_plan_options *options, const uint32_t *map, struct loom_err *err);
// Checks that messages are between nodes that take part in a network of which something failed (plan_check.c).
int loom_plan_check_parts(const struct loom_plan *plan, struct loom_err *err);
// The same where loom_plan_map_is_placed says so of options->map (placement/place.c).
int loom_plan_make_placed(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                          const struct loom_plan_options *options, struct loom_err *err);
// Flits on the busiest link between routers, summed over the passes; *on_all: on all channels. load: scratch, an element per
// channel.
uint64_t loom_plan_placed_flits(uint64_t *on_all, const struct loom_plan *plan, uint64_t *load);
// Makes a plan by one planner: calls loom_plan_make_placed if the map is to be placed, else loom_plan_make_on.
int loom_plan_make_by_one(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                          const struct loom_plan_options *options, struct loom_err *err);
// loom_plan_make where options->planner is "best".
int loom_plan_make_best(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                        const struct loom_plan_options *options, struct loom_err *err);

#endif
