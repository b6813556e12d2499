// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/made.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Returns the length of a text such as "4x4v2" without "v2", and the number of lanes.
static size_t split_lanes(unsigned *n_vcs, const char *text)
{
	const size_t length = strlen(text);
	const char *v = strrchr(text, 'v');
	*n_vcs = 1;
	if (!v || v[1] < '0' || v[1] > '9' || v[2] != '\0')
		return length;
	*n_vcs = (unsigned)(v[1] - '0');
	return length - 2;
}

int loom_made_parse(struct loom_topo *t, const char *text, struct loom_err *err)
{
	struct loom_graph_wires wires = {0};
	struct loom_err why = {0};
	char size[LOOM_TOPO_SIZE], usual[LOOM_TOPO_SIZE] = "", name[LOOM_TOPO_NAME];
	unsigned n_vcs;
	const size_t length = split_lanes(&n_vcs, text);
	(void)snprintf(size, sizeof size, "%.*s", (int)length, text);
	int rc = t->kind->make(&wires, usual, t->kind, length < sizeof size ? size : "", &why);
	(void)snprintf(name, sizeof name, "%s:%s", t->kind->name, usual);
	if (rc == 0 && n_vcs != 1)
		(void)snprintf(name + strlen(name), sizeof name - strlen(name), "v%u", n_vcs);
	if (rc != 0)
		(void)loom_fail(err, rc, "fabric \"%.31s:%.60s\": %.300s", t->kind->name, text, why.text);
	else
		rc = loom_graph_fill(t, name, &wires, n_vcs, err);
	loom_graph_wires_free(&wires);
	return rc;
}

const char *loom_made_numbers(uint32_t *out, unsigned *n, unsigned most, const char *text, char between)
{
	for (*n = 0; *n < most; text++) {
		unsigned digits = 0;
		out[*n] = 0;
		for (; *text >= '0' && *text <= '9' && digits < 9; digits++)
			out[*n] = 10 * out[*n] + (uint32_t)(*text++ - '0');
		if (digits == 0 || (*text >= '0' && *text <= '9'))
			return NULL;
		++*n;
		if (*text != between)
			return text;
	}
	return NULL;
}

int loom_made_fail_size(const struct loom_topo_kind *kind, const char *example, struct loom_err *err)
{
	return loom_fail(err, LOOM_EINPUT, "the size of %s is its %s, such as %s:%s", kind->name, kind->size_is,
	                 kind->name, example);
}

int loom_made_begin(struct loom_graph_wires *out, uint64_t n_nodes, uint64_t n_links, struct loom_err *err)
{
	if (n_nodes < 2 || n_nodes > LOOM_GRAPH_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "that is %" PRIu64 " node%s; 2 to %d are possible", n_nodes,
		                 n_nodes == 1 ? "" : "s", LOOM_GRAPH_NODES_MAX);
	if (2 * n_links > n_nodes * LOOM_GRAPH_LINKS_MAX)
		return loom_fail(err, LOOM_EINPUT, "that is %" PRIu64 " links; a node has up to %d", n_links,
		                 LOOM_GRAPH_LINKS_MAX);
	out->name = calloc(n_nodes, sizeof *out->name);
	out->link = calloc(n_links + 1, sizeof *out->link);
	if (!out->name || !out->link)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu64 " nodes", n_nodes);
	out->n_nodes = (uint32_t)n_nodes;
	for (uint32_t u = 0; u < out->n_nodes; u++)
		(void)snprintf(out->name[u], sizeof out->name[u], "%" PRIu32, u);
	return 0;
}

int loom_made_end_in_switches(struct loom_graph_wires *out, uint32_t n, struct loom_err *err)
{
	if (n + 2 > out->n_nodes)
		return loom_fail(err, LOOM_EINPUT,
		                 "of %" PRIu32 " nodes %" PRIu32 " are switches; two or more must send and receive",
		                 out->n_nodes, n);
	out->n_switches = n;
	for (uint32_t u = out->n_nodes - n; u < out->n_nodes; u++)
		(void)snprintf(out->name[u], sizeof out->name[u], "switch%" PRIu32, u);
	return 0;
}

void loom_made_add(struct loom_graph_wires *out, uint32_t a, uint32_t b, unsigned link_class)
{
	out->link[out->n_links++] =
		(struct loom_graph_link){.from = a, .to = b, .both = true, .link_class = (uint8_t)link_class};
}

void loom_made_add_extent(struct loom_graph_wires *out, uint32_t extent)
{
	out->extent[out->n_dims++] = extent;
}
