// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/open_tables.h"

#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/link/regmap.h>

#include "topo/topo_ocs.h"

int loom_open_tables_check(const struct loom_topo *t, struct loom_err *err)
{
	if (loom_topo_has_circuits(t))
		return loom_topo_refuse_circuits(t, "nodes of the user's own", err);
	for (uint32_t u = 0; loom_topo_rules_by_ends(t) && u < t->n_nodes; u++)
		for (uint32_t v = 0; v < t->n_nodes; v++)
			if (loom_topo_rule(t, u, v, LOOM_RULE_ASCENDING) != LOOM_RULE_ASCENDING)
				return loom_fail(err, LOOM_EINPUT,
				                 "%.100s: its routes are free of deadlocks on %u lanes together, and "
				                 "an open fabric's messages all go on the first; without %sv%u it can "
				                 "be had",
				                 t->name, t->n_vcs, t->kind->is_in_file ? ":" : "", t->n_vcs);
	return 0;
}

int loom_open_tables_load(struct loom_link *link, const struct loom_topo *t, struct loom_err *err)
{
	if (t->kind->router != LOOM_ROUTER_TABLE)
		return 0;
	uint32_t n = t->n_nodes, *ports = malloc((size_t)n * sizeof *ports);
	int code = ports ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for a table of %" PRIu32 " nodes", n);
	for (uint32_t here = 0; code == 0 && here < n; here++) {
		for (uint32_t v = 0; v < n; v++)
			ports[v] = loom_topo_port(t, here, v, LOOM_RULE_ASCENDING);
		code = loom_link_write(link, LOOM_WINDOW_ROUTE | here << LOOM_INDEX_LOW, ports, n, link->timeout_ms,
		                       err);
	}
	free(ports);
	return code;
}
