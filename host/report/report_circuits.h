// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_CIRCUITS_H
#define LOOM_REPORT_CIRCUITS_H

#include <jansson.h>

#include <flitloom/plan.h>

#include "report/report_table.h"

// Reports schedules of circuit switches that a planner made. Nothing is written for other plans, nor for those from
// files.

// Adds "circuits" to a report in JSON. Not 0: out of memory.
int loom_report_circuits_to(json_t *root, const struct loom_plan *plan);

// Adds rows to a table: the makespan with its bound, the time in the dark, and the use of the ports.
void loom_table_circuits(struct loom_table *t, const struct loom_plan *plan);

#endif
