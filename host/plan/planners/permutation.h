// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLANNER_PERMUTATION_H
#define LOOM_PLANNER_PERMUTATION_H

#include <stdbool.h>

#include <flitloom/pattern.h>

// True if a pattern is one communication in which no processor sends or receives more than one message.
bool loom_planner_is_permutation(const struct loom_pattern *pattern);

// True if a pattern is an all-to-all: one message from every processor to every other, all of one length. Messages to
// oneself are either all there or all left out.
bool loom_planner_is_all_to_all(const struct loom_pattern *pattern);

#endif
