// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TABLE_FABRIC_H
#define LOOM_TABLE_FABRIC_H

#include <stdbool.h>

#include <flitloom/plan.h>

// Names the fabric that would run a plan's chosen routes: the plan's network with tables in its routers and with enough
// lanes ("table-mesh:4x4v2"). false: there is none.
bool loom_plan_table_fabric(char out[LOOM_TOPO_NAME], const struct loom_plan *plan);

#endif
