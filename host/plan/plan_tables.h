// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_TABLES_H
#define LOOM_PLAN_TABLES_H

#include <flitloom/plan.h>
#include <flitloom/routes/route_tables.h>

// Checks that a chip of the plan's fabric could run the chosen routes, if there are any. LOOM_EINPUT: its routers have
// no tables; the text names what can be run. Other errors are those of loom_plan_tables_make.
int loom_plan_tables_check(const struct loom_plan *plan, struct loom_err *err);
// Makes the tables for these routes of the plan's messages, with the plan's labels if it has any. LOOM_EFIT: too many
// labels; LOOM_EINPUT: labels that contradict each other.
int loom_plan_tables_make(struct loom_route_tables *out, const struct loom_plan *plan, const struct loom_routes *routes,
                          struct loom_err *err);

#endif
