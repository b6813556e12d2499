// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the faults of the user's own tables: entries that no router has, and places where messages by a label are lost
// or go round.
#include <flitloom/routes/table_file.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/graph.h>

#include "base/room.h"

#define PORTS_MAX ((uint64_t)1 << 28) // ports of all tables in memory

enum state { NEW, ON_THE_WAY, DONE };

struct check {
	const struct loom_table_file *file;
	const struct loom_topo *topo;
	struct loom_table_faults faults;
	size_t room; // of the list of faults
	bool no_memory;
	// The present label:
	uint32_t network, label;
	uint8_t *port;  // owned, of each node: its entry, or LOOM_PORT_NONE
	uint8_t *state; // owned
};

void loom_table_node(char out[LOOM_TABLE_NODE], const struct loom_topo *topo, uint32_t node)
{
	struct loom_graph_facts facts;
	_Static_assert(LOOM_GRAPH_NAME <= LOOM_TABLE_NODE, "room for any name");
	if (loom_topo_graph_facts(&facts, topo))
		(void)snprintf(out, LOOM_TABLE_NODE, "%s", facts.wires->name[node]);
	else
		(void)snprintf(out, LOOM_TABLE_NODE, "%" PRIu32, node);
}

static void add(struct check *c, uint32_t node, uint32_t network, uint32_t label, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
static void add(struct check *c, uint32_t node, uint32_t network, uint32_t label, const char *format, ...)
{
	struct loom_table_faults *f = &c->faults;
	va_list args;
	if (++f->n_all > LOOM_TABLE_FAULTS_MAX)
		return;
	if (!LOOM_ROOM(f->fault, c->room, f->n + 1)) {
		c->no_memory = true;
		return;
	}
	f->fault[f->n] = (struct loom_table_fault){.node = node, .network = network, .label = label};
	va_start(args, format);
	(void)vsnprintf(f->fault[f->n++].what, sizeof f->fault->what, format, args);
	va_end(args);
}

static uint32_t words_of_table(const struct loom_topo *t)
{
	return UINT32_C(1) << t->label_bits;
}

// --- One label -------------------------------------------------------------------------------------------------------

// Finds the node to which a message goes on from `at`, which has an entry. Returns false if it has arrived there.
static bool step(uint32_t *to, const struct check *c, uint32_t at)
{
	unsigned back;
	return c->port[at] != 0 && c->topo->kind->link(c->topo, at, c->port[at] - 1u, to, &back);
}

// Lists the nodes of a loop, from the lowest on, as far as there is room.
static void add_round(struct check *c, uint32_t on_it)
{
	enum { REST = 24 }; // "... (1048576 nodes)"
	char nodes[136], name[LOOM_TABLE_NODE];
	size_t used = 0;
	uint32_t first = on_it, length = 0, at = on_it, shown = 0;
	do {
		first = at < first ? at : first;
		length++;
		(void)step(&at, c, at);
	} while (at != on_it);
	at = first;
	for (; shown < length && used + sizeof name + 2 + REST < sizeof nodes; shown++, (void)step(&at, c, at)) {
		loom_table_node(name, c->topo, at);
		used += (size_t)snprintf(nodes + used, sizeof nodes - used, "%s, ", name);
	}
	loom_table_node(name, c->topo, first);
	if (shown < length)
		(void)snprintf(nodes + used, sizeof nodes - used, "... (%" PRIu32 " nodes)", length);
	else
		(void)snprintf(nodes + used, sizeof nodes - used, "%s", name);
	add(c, first, c->network, c->label, "goes round for ever: %s", nodes);
}

// Checks that the node has the port of its entry. Another port counts as no entry from here on, and is not reported
// again.
static void check_entry(struct check *c, const struct loom_table_entry *e)
{
	unsigned n_ports = loom_topo_links(c->topo) + 1, back;
	uint32_t to;
	char name[16];
	c->state[e->node] = DONE;
	if (e->port >= n_ports) {
		add(c, e->node, e->network, e->label,
		    "there is no port %" PRIu32 "; a router has ports 0 (local) to %u", e->port, n_ports - 1);
		return;
	}
	if (e->port && !c->topo->kind->link(c->topo, e->node, e->port - 1, &to, &back)) {
		c->topo->kind->link_name(c->topo, e->port - 1, name);
		add(c, e->node, e->network, e->label, "leaves the network: there is no link %s (port %" PRIu32 ")",
		    name, e->port);
		return;
	}
	c->port[e->node] = (uint8_t)e->port;
	c->state[e->node] = NEW;
}

static void follow(struct check *c, uint32_t source)
{
	uint32_t at = source, to;
	while (c->state[at] == NEW) {
		c->state[at] = ON_THE_WAY;
		if (!step(&to, c, at))
			break;
		if (c->state[to] == NEW && c->port[to] == LOOM_PORT_NONE) {
			char from[LOOM_TABLE_NODE];
			loom_table_node(from, c->topo, at);
			add(c, to, c->network, c->label, "no entry, and node %s sends messages there", from);
			c->state[to] = DONE;
		} else if (c->state[to] == ON_THE_WAY) {
			add_round(c, to);
		}
		at = to;
	}
	for (at = source; c->state[at] == ON_THE_WAY && (c->state[at] = DONE, step(&to, c, at)); at = to)
		;
}

// Checks the entries first .. end - 1, which all belong to one label.
static void check_label(struct check *c, size_t first, size_t end)
{
	const struct loom_table_entry *entry = c->file->entry;
	c->network = entry[first].network;
	c->label = entry[first].label;
	memset(c->port, LOOM_PORT_NONE, c->topo->n_nodes);
	memset(c->state, NEW, c->topo->n_nodes);
	for (size_t i = first; i < end; i++)
		check_entry(c, &entry[i]);
	for (size_t i = first; i < end; i++)
		follow(c, entry[i].node);
}

// --- All labels ------------------------------------------------------------------------------------------------------

static size_t end_of_network(const struct loom_table_file *file, size_t first)
{
	size_t end = first;
	while (end < file->n && file->entry[end].network == file->entry[first].network)
		end++;
	return end;
}

static size_t end_of_label(const struct loom_table_file *file, size_t first)
{
	size_t end = first;
	while (end < file->n && file->entry[end].network == file->entry[first].network &&
	       file->entry[end].label == file->entry[first].label)
		end++;
	return end;
}

static void check_network(struct check *c, size_t first, size_t end)
{
	const struct loom_table_entry *entry = c->file->entry;
	uint32_t words = words_of_table(c->topo), n_labels = 0, n_fit = 0;
	size_t too_many = end;
	if (entry[first].network >= c->topo->n_vcs) {
		add(c, entry[first].node, entry[first].network, entry[first].label,
		    "there is no such network: links of %s have %u lane%s, and a network is a lane", c->topo->name,
		    c->topo->n_vcs, c->topo->n_vcs == 1 ? "" : "s");
		return;
	}
	for (size_t i = first, next; i < end; i = next, n_labels++) {
		next = end_of_label(c->file, i);
		if (entry[i].label < words) {
			check_label(c, i, next);
			n_fit++;
		} else if (too_many == end) {
			too_many = i;
		}
	}
	if (too_many < end)
		add(c, entry[too_many].node, entry[too_many].network, entry[too_many].label,
		    "a table has room for labels 0..%" PRIu32 ": of the %" PRIu32 " labels %" PRIu32 " fit", words - 1,
		    n_labels, n_fit);
}

int loom_table_file_check(struct loom_table_faults *out, const struct loom_table_file *file,
                          const struct loom_topo *topo, struct loom_err *err)
{
	struct check c = {.file = file, .topo = topo, .port = malloc(topo->n_nodes), .state = malloc(topo->n_nodes)};
	c.no_memory = !c.port || !c.state;
	for (size_t first = 0, end; !c.no_memory && first < file->n; first = end) {
		end = end_of_network(file, first);
		check_network(&c, first, end);
	}
	free(c.port);
	free(c.state);
	if (c.no_memory) {
		loom_table_faults_free(&c.faults);
		return loom_fail(err, LOOM_ENOMEM, "out of memory to check %zu entries of tables", file->n);
	}
	*out = c.faults;
	return 0;
}

void loom_table_faults_free(struct loom_table_faults *faults)
{
	if (!faults)
		return;
	free(faults->fault);
	*faults = (struct loom_table_faults){0};
}

// --- Tables for routers ----------------------------------------------------------------------------------------------

static int refuse(const struct loom_table_faults *faults, const struct loom_topo *topo, struct loom_err *err)
{
	const struct loom_table_fault *f = &faults->fault[0];
	char more[64] = "", node[LOOM_TABLE_NODE];
	loom_table_node(node, topo, f->node);
	if (faults->n_all > 1)
		(void)snprintf(more, sizeof more, " (and %zu more: flitloom check)", faults->n_all - 1);
	return loom_fail(err, LOOM_EINPUT, "tables: node %s, network %" PRIu32 ", label %" PRIu32 ": %s%s", node,
	                 f->network, f->label, f->what, more);
}

int loom_route_tables_of_file(struct loom_route_tables *out, const struct loom_table_file *file,
                              const struct loom_topo *topo, struct loom_err *err)
{
	struct loom_table_faults faults;
	struct loom_route_tables t = {.n_networks = topo->n_vcs, .n_nodes = topo->n_nodes, .n_entries = file->n};
	int rc = loom_table_file_check(&faults, file, topo, err);
	if (rc != 0)
		return rc;
	if (faults.n_all)
		rc = refuse(&faults, topo, err);
	loom_table_faults_free(&faults);
	if (rc != 0)
		return rc;
	for (size_t i = 0; i < file->n; i++)
		t.n_labels = file->entry[i].label >= t.n_labels ? file->entry[i].label + 1 : t.n_labels;
	uint64_t n_ports = (uint64_t)t.n_networks * t.n_labels * t.n_nodes;
	if (n_ports > PORTS_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "tables: %" PRIu32 " labels for %" PRIu32 " nodes are too many to look at together",
		                 t.n_labels, t.n_nodes);
	t.port = malloc(n_ports + 1);
	t.label = calloc(1, sizeof *t.label);
	t.network = calloc(1, sizeof *t.network);
	if (!t.port || !t.label || !t.network) {
		loom_route_tables_free(&t);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for tables of %" PRIu32 " labels", t.n_labels);
	}
	memset(t.port, LOOM_PORT_NONE, n_ports);
	for (size_t i = 0; i < file->n; i++) {
		const struct loom_table_entry *e = &file->entry[i];
		t.port[((size_t)e->network * t.n_labels + e->label) * t.n_nodes + e->node] = (uint8_t)e->port;
	}
	*out = t;
	return 0;
}
