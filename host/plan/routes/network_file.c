// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/routes/network_file.h"

#include <inttypes.h>

#include <flitloom/routes/failures.h>
#include <flitloom/routes/table_file.h>

#include "topo/choice_states.h"

bool loom_network_link(const struct loom_topo *t, uint32_t channel, uint32_t *tail, uint32_t *head)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	unsigned back;
	*tail = channel / per_tile;
	return channel % per_tile < loom_topo_links(t) && t->kind->link(t, *tail, channel % per_tile, head, &back);
}

void loom_network_put(FILE *stream, const struct loom_topo *t, const uint32_t *node_of)
{
	uint32_t tail, head, n_links = 0, n_nodes = 0, n_hosts = 0;
	for (uint32_t v = 0; v < t->n_nodes; v++)
		n_hosts += loom_states_is_end(t, v);
	if (loom_topo_hosts(t) < t->n_nodes)
		(void)fprintf(stream, "\"hosts\":%" PRIu32 ",\n", n_hosts);
	(void)fputs("\"nodes\":[", stream);
	for (uint32_t v = 0; v < t->n_nodes; v++) {
		char name[LOOM_TABLE_NODE];
		if (!loom_topo_takes_part(t, v))
			continue;
		loom_table_node(name, t, v);
		(void)fprintf(stream, "%s\"%s\"", n_nodes++ ? "," : "",
		              name); // no name has a quotation mark or a backslash
	}
	(void)fputs("],\n\"links\":[", stream);
	for (uint32_t channel = 0; channel < loom_topo_channels(t); channel++)
		if (loom_network_link(t, channel, &tail, &head))
			(void)fprintf(stream, "%s[%" PRIu32 ",%" PRIu32 "]", n_links++ ? "," : "", node_of[tail],
			              node_of[head]);
	(void)fputs("],\n", stream);
}
