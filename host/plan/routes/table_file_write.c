// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes tables as CSV, which table_file.c reads.
#include <flitloom/routes/table_file.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/graph.h>

#include "base/file.h"

struct written {
	const struct loom_route_tables *tables;
	const struct loom_topo *topo;
};

// Writes a field. Text that would otherwise be misread stands between quotation marks, which no name contains.
static void put_field(FILE *stream, const char *text, char after)
{
	size_t n = strlen(text);
	bool is_plain = n > 0 && !strchr(text, ',') && text[0] != '#' && text[0] != ' ' && text[n - 1] != ' ';
	(void)fprintf(stream, is_plain ? "%s%c" : "\"%s\"%c", text, after);
}

// Names a port: "+x", or in a graph "->b".
static void name_port(char out[LOOM_TABLE_NODE], const struct loom_topo *topo, uint32_t node, uint8_t port)
{
	char name[LOOM_TABLE_NODE] = "";
	uint32_t v;
	unsigned back;
	if (!topo->graph) {
		topo->kind->link_name(topo, port - 1u, out);
		return;
	}
	if (topo->kind->link(topo, node, port - 1u, &v, &back))
		loom_table_node(name, topo, v);
	(void)snprintf(out, LOOM_TABLE_NODE, "->%.21s", name);
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
					name_port(name, w->topo, node, *port);
				loom_table_node(at, w->topo, node);
				put_field(stream, at, ',');
				(void)fprintf(stream, "%" PRIu32 ",%" PRIu32 ",", network, label);
				put_field(stream, name, '\n');
			}
	return 0;
}

int loom_table_file_write(const struct loom_route_tables *tables, const struct loom_topo *topo, const char *path,
                          struct loom_err *err)
{
	const struct written written = {tables, topo};
	return loom_file_write(path, put_tables, &written, err);
}
