// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables as CSV, as own_tables.c reads them.
#include <flitloom/own_tables.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/graph.h>

#include "base/file.h"
#include "base/text.h"

struct written {
	const struct loom_route_tables *tables;
	const struct loom_topo *topo;
};

// Whether a name is read as it is written.
static bool is_plain(const char *name)
{
	size_t n = strlen(name);
	return n > 0 && !strchr(name, ',') && name[0] != '#' && name[0] != ' ' && name[n - 1] != ' ';
}

// "+x"; in a graph "->b", or its number where b would not be read.
static void name_port(char out[LOOM_TABLE_NODE], const struct written *w, uint32_t node, uint8_t port)
{
	char name[LOOM_TABLE_NODE] = "";
	uint32_t v;
	unsigned back;
	struct loom_graph_facts facts;
	if (!loom_topo_graph_facts(&facts, w->topo)) {
		w->topo->kind->link_name(w->topo, port - 1u, name);
		(void)snprintf(out, LOOM_TABLE_NODE, "%s", name);
		return;
	}
	if (w->topo->kind->link(w->topo, node, port - 1u, &v, &back))
		loom_table_node(name, w->topo, v);
	if (is_plain(name))
		(void)snprintf(out, LOOM_TABLE_NODE, "->%.21s", name);
	else
		(void)snprintf(out, LOOM_TABLE_NODE, "%d", port);
}

static int put_tables(FILE *stream, const void *user)
{
	const struct written *w = user;
	const struct loom_route_tables *t = w->tables;
	const uint8_t *port = t->port;
	(void)fprintf(stream, "# %s\nnode,network,label,port\n", w->topo->name);
	for (uint32_t network = 0; network < t->n_networks; network++)
		for (uint32_t label = 0; label < t->n_labels; label++)
			for (uint32_t node = 0; node < t->n_nodes; node++, port++) {
				char name[LOOM_TABLE_NODE] = "local", at[LOOM_TABLE_NODE];
				if (*port == LOOM_PORT_NONE)
					continue;
				if (*port)
					name_port(name, w, node, *port);
				loom_table_node(at, w->topo, node);
				if (!is_plain(at))
					(void)snprintf(at, sizeof at, "%" PRIu32, node);
				(void)fprintf(stream, "%s,%" PRIu32 ",%" PRIu32 ",%s\n", at, network, label, name);
			}
	return 0;
}

int loom_own_tables_write(const struct loom_route_tables *tables, const struct loom_topo *topo, const char *path,
                          struct loom_err *err)
{
	const struct written written = {tables, topo};
	return loom_file_write(path, put_tables, &written, err);
}
