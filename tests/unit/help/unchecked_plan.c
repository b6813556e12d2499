// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "unchecked_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <flitloom/planner.h>

void unchecked_plan(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	struct loom_err err = {0};
	*out = (struct loom_plan){.topo = *topo,
	                          .n_passes = 1,
	                          .n_members = 1,
	                          .n_messages = pattern->n_messages,
	                          .messages = calloc(pattern->n_messages + 1, sizeof *out->messages),
	                          .map = calloc(topo->n_nodes, sizeof *out->map),
	                          .member_of_pass = calloc(1, sizeof *out->member_of_pass)};
	assert_true(out->messages && out->map && out->member_of_pass);
	(void)snprintf(out->pattern, sizeof out->pattern, "%s", pattern->name);
	(void)snprintf(out->planner, sizeof out->planner, "direct");
	for (uint32_t v = 0; v < topo->n_nodes; v++)
		out->map[v] = v;
	// The identity of a power of two is an order of address bits.
	while (UINT32_C(1) << out->n_order < topo->n_nodes)
		out->n_order++;
	for (unsigned d = 0; d < out->n_order; d++)
		out->order[d] = d;
	if (UINT32_C(1) << out->n_order != topo->n_nodes)
		out->n_order = 0;
	for (size_t i = 0; i < pattern->n_messages; i++) {
		const struct loom_message *m = &pattern->messages[i];
		out->messages[i] = (struct loom_plan_message){
			.source = m->source, .destination = m->destination, .flits = m->flits, .origin = (uint32_t)i};
	}
	if (pattern->timing)
		out->timing = loom_timing_copy(pattern->timing, pattern->n_messages, pattern->n_nodes);
	if (loom_planner_bound_placement(out, &err) != 0 || loom_plan_predict(out, &err) != 0)
		fail_msg("%s on %s: %s", pattern->name, topo->name, err.text);
}
