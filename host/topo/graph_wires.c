// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Collects the nodes and links of a graph.
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

// Makes room for one more than n elements; the room doubles at powers of two.
static void *make_room(void *list, uint32_t n, size_t size)
{
	return n & (n - 1) ? list : realloc(list, (n ? 2 * (size_t)n : 1) * size);
}

// True if the text can be a name. Names stand in tables, JSON and SVG unchanged.
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

int loom_graph_check_new(const struct loom_graph_wires *wires, const struct loom_graph_link *link, const char *where,
                         struct loom_err *err)
{
	const char *from = wires->name[link->from], *to = wires->name[link->to];
	for (uint32_t i = 0; i < wires->n_links; i++) {
		const struct loom_graph_link *l = &wires->link[i];
		if ((l->from == link->from && l->to == link->to) ||
		    (l->from == link->to && l->to == link->from && (link->both || l->both)))
			return loom_fail(err, LOOM_EINPUT,
			                 "%.120s: the link from %s to %s is there already; one that leads one way only "
			                 "is %s -> %s, and two side by side are %s %s x2",
			                 where, from, to, from, to, from, to);
	}
	return 0;
}

int loom_graph_add(struct loom_graph_wires *wires, const struct loom_graph_link *link, const char *where,
                   struct loom_err *err)
{
	unsigned of_from = 0, of_to = 0;
	if (link->from == link->to)
		return loom_fail(err, LOOM_EINPUT, "%.120s: node %s has a link to itself; a link leads to another node",
		                 where, wires->name[link->from]);
	for (uint32_t i = 0; i < wires->n_links; i++) {
		struct loom_graph_link *l = &wires->link[i];
		if (l->from == link->to && l->to == link->from && !link->both && !l->both) {
			l->both = true;
			l->delay_back = link->delay;
			return 0;
		}
		of_from += l->from == link->from || l->to == link->from;
		of_to += l->from == link->to || l->to == link->to;
	}
	int rc = check_ports(wires, link->from, of_from, where, err);
	if (rc == 0)
		rc = check_ports(wires, link->to, of_to, where, err);
	if (rc != 0)
		return rc;
	void *links = make_room(wires->link, wires->n_links, sizeof *wires->link);
	if (!links)
		return fail_memory(err);
	wires->link = links;
	wires->link[wires->n_links++] = *link;
	return 0;
}

int loom_graph_read_delay(uint8_t *out, const char *text, size_t length, const char *where, const char *of,
                          struct loom_err *err)
{
	uint64_t cycles;
	char shown[40];
	if (!loom_text_number(&cycles, text, length) || cycles > LOOM_LINK_DELAY_MAX)
		return loom_fail(err, LOOM_EINPUT, "%.120s: \"%s\" is no delay%s%.60s; 0 to %d cycles are possible",
		                 where, loom_text_quote(shown, sizeof shown, text, length), *of ? " of " : "", of,
		                 LOOM_LINK_DELAY_MAX);
	*out = (uint8_t)cycles;
	return 0;
}

bool loom_graph_is_marked(const char *text)
{
	char *end;
	return strcmp(text, "true") == 0 || strcmp(text, "yes") == 0 || (strtol(text, &end, 10) != 0 && *end == '\0');
}

// Numbers nodes by the numbers in their names, or in the order of the file if one name is no such number.
static void number_by_names(uint32_t *number, const struct loom_graph_wires *wires)
{
	for (uint32_t i = 0; i < wires->n_nodes; i++) {
		char digits[LOOM_GRAPH_NAME];
		uint64_t value;
		const bool is_one =
			loom_text_number(&value, wires->name[i], strlen(wires->name[i])) && value < wires->n_nodes;
		(void)snprintf(digits, sizeof digits, "%" PRIu64, is_one ? value : 0);
		if (!is_one || strcmp(digits, wires->name[i]) != 0) { // such as "07"
			for (uint32_t k = 0; k < wires->n_nodes; k++)
				number[k] = k;
			return;
		}
		number[i] = (uint32_t)value; // the digits of all names differ, so the numbers do
	}
}

int loom_graph_renumber(struct loom_graph_wires *wires, const bool is_switch[LOOM_GRAPH_NODES_MAX],
                        struct loom_err *err)
{
	uint32_t number[LOOM_GRAPH_NODES_MAX], at[LOOM_GRAPH_NODES_MAX], n = 0;
	char(*names)[LOOM_GRAPH_NAME] = calloc(wires->n_nodes + (size_t)!wires->n_nodes, sizeof *names);
	if (!names)
		return fail_memory(err);
	number_by_names(number, wires);
	for (uint32_t i = 0; i < wires->n_nodes; i++)
		at[number[i]] = i;
	for (int is_last = 0; is_last < 2; is_last++)
		for (uint32_t k = 0; k < wires->n_nodes; k++)
			if (is_switch[at[k]] == is_last) {
				wires->n_switches += (uint32_t)is_last;
				number[at[k]] = n;
				memcpy(names[n++], wires->name[at[k]], sizeof *names);
			}
	free(wires->name);
	wires->name = names;
	for (uint32_t i = 0; i < wires->n_links; i++) {
		wires->link[i].from = number[wires->link[i].from];
		wires->link[i].to = number[wires->link[i].to];
	}
	return 0;
}
