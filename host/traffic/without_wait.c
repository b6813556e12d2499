// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/without_wait.h"

#include <flitloom/plan.h>

// Asks a plan of this message alone: it knows of light as well.
uint32_t loom_without_wait(const struct loom_topo *topo, uint32_t flits, uint32_t rule, uint32_t source,
                           uint32_t destination)
{
	uint32_t map[2] = {source, destination};
	struct loom_plan_message m = {
		.destination = 1, .flits = flits, .rule = (uint8_t)loom_topo_rule(topo, source, destination, rule)};
	const struct loom_plan alone = {
		.topo = *topo, .n_passes = 1, .n_messages = 1, .messages = &m, .map = map, .n_lanes = 1};
	return (uint32_t)loom_plan_message_cycles(&alone, &m);
}
