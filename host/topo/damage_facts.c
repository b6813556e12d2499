// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives facts about a network with failures, and the words for them.
#include <flitloom/routes/failures.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "topo/failures_list.h"
#include "topo/graph.h"

// Counts the links of a network, whole or not: pairs of channels, and channels without another direction.
static uint32_t links_count(const struct loom_topo *t)
{
	uint32_t n = 0, v, w;
	unsigned q, back;
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (unsigned p = 0; p < loom_topo_links(t); p++)
			n += t->kind->link(t, u, p, &v, &q) ? t->kind->link(t, v, q, &w, &back) ? 1 : 2 : 0;
	return n / 2;
}

bool loom_topo_failure_facts(struct loom_failure_facts *out, const struct loom_topo *topo)
{
	const struct loom_damage *d = topo->graph ? topo->graph->damage : NULL;
	if (!d)
		return false;
	*out = (struct loom_failure_facts){.whole = &d->whole,
	                                   .failures = &d->failures,
	                                   .n_links = links_count(&d->whole) - links_count(topo),
	                                   .n_cut_off = topo->n_nodes - loom_topo_parts_count(topo) -
	                                                (uint32_t)d->failures.n_nodes};
	return true;
}

// Lists the links of a node that the network has lost: the links that cut the node off.
static size_t put_cuts(char *out, size_t size, const struct loom_topo *t, uint32_t u)
{
	const struct loom_topo *whole = &t->graph->damage->whole;
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	size_t used = 0;
	for (unsigned p = 0; p < loom_topo_links(whole) && used < size; p++) {
		uint32_t v;
		unsigned q;
		char name[48];
		if (!whole->kind->link(whole, u, p, &v, &q) || t->kind->link(t, u, p, &v, &q))
			continue;
		loom_topo_channel_name(whole, u * per_tile + p, name);
		used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", name);
	}
	return used < size ? used : size;
}

#define LEFT_OUT "; messages:FILE can leave it out, and under --load uniform does"

int loom_topo_check_part(const struct loom_topo *topo, uint32_t source, uint32_t destination, struct loom_err *err)
{
	const uint32_t u = loom_topo_takes_part(topo, source) ? destination : source;
	if (loom_topo_takes_part(topo, u))
		return 0;
	const struct loom_damage *d = topo->graph->damage;
	const char *name = topo->graph->wires.name[u];
	char links[200] = "";
	if (loom_failures_have(d->failures.node, d->failures.n_nodes, u))
		return loom_fail(err, LOOM_EINPUT, "node %s failed, and a message is from it or to it" LEFT_OUT, name);
	const size_t n_cuts = put_cuts(links, sizeof links, topo, u);
	return loom_fail(err, LOOM_EINPUT, "node %s is cut off%s%s, and a message is from it or to it" LEFT_OUT, name,
	                 n_cuts ? " by " : " behind other nodes", links);
}

void loom_topo_cut_off_text(char *out, size_t size, const struct loom_topo *topo)
{
	enum { REST = 80 };
	const struct loom_damage *d = topo->graph ? topo->graph->damage : NULL;
	size_t used = 0;
	uint32_t n_more = 0;
	out[0] = '\0';
	for (uint32_t u = 0; d && u < topo->n_nodes; u++) {
		char links[200] = "";
		if (!d->is_out[u] || loom_failures_have(d->failures.node, d->failures.n_nodes, u))
			continue;
		const size_t n_cuts = put_cuts(links, sizeof links, topo, u);
		if (n_more || used + n_cuts + REST > size) {
			n_more++;
			continue;
		}
		used += (size_t)snprintf(out + used, size - used, "%snode %s%s%s%s", used ? "; " : "",
		                         topo->graph->wires.name[u], n_cuts ? " by " : "", links,
		                         n_cuts ? "" : " behind others");
	}
	if (n_more && used + 24 < size)
		(void)snprintf(out + used, size - used, "%s%" PRIu32 " more", used ? " and " : "", n_more);
}

void loom_topo_failed_text(char *out, size_t size, const struct loom_topo *topo)
{
	struct loom_failure_facts f;
	char nodes[40] = "", cut_off[300];
	out[0] = '\0';
	if (!loom_topo_failure_facts(&f, topo))
		return;
	loom_topo_cut_off_text(cut_off, sizeof cut_off, topo);
	if (f.failures->n_nodes)
		(void)snprintf(nodes, sizeof nodes, ", %zu node%s failed", f.failures->n_nodes,
		               f.failures->n_nodes == 1 ? "" : "s");
	if (f.n_links == 0)
		(void)snprintf(out, size, "0 links failed");
	else
		(void)snprintf(out, size, "%" PRIu32 " link%s nothing%s%s%s", f.n_links,
		               f.n_links == 1 ? " carries" : "s carry", nodes, cut_off[0] ? "; cut off: " : "",
		               cut_off);
}
