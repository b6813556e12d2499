// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROUTE_PLAN_CHECKS_H
#define ROUTE_PLAN_CHECKS_H

#include <stdint.h>

#include <flitloom/err.h>
#include <flitloom/plan.h>

// Checks of any plan whose messages have chosen routes. Each fails the test on an error.

// Checks the plan's load of each channel against its routes, walked. Returns the number of links on all routes.
uint64_t route_plan_walk(const struct loom_plan *plan);
void route_plan_check_loads(const struct loom_plan *plan); // also checks that routes are shortest ones
void route_plan_check_file(const struct loom_plan *plan);  // checks that a plan that is written and read stays the same

// Checks that rc is the wanted code, and that the error has `part`.
void expect_failure(int rc, int wanted, const struct loom_err *err, const char *part);

#endif
