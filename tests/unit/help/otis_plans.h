// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_OTIS_PLANS_H
#define TEST_OTIS_PLANS_H

#include <flitloom/plan.h>

#include "reference/ref_otis.h"

// Plans of moves, for the slow OTIS-Mesh and from its moves. On an error each function fails the test.

// A plan by hand: hops in ascending order of pass, each a message of 5 flits.
void otis_plan_of_hops(struct loom_plan *out, const char *fabric, const struct ref_otis_hop *hop, size_t n);

// Plays a plan, whose items are the pattern's messages, on the slow OTIS-Mesh, and returns the result; the plan's map
// places processors on nodes.
struct ref_otis_played otis_play_plan(const struct loom_plan *plan, const struct loom_pattern *pattern);

// Five moves on otis-mesh:4, right, down, light, right, down, that bring an item from 0 to 15, and one from 4 to 7.
enum { OTIS_FIVE = 7 };
extern const struct ref_otis_hop otis_five[OTIS_FIVE];
extern const struct ref_otis_item otis_five_items[2];

#endif
