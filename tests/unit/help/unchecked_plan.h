// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef UNCHECKED_PLAN_H
#define UNCHECKED_PLAN_H

#include <flitloom/plan.h>

// The pattern as it is, identity map, one pass: what planner direct makes, but also where messages can lock or waits are never met, which
// loom_plan_make refuses. For tests of what a plan predicts.
void unchecked_plan(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern);

#endif
