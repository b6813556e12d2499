// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs that come from elsewhere than a file, and with other lanes.
#include "topo/graph.h"
#include "topo/topo_kinds.h"

int loom_topo_of_graph(struct loom_topo *out, const char *name, const struct loom_graph_wires *wires, unsigned n_vcs,
                       struct loom_err *err)
{
	struct loom_topo t = {.kind = &loom_topo_kind_graph};
	int rc = loom_graph_fill(&t, name, wires, n_vcs, err);
	if (rc == 0)
		rc = loom_topo_finish(&t, err);
	if (rc == 0)
		*out = t;
	else
		loom_topo_free(&t);
	return rc;
}
