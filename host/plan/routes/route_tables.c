// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives routes labels by first fit, and writes the tables.
#include <flitloom/routes/route_tables.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The labels of one virtual network so far: port[label * n_nodes + node].
struct labels {
	uint8_t *port; // owned
	uint32_t n, room;
};

struct work {
	struct loom_tables_task task;
	struct labels *labels;      // owned, of each network
	uint32_t *order;            // owned
	struct loom_route_tables t; // the result
};

static int compare(const struct work *w, uint32_t a, uint32_t b)
{
	size_t of_a = w->task.routes->first[a + 1] - w->task.routes->first[a],
	       of_b = w->task.routes->first[b + 1] - w->task.routes->first[b];
	uint32_t to_a = w->task.messages[a].destination, to_b = w->task.messages[b].destination;
	if (to_a != to_b)
		return to_a < to_b ? -1 : 1;
	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void merge(const struct work *w, uint32_t *to, const uint32_t *from, size_t begin, size_t middle, size_t end)
{
	for (size_t a = begin, b = middle, k = begin; k < end; k++) {
		bool first = b == end || (a < middle && compare(w, from[a], from[b]) < 0);
		to[k] = first ? from[a++] : from[b++];
	}
}

// Sorts routes by destination, and those to one destination from the longest on. scratch: n elements.
static void sort(struct work *w, uint32_t *scratch)
{
	size_t n = w->task.routes->n;
	for (size_t i = 0; i < n; i++)
		w->order[i] = (uint32_t)i;
	for (size_t width = 1; width < n; width *= 2) {
		for (size_t begin = 0; begin < n; begin += 2 * width)
			merge(w, scratch, w->order, begin, begin + width < n ? begin + width : n,
			      begin + 2 * width < n ? begin + 2 * width : n);
		memcpy(w->order, scratch, n * sizeof *scratch);
	}
}

// Returns the port by which route i leaves the node at the beginning of its link k; after the last link, the local
// port.
static uint8_t port_at(const struct work *w, size_t i, size_t k)
{
	uint32_t per_tile = loom_topo_channels_per_tile(w->task.topo);
	if (k == w->task.routes->first[i + 1])
		return 0;
	return (uint8_t)(w->task.routes->channel[k] % per_tile + 1);
}

static uint32_t node_at(const struct work *w, size_t i, size_t k)
{
	return k < w->task.routes->first[i + 1] ? w->task.routes->channel[k] / loom_topo_channels_per_tile(w->task.topo)
	                                        : w->task.messages[i].destination;
}

static bool fits(const struct work *w, const uint8_t *port, size_t i)
{
	for (size_t k = w->task.routes->first[i]; k <= w->task.routes->first[i + 1]; k++) {
		uint8_t there = port[node_at(w, i, k)];
		if (there != LOOM_PORT_NONE && there != port_at(w, i, k))
			return false;
	}
	return true;
}

static bool add_label(struct labels *l, uint32_t n_nodes)
{
	if (l->n == l->room) {
		uint32_t room = l->room ? 2 * l->room : 8;
		uint8_t *more = realloc(l->port, (size_t)room * n_nodes);
		if (!more)
			return false;
		l->port = more;
		l->room = room;
	}
	memset(l->port + (size_t)l->n++ * n_nodes, LOOM_PORT_NONE, n_nodes);
	return true;
}

static void put_label(struct work *w, size_t i, uint32_t label)
{
	struct labels *l = &w->labels[w->t.network[i]];
	uint8_t *port = l->port + (size_t)label * w->task.topo->n_nodes;
	for (size_t k = w->task.routes->first[i]; k <= w->task.routes->first[i + 1]; k++) {
		uint8_t *there = &port[node_at(w, i, k)];
		w->t.n_entries += *there == LOOM_PORT_NONE;
		*there = port_at(w, i, k);
	}
	w->t.label[i] = label;
	w->t.n_labels = label >= w->t.n_labels ? label + 1 : w->t.n_labels;
}

static bool give_label(struct work *w, size_t i)
{
	struct labels *l = &w->labels[w->t.network[i]];
	uint32_t label = 0, n_nodes = w->task.topo->n_nodes;
	while (label < l->n && !fits(w, l->port + (size_t)label * n_nodes, i))
		label++;
	if (label == l->n && !add_label(l, n_nodes))
		return false;
	put_label(w, i, label);
	return true;
}

// Packs all networks side by side, each with the largest number of labels of any network.
static bool pack(struct work *w)
{
	size_t n_nodes = w->task.topo->n_nodes, of_network = w->t.n_labels * n_nodes;
	w->t.port = malloc(w->task.n_networks * of_network + 1);
	if (!w->t.port)
		return false;
	memset(w->t.port, LOOM_PORT_NONE, w->task.n_networks * of_network);
	for (uint32_t v = 0; v < w->task.n_networks; v++)
		if (w->labels[v].n)
			memcpy(w->t.port + v * of_network, w->labels[v].port, w->labels[v].n * n_nodes);
	return true;
}

static int begin(struct work *w, struct loom_err *err)
{
	const uint32_t *network = w->task.network;
	size_t n = w->task.routes->n;
	w->t.n_networks = w->task.n_networks;
	w->t.n_nodes = w->task.topo->n_nodes;
	w->t.n_messages = n;
	w->labels = calloc(w->task.n_networks, sizeof *w->labels);
	w->order = malloc(2 * (n + 1) * sizeof *w->order);
	w->t.label = calloc(n + 1, sizeof *w->t.label);
	w->t.network = calloc(n + 1, sizeof *w->t.network);
	if (!w->labels || !w->order || !w->t.label || !w->t.network)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for tables of %zu routes", n);
	for (size_t i = 0; network && i < n; i++) {
		if (network[i] >= w->task.n_networks)
			return loom_fail(err, LOOM_EINPUT,
			                 "message %zu is in virtual network %" PRIu32 "; there are 0..%" PRIu32, i,
			                 network[i], w->task.n_networks - 1);
		w->t.network[i] = network[i];
	}
	sort(w, w->order + n);
	return 0;
}

static int refuse(const struct work *w, struct loom_err *err)
{
	size_t n_fit = 0;
	for (size_t i = 0; i < w->task.routes->n; i++)
		n_fit += w->t.label[i] < w->task.labels_most;
	return loom_fail(err, LOOM_EFIT,
	                 "the routes of %zu messages need %" PRIu32
	                 " labels, and a router's table has room for %" PRIu32
	                 ": %zu of the messages fit; leave the others to another plan",
	                 w->task.routes->n, w->t.n_labels, w->task.labels_most, n_fit);
}

// Hands over the tables, unless an error came up.
static int finish(struct loom_route_tables *out, struct work *w, int rc, struct loom_err *err)
{
	if (rc == 0 && !pack(w))
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for tables of %zu routes", w->task.routes->n);
	for (uint32_t v = 0; w->labels && v < w->task.n_networks; v++)
		free(w->labels[v].port);
	free(w->labels);
	free(w->order);
	if (rc == 0)
		*out = w->t;
	else
		loom_route_tables_free(&w->t);
	return rc;
}

int loom_route_tables_make(struct loom_route_tables *out, const struct loom_tables_task *task, struct loom_err *err)
{
	const struct loom_routes *routes = task->routes;
	struct work w = {.task = *task};
	int rc = loom_routes_check(routes, task->topo, task->messages, routes->n, err);
	if (rc == 0)
		rc = begin(&w, err);
	bool done = rc == 0;
	for (size_t k = 0; done && k < routes->n; k++)
		done = give_label(&w, w.order[k]);
	if (rc == 0 && !done)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for tables of %zu routes", routes->n);
	if (rc == 0 && w.t.n_labels > task->labels_most)
		rc = refuse(&w, err);
	return finish(out, &w, rc, err);
}

static int take_label(struct work *w, size_t i, uint32_t label, struct loom_err *err)
{
	struct labels *l = &w->labels[w->t.network[i]];
	if (label >= w->task.labels_most)
		return loom_fail(err, LOOM_EFIT,
		                 "message %zu has label %" PRIu32
		                 ", and a router's table has room for labels 0..%" PRIu32,
		                 i, label, w->task.labels_most - 1);
	while (l->n <= label)
		if (!add_label(l, w->task.topo->n_nodes))
			return loom_fail(err, LOOM_ENOMEM, "out of memory for tables of %zu routes", w->task.routes->n);
	if (!fits(w, l->port + (size_t)label * w->task.topo->n_nodes, i))
		return loom_fail(err, LOOM_EINPUT,
		                 "message %zu has label %" PRIu32
		                 ", as one before it that goes on by another link where they meet",
		                 i, label);
	put_label(w, i, label);
	return 0;
}

int loom_route_tables_of_labels(struct loom_route_tables *out, const struct loom_tables_task *task,
                                const uint32_t *label, struct loom_err *err)
{
	const struct loom_routes *routes = task->routes;
	const struct loom_message *messages = task->messages;
	struct work w = {.task = *task};
	int rc = loom_routes_check(routes, task->topo, messages, routes->n, err);
	if (rc == 0)
		rc = begin(&w, err);
	for (size_t i = 0; rc == 0 && i < routes->n; i++)
		if (messages[i].source != messages[i].destination) // other messages use no router
			rc = take_label(&w, i, label[i], err);
	return finish(out, &w, rc, err);
}

void loom_route_tables_free(struct loom_route_tables *tables)
{
	if (!tables)
		return;
	free(tables->port);
	free(tables->label);
	free(tables->network);
	*tables = (struct loom_route_tables){0};
}

// --- Checks of messages ----------------------------------------------------------------------------------------------

static int check_message(const struct loom_route_tables *t, const struct loom_routes *routes,
                         const struct loom_topo *topo, const struct loom_message *messages, size_t i,
                         struct loom_err *err)
{
	uint32_t at = messages[i].source, per_tile = loom_topo_channels_per_tile(topo), label = t->label[i];
	const uint8_t *port = t->port + (size_t)(t->network[i] * t->n_labels + label) * t->n_nodes;
	for (size_t k = routes->first[i];; k++) {
		bool is_last = k == routes->first[i + 1];
		unsigned wanted = is_last ? 0 : routes->channel[k] % per_tile + 1, back;
		if (port[at] != wanted)
			return loom_fail(err, LOOM_EINPUT,
			                 "message %zu (label %" PRIu32 "): the table of node %" PRIu32
			                 " says port %u, its route port %u",
			                 i, label, at, port[at], wanted);
		if (is_last)
			return 0;
		if (!topo->kind->link(topo, at, wanted - 1, &at, &back))
			return loom_fail(err, LOOM_EINPUT, "message %zu leaves the network", i);
	}
}

int loom_route_tables_check(const struct loom_route_tables *tables, const struct loom_routes *routes,
                            const struct loom_topo *topo, const struct loom_message *messages, struct loom_err *err)
{
	int rc = 0;
	if (tables->n_messages != routes->n || tables->n_nodes != topo->n_nodes)
		return loom_fail(err, LOOM_EINPUT, "tables of %zu messages on %" PRIu32 " nodes, but %zu routes on %s",
		                 tables->n_messages, tables->n_nodes, routes->n, topo->name);
	for (size_t i = 0; rc == 0 && i < routes->n; i++)
		rc = check_message(tables, routes, topo, messages, i, err);
	return rc;
}
