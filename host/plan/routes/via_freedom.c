// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Proves that messages through drawn nodes cannot lock, by the channel dependency graph of all parts of all ways. A
// part is the way between some two nodes on its half of the lanes. Where a first part ends, any second part can begin.
#include "plan/routes/via_freedom.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/routes/via.h>

#include "base/file.h"
#include "plan/routes/network_file.h"
#include "topo/channel_graph.h"

// Begins a way between two nodes on one half of the lanes, 0 or 1: a first or second part, or a way by o1turn.
static void begin_part(struct loom_route *out, const struct loom_topo *t, unsigned rule, unsigned half, uint32_t source,
                       uint32_t destination)
{
	const uint32_t row = t->extent[0];
	loom_route_begin(out, t, source, destination, (enum loom_rule)rule);
	if (rule == LOOM_RULE_O1TURN)
		loom_route_go_by(out, half ? destination / row * row + source % row
		                           : source / row * row + destination % row);
	else
		loom_route_go_by(out, half ? source : destination);
}

struct search {
	const struct loom_topo *topo;
	unsigned rule;
	struct loom_channel_graph graph;
	uint16_t *hops; // owned: [source * n_nodes + destination]
};

static uint64_t pack(uint32_t source, uint32_t destination)
{
	return (uint64_t)source << 32 | destination;
}

// Adds the parts between two nodes, and counts their links.
static int add_pair(struct search *s, uint32_t source, uint32_t destination)
{
	const struct loom_topo *t = s->topo;
	int rc = 0;
	for (unsigned half = 0; half < 2; half++) {
		struct loom_route route;
		uint32_t held = LOOM_CHANNEL_NONE, c;
		uint16_t n = 0;
		begin_part(&route, t, s->rule, half, source, destination);
		while (rc == 0 && loom_route_next(&route, &c)) {
			if (loom_topo_is_local(t, c))
				continue;
			const uint32_t lane = c * t->n_vcs + route.vc;
			if (held != LOOM_CHANNEL_NONE)
				rc = loom_channel_graph_add(&s->graph, held, lane, pack(source, destination));
			held = lane;
			n++;
		}
		s->hops[(size_t)source * t->n_nodes + destination] = n;
	}
	return rc;
}

// Adds the turns at a node that may be drawn: a message goes on from any lane of the first half to any lane of the
// second.
static int add_turns(struct search *s, uint32_t node)
{
	const struct loom_topo *t = s->topo;
	const uint32_t per_tile = loom_topo_channels_per_tile(t), half = t->n_vcs / 2;
	const unsigned n_links = loom_topo_links(t);
	int rc = 0;
	for (unsigned k = 0; rc == 0 && k < n_links * n_links; k++) {
		const unsigned q = k / n_links, p = k % n_links;
		uint32_t u, v;
		unsigned back, beside;
		if (!t->kind->link(t, node, q, &u, &back) || !t->kind->link(t, node, p, &v, &beside))
			continue;
		for (uint32_t from = 0; rc == 0 && from < half; from++)
			for (uint32_t to = half; rc == 0 && to < t->n_vcs; to++)
				rc = loom_channel_graph_add(&s->graph, (u * per_tile + back) * t->n_vcs + from,
				                            (node * per_tile + p) * t->n_vcs + to, pack(u, v));
	}
	return rc;
}

// Computes the links of the longest way, and the most links that a way has beyond a shortest one.
static void measure(struct loom_rule_freedom *out, const struct search *s)
{
	const uint32_t n = s->topo->n_nodes;
	for (uint32_t via = 0; via < n; via++) {
		const uint16_t *from = s->hops + (size_t)via * n; // the hops from each node to `via`
		for (uint32_t u = 0; u < n; u++)
			for (uint32_t w = 0; w < n; w++) {
				const uint32_t least = s->hops[(size_t)u * n + w];
				const uint32_t all = s->rule == LOOM_RULE_VALIANT ? (uint32_t)from[u] + from[w] : least;
				if (u == w)
					continue;
				out->most_hops = all > out->most_hops ? all : out->most_hops;
				out->most_detour = all - least > out->most_detour ? all - least : out->most_detour;
			}
		if (s->rule != LOOM_RULE_VALIANT)
			break; // all ways are shortest ones, whatever node is drawn
	}
}

static int number(struct loom_rule_freedom *out, const struct search *s)
{
	const struct loom_topo *t = s->topo;
	const size_t n = (size_t)loom_topo_channels(t) * t->n_vcs;
	out->number = malloc(n * sizeof *out->number);
	if (!out->number || loom_channel_graph_chains(out->number, &s->graph) != 0)
		return -1;
	uint32_t highest = 0; // the highest number in the first half
	for (size_t lane = 0; lane < n; lane++)
		if (lane % t->n_vcs < t->n_vcs / 2 && out->number[lane] > highest)
			highest = out->number[lane];
	for (size_t lane = 0; s->rule != LOOM_RULE_O1TURN && lane < n; lane++)
		out->number[lane] += lane % t->n_vcs < t->n_vcs / 2 ? 0 : highest + 1;
	for (size_t lane = 0; lane < n; lane++)
		if (loom_topo_is_local(t, (uint32_t)(lane / t->n_vcs)) ||
		    !loom_topo_channel_exists(t, (uint32_t)(lane / t->n_vcs)))
			out->number[lane] = LOOM_RULE_NO_NUMBER;
	return 0;
}

static int tell_circle(struct loom_rule_freedom *out, const struct search *s, const uint32_t *edge, size_t n)
{
	out->wait = calloc(n, sizeof *out->wait);
	if (!out->wait)
		return -1;
	out->n_waits = n;
	for (size_t i = 0; i < n; i++) {
		const struct loom_channel_edge *at = &s->graph.edge[edge[i]];
		out->wait[i] = (struct loom_rule_wait){.channel = at->from / s->topo->n_vcs,
		                                       .vc = at->from % s->topo->n_vcs,
		                                       .source = (uint32_t)(at->who >> 32),
		                                       .destination = (uint32_t)at->who};
	}
	return 0;
}

static int find(struct loom_rule_freedom *out, struct search *s)
{
	const struct loom_topo *t = s->topo;
	uint32_t *edge = NULL;
	size_t n = 0;
	int rc = 0;
	for (size_t pair = 0; rc == 0 && pair < (size_t)t->n_nodes * t->n_nodes; pair++)
		if (pair / t->n_nodes != pair % t->n_nodes)
			rc = add_pair(s, (uint32_t)(pair / t->n_nodes), (uint32_t)(pair % t->n_nodes));
	for (uint32_t node = 0; rc == 0 && s->rule != LOOM_RULE_O1TURN && node < t->n_nodes; node++)
		rc = add_turns(s, node);
	if (rc == 0)
		rc = loom_channel_graph_circle(&edge, &n, &s->graph);
	if (rc == 0)
		rc = n ? tell_circle(out, s, edge, n) : number(out, s);
	free(edge);
	if (rc == 0)
		measure(out, s);
	out->adaptiveness = NAN;
	out->is_free = rc == 0 && n == 0;
	return rc;
}

int loom_via_freedom_find(struct loom_rule_freedom *out, const struct loom_topo *t, unsigned rule, struct loom_err *err)
{
	struct loom_rule_freedom found = {0};
	struct search s = {.topo = t, .rule = rule};
	int rc = loom_via_check(t, rule, err);
	if (rc != 0)
		return rc;
	s.hops = calloc((size_t)t->n_nodes * t->n_nodes, sizeof *s.hops);
	if (!s.hops || loom_channel_graph_init(&s.graph, loom_topo_channels(t) * t->n_vcs) != 0 ||
	    find(&found, &s) != 0)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the lanes of %.120s", t->name);
	loom_channel_graph_free(&s.graph);
	free(s.hops);
	if (rc == 0) {
		*out = found;
	} else {
		free(found.number);
		free(found.wait);
	}
	return rc;
}

// --- File ------------------------------------------------------------------------------------------------------------

struct via_file {
	const struct loom_rule_freedom *freedom;
	const struct loom_topo *topo;
	unsigned rule;
	uint32_t *node_of; // owned: the number in the file of each node
	uint32_t *link_of; // owned: the number in the file of each channel that is a link
};

// Writes the links of a part, or their lanes.
static void put_way(FILE *stream, const struct via_file *f, struct loom_route route, bool lanes)
{
	const char *comma = "";
	uint32_t c;
	(void)fputs(",[", stream);
	while (loom_route_next(&route, &c)) {
		if (loom_topo_is_local(f->topo, c))
			continue;
		(void)fprintf(stream, "%s%" PRIu32, comma, lanes ? route.vc : f->link_of[c]);
		comma = ",";
	}
	(void)fputc(']', stream);
}

static void put_part(FILE *stream, const struct via_file *f, unsigned half)
{
	const uint32_t n = f->topo->n_nodes;
	const char *comma = "";
	for (size_t pair = 0; pair < (size_t)n * n; pair++) {
		const uint32_t source = (uint32_t)(pair / n), destination = (uint32_t)(pair % n);
		struct loom_route route;
		if (source == destination)
			continue;
		begin_part(&route, f->topo, f->rule, half, source, destination);
		(void)fprintf(stream, "%s\n[%" PRIu32 ",%" PRIu32, comma, source, destination);
		put_way(stream, f, route, true);
		put_way(stream, f, route, false);
		(void)fputc(']', stream);
		comma = ",";
	}
}

static int put_file(FILE *stream, const void *user)
{
	const struct via_file *f = user;
	const struct loom_topo *t = f->topo;
	uint32_t tail, head, n_links = 0;
	(void)fprintf(stream, "{\"fabric\":\"%s\",\"rule\":\"%s\",\"lanes\":%u,\"in_turn\":%s,\n", t->name,
	              loom_rule_name(f->rule), t->n_vcs, f->rule == LOOM_RULE_O1TURN ? "false" : "true");
	loom_network_put(stream, t, f->node_of);
	(void)fputs("\"numbers\":[", stream);
	for (uint32_t c = 0; c < loom_topo_channels(t); c++) {
		if (!loom_network_link(t, c, &tail, &head))
			continue;
		f->link_of[c] = n_links;
		(void)fputs(n_links++ ? ",[" : "[", stream);
		for (unsigned vc = 0; vc < t->n_vcs; vc++)
			(void)fprintf(stream, "%s%" PRIu32, vc ? "," : "", f->freedom->number[c * t->n_vcs + vc]);
		(void)fputc(']', stream);
	}
	(void)fputs("],\n\"parts\":[[", stream);
	put_part(stream, f, 0);
	(void)fputs("],[", stream);
	put_part(stream, f, 1);
	(void)fputs("]]}\n", stream);
	return 0;
}

int loom_via_certify(const struct loom_rule_freedom *freedom, const struct loom_topo *t, unsigned rule,
                     const char *path, struct loom_err *err)
{
	struct via_file f = {.freedom = freedom,
	                     .topo = t,
	                     .rule = rule,
	                     .node_of = calloc((size_t)t->n_nodes + 1, sizeof *f.node_of),
	                     .link_of = calloc((size_t)loom_topo_channels(t) + 1, sizeof *f.link_of)};
	int rc = f.node_of && f.link_of
	                 ? 0
	                 : loom_fail(err, LOOM_ENOMEM, "out of memory for a certificate of %.120s", t->name);
	for (uint32_t v = 0; rc == 0 && v < t->n_nodes; v++)
		f.node_of[v] = v;
	if (rc == 0)
		rc = loom_file_write(path, put_file, &f, err);
	free(f.node_of);
	free(f.link_of);
	return rc;
}
