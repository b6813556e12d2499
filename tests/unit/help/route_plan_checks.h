// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROUTE_PLAN_CHECKS_H
#define ROUTE_PLAN_CHECKS_H

#include <stdint.h>

#include <flitloom/err.h>
#include <flitloom/plan.h>

// Checks that hold for every plan whose messages have routes of their own. Each fails the test.

// Checks the plan's load of each channel against its routes, walked. Returns the number of links on all routes.
uint64_t route_plan_walk(const struct loom_plan *plan);
void route_plan_check_loads(const struct loom_plan *plan); // the same, and no hop more than need be
void route_plan_check_file(const struct loom_plan *plan);  // written and read it is the same plan

// rc is the code that is wanted, and the error says so.
void expect_failure(int rc, int wanted, const struct loom_err *err, const char *part);

#endif
