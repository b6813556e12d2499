// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_PLACED_PLANS_H
#define TEST_PLACED_PLANS_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/pattern.h>
#include <flitloom/plan.h>

// The tests of placements share this. All of it fails the test that calls it.

// n messages of 1 to most_flits flits (each of -most_flits if that is negative) between n_tasks tasks on n_nodes nodes, no
// fewer than tasks. Some are to their own sender.
struct loom_pattern random_messages(uint32_t n_nodes, uint32_t n_tasks, size_t n, int most_flits, uint64_t *seed);
// The flits of every channel and pass as the plan has them, the most of each pass added up.
uint64_t placed_flits_slowly(const struct loom_plan *plan);

#endif
