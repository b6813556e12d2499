// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_delays.h"

#include "chip/programs.h"

// True if the trace has the nodes' logs: programs, and when each of their entries began.
static bool has_programs(const struct loom_panel *panel)
{
	return panel->plan->timing && panel->trace && panel->trace->released;
}

static void visit_processor(const struct loom_panel *panel, const struct loom_programs *programs, uint32_t processor,
                            void (*visit)(void *user, const struct loom_delay *delay), void *user)
{
	const struct loom_trace *trace = panel->trace;
	const uint32_t node = panel->plan->map[processor];
	const size_t first = programs->first[processor], n = programs->first[processor + 1] - first;
	struct loom_delay delay = {.processor = processor, .node = node};
	bool any = false;
	for (size_t k = 0; k < n && k < trace->first_entry[node + 1] - trace->first_entry[node]; k++) {
		const struct loom_entry *entry = &programs->entry[first + k];
		const uint64_t began = trace->released[trace->first_entry[node] + k];
		if (entry->kind != LOOM_ENTRY_DELAY || (entry->at != 0 && entry->value == 1)) // that is an AT
			continue;
		if (any && began != delay.last + 1)
			visit(user, &delay);
		if (!any || began != delay.last + 1)
			delay.first = began;
		delay.last = began + entry->value - 1;
		any = true;
	}
	if (any)
		visit(user, &delay);
}

int loom_report_delays(const struct loom_panel *panel, void (*visit)(void *user, const struct loom_delay *delay),
                       void *user, struct loom_err *err)
{
	struct loom_programs programs;
	if (!has_programs(panel))
		return 0;
	int rc = loom_programs_make(&programs, panel->plan, err);
	if (rc != 0)
		return rc;
	for (uint32_t v = 0; v < panel->plan->topo.n_nodes; v++)
		visit_processor(panel, &programs, v, visit, user);
	loom_programs_free(&programs);
	return 0;
}
