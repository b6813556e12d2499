// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_LANES_H
#define LOOM_TOPO_LANES_H

#include <stdbool.h>

#include <flitloom/topo.h>

// LOOM_EINPUT where `text`, "omega:8v2", asks for lanes and links of its kind have one (most). Else 0. is_fabric says if a
// text names a fabric.
int loom_topo_fail_lanes(const char *text, unsigned most, bool (*is_fabric)(const char *text), struct loom_err *err);

#endif
