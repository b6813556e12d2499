// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads "timing" from a plan's file. The values of the gates are checked with everything else.
#include <stdio.h>
#include <string.h>

#include "plan/plan_values.h"

// Reads the place and the kind of a gate.
static int get_gate(struct loom_gate *out, size_t *place, const json_t *row, size_t i, struct loom_err *err)
{
	const char *name = json_string_value(json_array_get(row, 1));
	char what[64];
	uint32_t number = 0;
	struct loom_gate gate = {.kind = LOOM_GATE_AT};
	while (name && loom_gate_name(gate.kind) && strcmp(loom_gate_name(gate.kind), name) != 0)
		gate.kind++;
	if (!name || !loom_gate_name(gate.kind) || json_array_size(row) != (gate.kind == LOOM_GATE_WAIT ? 4 : 3))
		return loom_fail(
			err, LOOM_EINPUT,
			"timing[%zu] is none of [place, \"at\", cycle], [place, \"delay\", cycles] and [place, "
			"\"wait\", k, source]",
			i);
	(void)snprintf(what, sizeof what, "place of timing[%zu]", i);
	int rc = loom_plan_get_number(&number, json_array_get(row, 0), what, UINT32_MAX, err);
	(void)snprintf(what, sizeof what, "value of timing[%zu]", i);
	if (rc == 0)
		rc = loom_plan_get_number(&gate.value, json_array_get(row, 2), what, UINT32_MAX, err);
	(void)snprintf(what, sizeof what, "source of timing[%zu]", i);
	if (rc == 0 && gate.kind == LOOM_GATE_WAIT)
		rc = loom_plan_get_number(&gate.source, json_array_get(row, 3), what, UINT32_MAX, err);
	*place = number;
	*out = gate;
	return rc;
}

int loom_plan_get_timing(struct loom_plan *plan, const json_t *list, struct loom_err *err)
{
	size_t n = json_array_size(list), n_places = plan->n_messages + plan->topo.n_nodes, last = 0;
	if (!json_is_array(list))
		return loom_fail(err, LOOM_EINPUT, "\"timing\" is not a list");
	struct loom_timing *t = plan->timing = loom_timing_new(plan->n_messages, plan->topo.n_nodes, n);
	if (!t)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %zu gates", n);
	for (size_t i = 0; i < n; i++) {
		size_t place = 0;
		int rc = get_gate(&t->gate[i], &place, json_array_get(list, i), i, err);
		if (rc == 0 && (place >= n_places || place < last))
			rc = loom_fail(
				err, LOOM_EINPUT,
				"place of timing[%zu] is %zu: places ascend, and are below %zu, the messages and the "
				"processors",
				i, place, n_places);
		if (rc != 0)
			return rc;
		while (last < place)
			t->first[++last] = i;
	}
	while (last < n_places)
		t->first[++last] = n;
	return 0;
}
