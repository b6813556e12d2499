// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_PLACED_PLANS_H
#define TEST_PLACED_PLANS_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/pattern.h>
#include <flitloom/plan.h>

// Functions for the tests of placements. On an error each fails the test.

// n messages of 1 to most_flits flits (each of -most_flits if that is negative) between n_tasks tasks on n_nodes nodes, no
// fewer than tasks. Some are to their own sender.
struct loom_pattern random_messages(uint32_t n_nodes, uint32_t n_tasks, size_t n, int most_flits, uint64_t *seed);
// Returns the sum over passes of the most flits on a channel of the pass.
uint64_t placed_flits_slowly(const struct loom_plan *plan);

#endif
