// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Names the model of a fabric, as the cache keeps it.
#include "links/rtl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <flitloom/routes/graph.h>
#include <flitloom/topo.h>

#include "topo/flit.h"
#include "topo/topo_ocs.h"

// Writes the size that the name of a fabric has behind its kind, without the width of flits, which stands at its end.
static void write_size(char out[LOOM_TOPO_NAME], const struct loom_topo *t)
{
	char width[16] = "";
	(void)snprintf(out, LOOM_TOPO_NAME, "%s", strchr(t->name, ':') + 1);
	if (t->flit_bits)
		(void)snprintf(width, sizeof width, "f%u", t->flit_bits);
	const size_t length = strlen(out), behind = strlen(width);
	if (length >= behind && strcmp(out + length - behind, width) == 0)
		out[length - behind] = '\0';
}

void loom_rtl_set_names(struct loom_rtl *rtl, const struct loom_topo *t, const char *pins)
{
	struct loom_graph_facts facts;
	char of_size[LOOM_TOPO_NAME], of_graph[56], of_links[96], of_flits[16] = "";
	const char *size = of_size;
	write_size(of_size, t);
	if (t->flit_bits && t->flit_bits != LOOM_FLIT_BITS_USUAL) // the usual width, said or not, is one model
		(void)snprintf(of_flits, sizeof of_flits, "f%u", t->flit_bits);
	if (loom_topo_graph_facts(&facts, t)) {
		(void)snprintf(of_graph, sizeof of_graph, "%" PRIu32 "-%016" PRIx64 "v%u", t->n_nodes, facts.hash,
		               t->n_vcs);
		if (t->buffers != LOOM_BUFFERS_USUAL || t->link_delay != 0 || t->router_delay != 0)
			(void)snprintf(of_graph + strlen(of_graph), sizeof of_graph - strlen(of_graph), "b%ud%u",
			               t->buffers, t->link_delay);
		if (t->router_delay != 0)
			(void)snprintf(of_graph + strlen(of_graph), sizeof of_graph - strlen(of_graph), "r%u",
			               t->router_delay);
		size = of_graph;
	}
	if (rtl->chip.link_delays && t->graph) {
		(void)snprintf(of_graph + strlen(of_graph), sizeof of_graph - strlen(of_graph), "-%08" PRIx32,
		               rtl->chip.link_delays);
	} else if (rtl->chip.link_delays) { // whose names may be long
		const size_t length = strcspn(size, "bd");
		(void)snprintf(of_links, sizeof of_links, "%.*sb%ud%ur%u-%08" PRIx32, (int)length, size, t->buffers,
		               t->link_delay, t->router_delay, rtl->chip.link_delays);
		size = of_links;
	}
	rtl->is_multistage = loom_topo_links(t) == 0;
	rtl->has_circuits = loom_topo_has_circuits(t);
	(void)snprintf(rtl->label, sizeof rtl->label, "%.63s", t->name);
	(void)snprintf(rtl->name, sizeof rtl->name, "%.16s%.38s%.4s%.5s", t->graph ? "graph" : t->kind->name, size,
	               of_flits, pins);
}
