// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_TIMING_H
#define LOOM_PLAN_TIMING_H

#include <flitloom/plan.h>

// Finds the message that each waiting gate of a plan with timing waits for; SIZE_MAX if fewer are sent.
// Malloc'ed, an element for every gate.
int loom_plan_wanted(size_t **out, const struct loom_plan *plan, struct loom_err *err);

#endif
