// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Follows the user's own tables, for each label, from each node with an entry to the node that delivers the message.
#include "plan/routes/table_ways.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/numbers.h"
#include "plan/routes/lane_circle.h"

#define NODE_NONE UINT32_MAX

struct way {
	uint32_t source, end, network, label, length; // length: links
};

struct walk {
	const struct loom_route_tables *tables;
	const struct loom_topo *topo;
	struct way *way; // owned, a way for each entry
	size_t n;
	uint64_t *load; // the ways over each channel
	// For the present label, by node:
	uint32_t *next;    // owned: the next node; itself where messages are delivered; NODE_NONE without an entry
	uint32_t *before;  // owned: nodes that lead there and have not been visited
	uint64_t *through; // owned: the ways through it
	uint32_t *order;   // owned: nodes, each after all nodes that lead there
	size_t *place;     // owned: the index of the way that begins there
	struct loom_arrays arrays; // owns the arrays
};

static const uint8_t *ports_of(const struct loom_route_tables *t, uint32_t network, uint32_t label)
{
	return t->port + ((size_t)network * t->n_labels + label) * t->n_nodes;
}

// Returns the node to which `at`, which has an entry, sends messages on; `at` itself if messages are delivered there.
static uint32_t next_of(const struct walk *w, const uint8_t *port, uint32_t at)
{
	uint32_t to = at;
	unsigned back;
	if (port[at])
		(void)w->topo->kind->link(w->topo, at, port[at] - 1u, &to, &back);
	return to;
}

static uint32_t channel_of(const struct loom_topo *t, uint32_t node, uint8_t port)
{
	return node * loom_topo_channels_per_tile(t) + port - 1;
}

static void begin_label(struct walk *w, const uint8_t *port)
{
	uint32_t n_nodes = w->tables->n_nodes;
	memset(w->before, 0, n_nodes * sizeof *w->before);
	for (uint32_t u = 0; u < n_nodes; u++) {
		w->next[u] = port[u] == LOOM_PORT_NONE ? NODE_NONE : next_of(w, port, u);
		w->through[u] = 1;
		if (w->next[u] != NODE_NONE && w->next[u] != u)
			w->before[w->next[u]]++;
	}
}

static void walk_label(struct walk *w, uint32_t network, uint32_t label)
{
	const uint8_t *port = ports_of(w->tables, network, label);
	uint32_t n_nodes = w->tables->n_nodes, n = 0;
	begin_label(w, port);
	for (uint32_t u = 0; u < n_nodes; u++)
		if (w->next[u] != NODE_NONE && w->before[u] == 0)
			w->order[n++] = u;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t u = w->order[k], to = w->next[u];
		if (to == u)
			continue;
		w->load[channel_of(w->topo, u, port[u])] += w->through[u];
		w->through[to] += w->through[u];
		if (--w->before[to] == 0)
			w->order[n++] = to;
	}
	for (uint32_t k = n; k-- > 0;) {
		uint32_t u = w->order[k], to = w->next[u];
		w->place[u] = w->n;
		w->way[w->n++] = to == u ? (struct way){u, u, network, label, 0}
		                         : (struct way){u, w->way[w->place[to]].end, network, label,
		                                        w->way[w->place[to]].length + 1};
	}
}

static int compare(const void *a, const void *b)
{
	const struct way *x = a, *y = b;
	int by = loom_order(x->source, y->source);
	by = by ? by : loom_order(x->end, y->end);
	by = by ? by : loom_order(x->network, y->network);
	return by ? by : loom_order(x->label, y->label);
}

// Walks all ways, sorts them by source, end, network and label, and counts their loads. The caller ends *w also on
// failure.
static int walk_all(struct walk *w, const struct loom_route_tables *t, const struct loom_topo *topo,
                    struct loom_err *err)
{
	size_t n_nodes = t->n_nodes;
	*w = (struct walk){.tables = t, .topo = topo};
	LOOM_ARRAY(&w->arrays, w->way, t->n_entries + 1);
	LOOM_ARRAY(&w->arrays, w->load, loom_topo_channels(topo));
	LOOM_ARRAY(&w->arrays, w->next, n_nodes);
	LOOM_ARRAY(&w->arrays, w->before, n_nodes);
	LOOM_ARRAY(&w->arrays, w->through, n_nodes);
	LOOM_ARRAY(&w->arrays, w->order, n_nodes);
	LOOM_ARRAY(&w->arrays, w->place, n_nodes);
	if (w->arrays.is_short)
		return loom_fail(err, LOOM_ENOMEM, "out of memory to follow %zu entries of tables", t->n_entries);
	for (uint32_t network = 0; network < t->n_networks; network++)
		for (uint32_t label = 0; label < t->n_labels; label++)
			walk_label(w, network, label);
	qsort(w->way, w->n, sizeof *w->way, compare);
	return 0;
}

int loom_table_ways_count(struct loom_table_ways *out, const struct loom_route_tables *tables,
                          const struct loom_topo *topo, struct loom_err *err)
{
	struct loom_table_ways ways = {.n_entries = tables->n_entries};
	struct walk w;
	int rc = walk_all(&w, tables, topo, err);
	for (size_t i = 0; rc == 0 && i < w.n; i++) {
		const struct way *here = &w.way[i];
		bool is_new = i == 0 || here[-1].source != here->source || here[-1].end != here->end;
		ways.n_pairs += is_new && here->source != here->end;
		ways.longest = here->length > ways.longest ? here->length : ways.longest;
	}
	for (uint32_t c = 0; rc == 0 && c < loom_topo_channels(topo); c++)
		if (w.load[c] > ways.most) {
			ways.most = w.load[c];
			ways.most_channel = c;
		}
	loom_arrays_free(&w.arrays);
	for (uint32_t network = 0; network < tables->n_networks; network++)
		for (uint32_t label = 0; label < tables->n_labels; label++) {
			const uint8_t *port = ports_of(tables, network, label);
			uint32_t u = 0;
			while (u < tables->n_nodes && port[u] == LOOM_PORT_NONE)
				u++;
			ways.n_labels += u < tables->n_nodes;
		}
	if (rc == 0)
		*out = ways;
	return rc;
}

// --- Deadlock --------------------------------------------------------------------------------------------------------

// Adds the dependencies of a label. A channel with only one way is the first channel of that way, so no message waits
// for it while it holds another channel. So such channels need not be left out, unlike those of a plan.
static int add_label(struct loom_channel_graph *g, const struct walk *w, uint32_t network, uint32_t label)
{
	const uint8_t *port = ports_of(w->tables, network, label);
	uint32_t n_lanes = w->tables->n_networks;
	int rc = 0;
	for (uint32_t u = 0; rc == 0 && u < w->tables->n_nodes; u++) {
		if (port[u] == LOOM_PORT_NONE || port[u] == 0)
			continue;
		uint32_t to = next_of(w, port, u);
		if (port[to] != 0)
			rc = loom_channel_graph_add(g, channel_of(w->topo, u, port[u]) * n_lanes + network,
			                            channel_of(w->topo, to, port[to]) * n_lanes + network, label);
	}
	return rc;
}

int loom_table_ways_circle(struct loom_lane_circle *out, const struct loom_route_tables *tables,
                           const struct loom_topo *topo, struct loom_err *err)
{
	const struct walk w = {.tables = tables, .topo = topo};
	struct loom_channel_graph g = {0};
	uint32_t n_lanes = tables->n_networks;
	int rc = loom_channel_graph_init(&g, loom_topo_channels(topo) * n_lanes);
	for (uint32_t network = 0; rc == 0 && network < n_lanes; network++)
		for (uint32_t label = 0; rc == 0 && label < tables->n_labels; label++)
			rc = add_label(&g, &w, network, label);
	if (rc == 0)
		rc = loom_lane_circle_take(out, &g, n_lanes);
	loom_channel_graph_free(&g);
	return rc == 0 ? 0
	               : loom_fail(err, LOOM_ENOMEM, "out of memory to look for a deadlock in the tables of %s",
	                           topo->name);
}

// --- For messages ----------------------------------------------------------------------------------------------------

// Finds the first way in the list that is not before (source, end).
static size_t lower_bound(const struct walk *w, uint32_t source, uint32_t end)
{
	size_t low = 0, high = w->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct way *way = &w->way[middle];
		if (way->source < source || (way->source == source && way->end < end))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int refuse(const struct walk *w, const struct loom_message *m, size_t i, struct loom_err *err)
{
	enum { ENDS_SHOWN = 6 };
	char ends[192] = "it has no entry for any label", source[LOOM_TABLE_NODE], destination[LOOM_TABLE_NODE];
	size_t used = 0, n = 0;
	loom_table_node(source, w->topo, m->source);
	loom_table_node(destination, w->topo, m->destination);
	for (size_t k = lower_bound(w, m->source, 0); k < w->n && w->way[k].source == m->source; k++) {
		char end[LOOM_TABLE_NODE];
		if (n && w->way[k].end == w->way[k - 1].end)
			continue;
		loom_table_node(end, w->topo, w->way[k].end);
		if (n++ < ENDS_SHOWN)
			used += (size_t)snprintf(ends + used, sizeof ends - used, "%s%s",
			                         n == 1 ? "its labels lead to " : ", ", end);
	}
	if (n > ENDS_SHOWN)
		(void)snprintf(ends + used, sizeof ends - used, " and %zu more nodes", n - ENDS_SHOWN);
	return loom_fail(err, LOOM_EINPUT,
	                 "message %zu: in the tables no label leads from node %s to node %s; of node %s: %s", i, source,
	                 destination, source, ends);
}

// Fills in the way of each message, NULL for a message that needs none, and the sum of their links.
static int choose_ways(const struct way **way, size_t *n_links, const struct walk *w,
                       const struct loom_message *messages, size_t n, struct loom_err *err)
{
	*n_links = 0;
	for (size_t i = 0; i < n; i++) {
		const struct loom_message *m = &messages[i];
		way[i] = NULL;
		if (m->source == m->destination)
			continue;
		size_t k = lower_bound(w, m->source, m->destination);
		if (k == w->n || w->way[k].source != m->source || w->way[k].end != m->destination)
			return refuse(w, m, i, err);
		way[i] = &w->way[k];
		*n_links += way[i]->length;
	}
	return 0;
}

static void copy_ways(struct loom_chosen_ways *out, const struct walk *w, const struct way *const *way)
{
	struct loom_routes *routes = &out->routes;
	uint32_t *network = out->network, *label = out->label;
	size_t k = 0;
	for (size_t i = 0; i < routes->n; i++) {
		routes->first[i] = k;
		network[i] = way[i] ? way[i]->network : 0;
		label[i] = way[i] ? way[i]->label : 0;
		if (!way[i])
			continue;
		const uint8_t *port = ports_of(w->tables, network[i], label[i]);
		for (uint32_t at = way[i]->source; port[at]; at = next_of(w, port, at))
			routes->channel[k++] = channel_of(w->topo, at, port[at]);
	}
	routes->first[routes->n] = k;
}

int loom_table_ways_choose(struct loom_chosen_ways *out, const struct loom_route_tables *tables,
                           const struct loom_topo *topo, const struct loom_message *messages, size_t n,
                           struct loom_err *err)
{
	struct walk w;
	struct loom_chosen_ways ways = {.routes.n = n};
	size_t n_links = 0;
	const struct way **way = calloc(n + 1, sizeof *way);
	int rc = walk_all(&w, tables, topo, err);
	if (rc == 0 && way)
		rc = choose_ways(way, &n_links, &w, messages, n, err);
	if (rc == 0) {
		ways.routes.first = malloc((n + 1) * sizeof *ways.routes.first);
		ways.routes.channel = malloc((n_links + 1) * sizeof *ways.routes.channel);
		ways.network = malloc((n + 1) * sizeof *ways.network);
		ways.label = malloc((n + 1) * sizeof *ways.label);
		if (!way || !ways.routes.first || !ways.routes.channel || !ways.network || !ways.label)
			rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages", n);
	}
	if (rc == 0) {
		copy_ways(&ways, &w, way);
		*out = ways;
	} else {
		loom_chosen_ways_free(&ways);
	}
	free(way);
	loom_arrays_free(&w.arrays);
	return rc;
}

void loom_chosen_ways_free(struct loom_chosen_ways *ways)
{
	if (!ways)
		return;
	loom_routes_free(&ways->routes);
	free(ways->network);
	free(ways->label);
	*ways = (struct loom_chosen_ways){0};
}
