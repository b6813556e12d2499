// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/table_fabric.h"

#include <stdio.h>
#include <string.h>

#include "plan/plan_internal.h"

static const struct loom_topo_kind *kind_called(const char *name)
{
	const struct loom_topo_kind *kind = NULL;
	for (size_t i = 0; (kind = loom_topo_kind_at(i)) && strcmp(kind->name, name) != 0; i++)
		;
	return kind;
}

static const struct loom_topo_kind *with_tables(const struct loom_topo_kind *kind)
{
	if (kind->router == LOOM_ROUTER_TABLE)
		return kind;
	if (kind->router != LOOM_ROUTER_ORDER)
		return NULL;
	return kind_called(kind->complements_bits ? "table-cube" : kind->wraps ? "table-torus" : "table-mesh");
}

static bool topo_with_tables(struct loom_topo *out, const struct loom_topo *t)
{
	const struct loom_topo_kind *kind = with_tables(t->kind);
	if (t->graph)
		loom_topo_copy(out, t);
	return t->graph || (kind && loom_topo_of_extents(out, kind, t->n_dims, t->extent, NULL) == 0);
}

bool loom_plan_table_fabric(char out[LOOM_TOPO_NAME], const struct loom_plan *plan)
{
	struct loom_plan there = *plan;
	bool found = false;
	if (!topo_with_tables(&there.topo, &plan->topo))
		return false;
	unsigned n_vcs =
		there.topo.kind == plan->topo.kind ? plan->topo.n_vcs : 1; // tables may need more lanes than planned
	for (; !found && n_vcs <= LOOM_LANES_MAX; n_vcs++) {
		if (loom_topo_set_vcs(&there.topo, n_vcs, NULL) != 0 || loom_plan_settle_lanes(&there, NULL) != 0)
			break;
		found = there.n_lanes <= n_vcs;
	}
	if (found)
		(void)snprintf(out, LOOM_TOPO_NAME, "%s", there.topo.name);
	loom_topo_free(&there.topo);
	return found;
}
