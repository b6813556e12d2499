// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes graphs that do not come from a file, and graphs with other lanes.
#include <stdlib.h>
#include <string.h>

#include "topo/graph.h"
#include "topo/topo_kinds.h"

int loom_topo_of_graph(struct loom_topo *out, const char *name, const struct loom_graph_wires *wires, unsigned n_vcs,
                       struct loom_err *err)
{
	struct loom_topo t = {.kind = &loom_topo_kind_graph, .buffers = LOOM_BUFFERS_USUAL};
	struct loom_topo_suffix suffix;
	const size_t length = loom_topo_suffix_split(&suffix, name);
	char *network = strndup(name, length);
	int rc = network ? loom_graph_fill(&t, network, wires, n_vcs, err)
	                 : loom_fail(err, LOOM_ENOMEM, "no memory for the name of a graph");
	free(network);
	if (rc == 0)
		rc = loom_topo_finish(&t, err);
	if (rc == 0)
		rc = loom_topo_suffix_set(&t, &suffix, err);
	if (rc == 0)
		*out = t;
	else
		loom_topo_free(&t);
	return rc;
}
