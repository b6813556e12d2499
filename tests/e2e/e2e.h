// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef E2E_H
#define E2E_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "rig.h"

// The counts of checks, and the requested numbers of random items of each sort on each fabric.
struct e2e {
	unsigned passed, failed;
	uint64_t seed;
	unsigned lccs, lists, perms, others, two, programs;
	unsigned reference; // nodes of the largest network that the reference machine is asked about: it is slow
	bool all;           // also fabrics and cases that take minutes
	const char *by;     // the text after the fabric's name, for subjects that need a planner; else NULL
};

// A subject of tests, written once for all fabrics that can do it. The fabric is open; `rng` depends on the seed, the
// fabric and the subject.
struct subject {
	const char *name;
	bool (*serves)(const struct loom_topo *topo);
	void (*test)(struct e2e *t, struct rig *rig, struct loom_rng *rng);
};

extern const struct subject golden_tables, golden_lccs, golden_wormhole; // golden.c
extern const struct subject random_lccs, lcc_sets;                       // lccs.c
extern const struct subject random_lists, random_perms, heavy_lists;     // lists.c
extern const struct subject adaptive_lists, turn_lists,
	via_lists;                        // adaptive.c, on adaptive routers, and on those that send through a node
extern const struct subject chosen_lists; // chosen.c
extern const struct subject relays, two_passes;                                      // relays.c
extern const struct subject back_to_back;                                            // back_to_back.c
extern const struct subject all_to_all, admissible;                                  // stages.c
extern const struct subject otis_distances, otis_at_once, otis_one_lane, otis_again; // otis.c
extern const struct subject otis_bpc, otis_any;                                      // otis_moves.c
extern const struct subject circuits;                                                // circuits.c
extern const struct subject streams;                                                 // streams.c
extern const struct subject programs;                                                // programs.c
extern const struct subject collectives;                                             // goals.c, only where it is named
extern const struct subject waveform, many_links;                                    // links.c
extern const struct subject perms_in_passes, all_perms_in_passes, lists_in_passes;   // passes.c, all told the planner

// --- What a fabric can do ------------------------------------------------------------------------------------------

bool is_cube(const struct loom_topo *topo);
bool is_multistage(const struct loom_topo *topo);
bool has_order(const struct loom_topo *topo); // direct, and messages cannot wait for one another in a circle

// --- Checks --------------------------------------------------------------------------------------------------------

bool check(struct e2e *t, bool ok, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Checks that every message and every channel is as planned. `what` and `i` are for the text of a failure.
void check_verdict(struct e2e *t, const struct run *run, const char *what, uint64_t i);
// Checks that the cycles of each message and the counts of each channel are those of the slow reference machine, if the
// fabric is one that it knows (not benes) and small enough for it.
void check_reference(struct e2e *t, const struct run *run, enum loom_machine machine, const char *what, uint64_t i);

// --- Patterns and plans --------------------------------------------------------------------------------------------

bool parse(struct e2e *t, struct run *run, const struct rig *rig, const char *spec, uint32_t flits, uint64_t seed);
bool plan(struct e2e *t, struct run *run, const struct rig *rig, const char *planner, const char *map);
// Plans the pattern in one pass by this rule. It may lock until it is cut into passes, so loom_plan_make would refuse
// it.
bool plan_by_hand(struct e2e *t, struct run *run, const struct rig *rig, enum loom_rule rule);
// Plans the messages in one pass, on routes that were chosen for them. Halves their number until they fit: they must
// not lock, or have too many labels. chosen.c.
bool plan_routes(struct e2e *t, struct run *run, const struct rig *rig, const struct loom_message *messages, size_t n,
                 struct loom_rng *rng);
// Puts each message into the first pass in which all its channels are free.
bool cut_into_passes(struct e2e *t, struct run *run);
enum loom_machine any_machine(struct loom_rng *rng);
// Draws a rule that the reference machine knows: cubes serve headers that come together in the order of their sources,
// but only under e-cube.
enum loom_rule any_rule(const struct rig *rig, struct loom_rng *rng);
void shuffle(struct loom_rng *rng, uint32_t *to, uint32_t n);
bool next_permutation(uint32_t *to, uint32_t n); // in lexicographic order; false after the last
bool permutation(struct e2e *t, struct run *run, const uint32_t *to, uint32_t n, uint32_t flits);

#endif
