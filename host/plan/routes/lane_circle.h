// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LANE_CIRCLE_H
#define LOOM_LANE_CIRCLE_H

#include <flitloom/routes/virtual_networks.h>

#include "topo/channel_graph.h"

// Finds a circle of a graph whose nodes are channel * n_lanes + lane, and whose edges are added by messages; n is 0 if
// there is none. -1: out of memory.
int loom_lane_circle_take(struct loom_lane_circle *out, const struct loom_channel_graph *g, uint32_t n_lanes);

#endif
