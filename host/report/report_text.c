// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_text.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

void loom_report_map(char *out, size_t size, const struct loom_plan *plan)
{
	enum { SHOWN = 8 };
	bool identity = true;
	for (unsigned d = 0; d < plan->n_order; d++)
		identity = identity && plan->order[d] == d;
	for (uint32_t v = 0; !plan->n_order && v < plan->topo.n_nodes; v++)
		identity = identity && plan->map[v] == v;
	if (identity) {
		(void)snprintf(out, size, "identity");
		return;
	}
	uint32_t n = plan->n_order ? plan->n_order : plan->topo.n_nodes, shown = n;
	if (!plan->n_order && n > SHOWN)
		shown = SHOWN;
	size_t used = 0;
	for (uint32_t i = 0; i < shown && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%" PRIu32, i ? "," : "",
		                         plan->n_order ? (uint32_t)plan->order[i] : plan->map[i]);
	if (shown < n && used < size)
		(void)snprintf(out + used, size - used, ",... (%" PRIu32 " nodes)", n);
}

bool loom_report_group_is_local(const struct loom_topo *topo, unsigned group)
{
	return group + 2 >= loom_topo_groups(topo);
}
