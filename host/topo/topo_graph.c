// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A network of the user's own. Its facts are in tables, which are made when its file is read.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topo/graph.h"
#include "topo/topo_direct.h"
#include "topo/topo_kinds.h"

static bool to_end(const struct loom_graph_end *end, uint32_t *v, unsigned *q)
{
	*v = end->node;
	*q = end->port;
	return end->node != LOOM_GRAPH_NONE;
}

bool loom_graph_link_of(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	return to_end(&t->graph->out[u * t->graph->n_ports + p], v, q);
}

bool loom_graph_one_way(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	return to_end(&t->graph->in[u * t->graph->n_ports + p], v, q);
}

unsigned loom_graph_next_of(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	(void)rule; // each destination has one route, whatever the lane
	return t->graph->next[(size_t)destination * t->n_nodes + here];
}

unsigned loom_graph_rule_of(const struct loom_topo *t, uint32_t source, uint32_t destination, unsigned rule)
{
	(void)rule;
	return t->graph->lane[(size_t)source * t->n_nodes + destination];
}

// Returns the network of another kind that it was before parts of it failed, or NULL.
static const struct loom_topo *other_kind(const struct loom_topo *t)
{
	const struct loom_damage *damage = t->graph->damage;
	return damage && !damage->whole.graph ? &damage->whole : NULL;
}

void loom_graph_link_name(const struct loom_topo *t, unsigned p, char out[16])
{
	const struct loom_topo *whole = other_kind(t);
	if (whole)
		whole->kind->link_name(whole, p, out);
	else
		(void)snprintf(out, 16, "port %u", p);
}

enum { LINKS, INJECT, EJECT, N_GROUPS };

unsigned loom_graph_groups(const struct loom_topo *t)
{
	return other_kind(t) ? loom_direct_groups(t) : N_GROUPS;
}

unsigned loom_graph_group_of(const struct loom_topo *t, uint32_t channel)
{
	uint32_t k = channel % loom_topo_channels_per_tile(t);
	if (other_kind(t))
		return loom_direct_group_of(t, channel);
	return k < t->ports - 1 ? LINKS : k == t->ports ? INJECT : EJECT;
}

void loom_graph_group_name(const struct loom_topo *t, unsigned group, char out[16])
{
	static const char *const names[N_GROUPS] = {[LINKS] = "links", [INJECT] = "inject", [EJECT] = "eject"};
	if (other_kind(t))
		loom_direct_group_name(t, group, out);
	else
		(void)snprintf(out, 16, "%s", names[group]);
}

// Counts the links to v by ports below p, which are parallel to the link of p.
static unsigned links_before(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t v)
{
	unsigned n = 0;
	for (unsigned before = 0; before < p; before++)
		n += t->graph->out[u * t->graph->n_ports + before].node == v;
	return n;
}

void loom_graph_channel_name(const struct loom_topo *t, uint32_t channel, char out[48])
{
	const struct loom_graph *g = t->graph;
	uint32_t tile = channel / loom_topo_channels_per_tile(t), k = channel % loom_topo_channels_per_tile(t), v;
	unsigned q;
	if (other_kind(t))
		loom_direct_channel_name(t, channel, out);
	else if (k >= t->ports - 1)
		(void)snprintf(out, 48, "%s %s", k == t->ports ? "inject" : "eject", g->wires.name[tile]);
	else if (loom_graph_link_of(t, tile, k, &v, &q) && links_before(t, tile, k, v) == 0)
		(void)snprintf(out, 48, "%s->%s", g->wires.name[tile], g->wires.name[v]);
	else if (loom_graph_link_of(t, tile, k, &v, &q))
		(void)snprintf(out, 48, "%s->%s #%u", g->wires.name[tile], g->wires.name[v],
		               links_before(t, tile, k, v) + 1);
	else
		(void)snprintf(out, 48, "%s has no link %" PRIu32, g->wires.name[tile], k);
}

size_t loom_graph_file(unsigned *n_vcs, const char *text)
{
	size_t length = strlen(text);
	*n_vcs = 1;
	if (length < 3 || text[length - 3] != ':' || text[length - 2] != 'v' || text[length - 1] < '0' ||
	    text[length - 1] > '9')
		return length;
	*n_vcs = (unsigned)(text[length - 1] - '0');
	return length - 3;
}

static int parse(struct loom_topo *t, const char *text, struct loom_err *err)
{
	struct loom_graph_wires wires;
	char name[LOOM_TOPO_NAME], file[LOOM_TOPO_NAME];
	unsigned n_vcs;
	size_t length = loom_graph_file(&n_vcs, text);
	if (length == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "graph: of which file? graph:FILE, or with more lanes of each link "
		                 "graph:FILE:v2");
	if (snprintf(name, sizeof name, "graph:%s", text) >= (int)sizeof name)
		return loom_fail(err, LOOM_EINPUT, "graph: a name of %zu bytes; up to %zu are possible", length,
		                 sizeof name - sizeof "graph:");
	(void)snprintf(file, sizeof file, "%.*s", (int)length, text);
	int rc = loom_graph_read(&wires, file, err);
	if (rc != 0)
		return rc;
	rc = loom_graph_fill(t, name, &wires, n_vcs, err);
	loom_graph_wires_free(&wires);
	return rc;
}

const struct loom_topo_kind loom_topo_kind_graph = {
	.name = "graph",
	.sizes = "FILE[:vN]",
	.size_is = "file",
	.help = "a network of your own, from an edge list or a GraphViz file",
	.is_in_file = true,
	.parse = parse,
	LOOM_GRAPH_DEFAULTS,
};
