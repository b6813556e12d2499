// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_LANES_H
#define LOOM_TOPO_LANES_H

#include <stdbool.h>

#include <flitloom/topo.h>

// LOOM_EINPUT where `text`, "mesh:4x4v2", asks for more lanes than links of its kind have (most): the line names the kind with
// tables that has them. Else 0. is_fabric: whether a text names one.
int loom_topo_fail_lanes(const char *text, unsigned most, bool (*is_fabric)(const char *text), struct loom_err *err);

#endif
