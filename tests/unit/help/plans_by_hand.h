// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_PLANS_BY_HAND_H
#define TEST_PLANS_BY_HAND_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/plan.h>

#include "base/rng.h"

// Functions for the tests of plans. On an error each fails the test.

struct loom_topo cube_of(unsigned n);

// Makes a pattern of any kind by hand. Freed by loom_pattern_free.
struct loom_pattern pattern_by_hand(struct loom_rng *rng, uint32_t n_nodes, size_t n_messages, uint32_t n_members);

struct loom_plan make_plan(const struct loom_topo *topo, const struct loom_pattern *pattern, const char *map,
                           const char *planner, const char *objective);

// Two members in three passes; the data of the first two messages is stored and sent on, of the first one twice.
struct loom_plan relay_plan(unsigned n);

// Writes a random map of all nodes, such as "3,1,0,2".
void map_by_chance(struct loom_rng *rng, const struct loom_topo *t, char *text);

// Checks the prediction: walks every message again, one bit at a time, and counts passes separately.
void check_prediction(const struct loom_plan *plan, uint64_t seed);

// Checks that both have the same messages in the same order.
void check_same_messages(const struct loom_plan *a, const struct loom_plan *b);

#endif
