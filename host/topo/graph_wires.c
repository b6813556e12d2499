// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Nodes and links of a graph, as they come.
#include "topo/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void loom_graph_wires_free(struct loom_graph_wires *wires)
{
	if (!wires)
		return;
	free(wires->name);
	free(wires->link);
	*wires = (struct loom_graph_wires){0};
}

static int fail_memory(struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory for a graph");
}

// Room for one more of n: it doubles at powers of two.
static void *make_room(void *list, uint32_t n, size_t size)
{
	return n & (n - 1) ? list : realloc(list, (n ? 2 * (size_t)n : 1) * size);
}

// Names stand in tables, JSON and SVG as they are.
static bool is_name(const char *name, size_t length)
{
	size_t at = 0;
	char copy[LOOM_GRAPH_NAME + 4] = "";
	if (length == 0 || length >= LOOM_GRAPH_NAME)
		return false;
	memcpy(copy, name, length);
	while (at < length) {
		size_t bytes = loom_text_character(copy + at);
		if (bytes == 0 || strchr("\"\\\n\r\t", copy[at]))
			return false;
		at += bytes;
	}
	return at == length;
}

int loom_graph_node(uint32_t *out, struct loom_graph_wires *wires, const char *name, size_t length, const char *where,
                    struct loom_err *err)
{
	char shown[40];
	if (!is_name(name, length))
		return loom_fail(err, LOOM_EINPUT,
		                 "%.120s: \"%s\" is no name of a node: 1 to %d bytes, none of them a quotation mark, a "
		                 "backslash or a control character",
		                 where, loom_text_quote(shown, sizeof shown, name, length), LOOM_GRAPH_NAME - 1);
	for (uint32_t i = 0; i < wires->n_nodes; i++)
		if (strncmp(wires->name[i], name, length) == 0 && wires->name[i][length] == '\0') {
			*out = i;
			return 0;
		}
	if (wires->n_nodes == LOOM_GRAPH_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%.120s: node %s is one too many; up to %d are possible", where,
		                 loom_text_quote(shown, sizeof shown, name, length), LOOM_GRAPH_NODES_MAX);
	void *names = make_room(wires->name, wires->n_nodes, sizeof *wires->name);
	if (!names)
		return fail_memory(err);
	wires->name = names;
	memset(wires->name[wires->n_nodes], 0, sizeof *wires->name);
	memcpy(wires->name[wires->n_nodes], name, length);
	*out = wires->n_nodes++;
	return 0;
}

static int check_ports(const struct loom_graph_wires *wires, uint32_t node, unsigned n_links, const char *where,
                       struct loom_err *err)
{
	if (n_links < LOOM_GRAPH_LINKS_MAX)
		return 0;
	return loom_fail(err, LOOM_EINPUT, "%.120s: node %s has %u links, and this is one more; up to %d are possible",
	                 where, wires->name[node], n_links, LOOM_GRAPH_LINKS_MAX);
}

int loom_graph_add(struct loom_graph_wires *wires, uint32_t from, uint32_t to, bool both, const char *where,
                   struct loom_err *err)
{
	unsigned of_from = 0, of_to = 0;
	if (from == to)
		return loom_fail(err, LOOM_EINPUT, "%.120s: node %s has a link to itself; a link leads to another node",
		                 where, wires->name[from]);
	for (uint32_t i = 0; i < wires->n_links; i++) {
		struct loom_graph_link *l = &wires->link[i];
		bool same = l->from == from && l->to == to, opposite = l->from == to && l->to == from;
		if (same || (opposite && (both || l->both)))
			return loom_fail(err, LOOM_EINPUT,
			                 "%.120s: the link from %s to %s is there already; one that leads one way only "
			                 "is %s -> %s",
			                 where, wires->name[from], wires->name[to], wires->name[from], wires->name[to]);
		if (opposite) {
			l->both = true;
			return 0;
		}
		of_from += l->from == from || l->to == from;
		of_to += l->from == to || l->to == to;
	}
	int rc = check_ports(wires, from, of_from, where, err);
	if (rc == 0)
		rc = check_ports(wires, to, of_to, where, err);
	if (rc != 0)
		return rc;
	void *links = make_room(wires->link, wires->n_links, sizeof *wires->link);
	if (!links)
		return fail_memory(err);
	wires->link = links;
	wires->link[wires->n_links++] = (struct loom_graph_link){from, to, both};
	return 0;
}

int loom_graph_renumber(struct loom_graph_wires *wires, struct loom_err *err)
{
	uint32_t number[LOOM_GRAPH_NODES_MAX];
	for (uint32_t i = 0; i < wires->n_nodes; i++) {
		char digits[LOOM_GRAPH_NAME];
		uint64_t value;
		if (!loom_text_number(&value, wires->name[i], strlen(wires->name[i])) || value >= wires->n_nodes)
			return 0;
		(void)snprintf(digits, sizeof digits, "%" PRIu64, value);
		if (strcmp(digits, wires->name[i]) != 0) // "07"
			return 0;
		number[i] = (uint32_t)value; // no two are the same, as their digits are not
	}
	void *names = calloc(wires->n_nodes + (size_t)!wires->n_nodes, sizeof *wires->name);
	if (!names)
		return fail_memory(err);
	free(wires->name);
	wires->name = names;
	for (uint32_t i = 0; i < wires->n_nodes; i++)
		(void)snprintf(wires->name[i], sizeof wires->name[i], "%" PRIu32, i);
	for (uint32_t i = 0; i < wires->n_links; i++) {
		wires->link[i].from = number[wires->link[i].from];
		wires->link[i].to = number[wires->link[i].to];
	}
	return 0;
}
