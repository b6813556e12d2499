// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/named_node.h"

#include <string.h>

#include <flitloom/routes/graph.h>

#include "base/text.h"

bool loom_named_node(uint32_t *out, const struct loom_topo *t, const char *name, size_t length)
{
	struct loom_graph_facts graph;
	uint64_t number;
	if (!loom_topo_graph_facts(&graph, t)) {
		if (!loom_text_number(&number, name, length) || number >= t->n_nodes)
			return false;
		*out = (uint32_t)number;
		return true;
	}
	for (uint32_t u = 0; u < t->n_nodes; u++)
		if (strlen(graph.wires->name[u]) == length && memcmp(graph.wires->name[u], name, length) == 0) {
			*out = u;
			return true;
		}
	return false;
}
