// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a network without its failed parts. The remaining nodes get routes as a graph of their own. Then nodes and
// routes get the numbers of the whole network again.
#include <flitloom/routes/failures.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/text.h"
#include "topo/failures_list.h"
#include "topo/graph.h"
#include "topo/topo_kinds.h"

static int fail_memory(const struct loom_topo *t, struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "no memory for what is left of %.100s", t->name);
}

// --- Remaining links and nodes ---------------------------------------------------------------------------------------

// Finds the other end of a link that works: neither the link nor one of its nodes failed.
static bool works(const struct loom_damage *d, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	const struct loom_topo *t = &d->whole;
	const struct loom_failures *f = &d->failures;
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	return t->kind->link(t, u, p, v, q) && !loom_failures_have(f->link, f->n_links, u * per_tile + p) &&
	       !loom_failures_have(f->link, f->n_links, *v * per_tile + *q) &&
	       !loom_failures_have(f->node, f->n_nodes, u) && !loom_failures_have(f->node, f->n_nodes, *v);
}

// Marks the nodes that can be reached from a node, or if `back` those that can reach it. ends: of all channels, for
// both directions.
static void spread(bool *reached, const struct loom_graph *ends, uint32_t from, bool back, uint32_t *queue)
{
	uint32_t n = 0;
	memset(reached, 0, ends->wires.n_nodes * sizeof *reached);
	reached[from] = true;
	queue[n++] = from;
	for (uint32_t i = 0; i < n; i++)
		for (unsigned p = 0; p < ends->n_ports; p++) {
			const uint32_t v = (back ? ends->in : ends->out)[queue[i] * ends->n_ports + p].node;
			if (v == LOOM_GRAPH_NONE || reached[v])
				continue;
			reached[v] = true;
			queue[n++] = v;
		}
}

// Finds the largest set of nodes that can reach one another, and puts the others into is_out. Returns the size of the
// set.
static int find_part(uint32_t *n_out, struct loom_damage *d, const struct loom_graph *ends, struct loom_err *err)
{
	const uint32_t n = d->whole.n_nodes;
	bool *marks = calloc(4 * (size_t)n, sizeof *marks);
	uint32_t *queue = malloc(n * sizeof *queue), most = 0;
	int rc = marks && queue ? 0 : fail_memory(&d->whole, err);
	bool *to = marks, *from = marks + n, *seen = marks + 2 * (size_t)n;
	for (uint32_t u = 0; rc == 0 && u < n; u++) {
		uint32_t size = 0;
		if (seen[u])
			continue;
		spread(to, ends, u, false, queue);
		spread(from, ends, u, true, queue);
		for (uint32_t v = 0; v < n; v++) {
			to[v] = to[v] && from[v];
			seen[v] = seen[v] || to[v];
			size += to[v];
		}
		for (uint32_t v = 0; size > most && v < n; v++)
			d->is_out[v] = !to[v];
		most = size > most ? size : most;
	}
	free(marks);
	free(queue);
	*n_out = most;
	return rc;
}

// --- The graph -------------------------------------------------------------------------------------------------------

static int make_arrays(struct loom_graph *g, uint32_t n, unsigned n_ports, const struct loom_topo *t,
                       struct loom_err *err)
{
	const size_t n_ends = (size_t)n * n_ports;
	atomic_init(&g->n_users, 1);
	g->wires.n_nodes = n;
	g->n_ports = n_ports;
	LOOM_ARRAY(&g->arrays, g->out, n_ends);
	LOOM_ARRAY(&g->arrays, g->in, n_ends);
	LOOM_ARRAY(&g->arrays, g->next, (size_t)n * n);
	LOOM_ARRAY(&g->arrays, g->lane, (size_t)n * n);
	g->wires.name = calloc(n, sizeof *g->wires.name);
	g->wires.link = calloc(n_ends, sizeof *g->wires.link);
	if (g->arrays.is_short || !g->wires.name || !g->wires.link)
		return fail_memory(t, err);
	for (size_t c = 0; c < n_ends; c++)
		g->out[c] = g->in[c] = (struct loom_graph_end){LOOM_GRAPH_NONE, 0};
	return 0;
}

static void name_nodes(struct loom_graph *g, const struct loom_topo *whole)
{
	struct loom_graph_facts graph;
	const bool has_names = loom_topo_graph_facts(&graph, whole);
	for (uint32_t u = 0; u < g->wires.n_nodes; u++)
		(void)snprintf(g->wires.name[u], sizeof g->wires.name[u], has_names ? "%s" : "%.0s%" PRIu32,
		               has_names ? graph.wires->name[u] : "", u);
}

// Sets the ends of all links that work, lists them, and computes the hash.
static void wire(struct loom_graph *g, const struct loom_damage *d)
{
	g->hash = UINT64_C(0xcbf29ce484222325);
	loom_graph_mix(&g->hash, g->wires.n_nodes);
	g->wires.n_links = 0;
	for (uint32_t u = 0; u < g->wires.n_nodes; u++)
		for (unsigned p = 0; p < g->n_ports; p++) {
			uint32_t v, w;
			unsigned q, back;
			if (!works(d, u, p, &v, &q))
				continue;
			const uint32_t here = u * g->n_ports + p, there = v * g->n_ports + q;
			const bool both = works(d, v, q, &w, &back);
			g->out[here] = (struct loom_graph_end){v, q};
			g->in[there] = (struct loom_graph_end){u, p};
			loom_graph_mix(&g->hash, (uint64_t)here << 32 | there);
			if (!both || here < there)
				g->wires.link[g->wires.n_links++] =
					(struct loom_graph_link){.from = u, .to = v, .both = both};
		}
}

// Gives the remaining nodes routes, as a graph of their own.
static int route(struct loom_graph *g, const struct loom_damage *d, uint32_t n_left, unsigned n_vcs,
                 struct loom_err *err)
{
	const uint32_t n = g->wires.n_nodes;
	struct loom_graph *left = calloc(1, sizeof *left);
	uint32_t *number = malloc(2 * (size_t)n * sizeof *number), *in_whole = number ? number + n : NULL, k = 0;
	int rc = left && number ? make_arrays(left, n_left, g->n_ports, &d->whole, err) : fail_memory(&d->whole, err);
	if (!number) { // loom_graph_free would not free a `left` without arrays
		free(left);
		return rc;
	}
	if (rc == 0)
		left->wires.in_order = g->wires.in_order;
	for (uint32_t u = 0; rc == 0 && u < n; u++)
		if (!d->is_out[u]) {
			left->wires.n_switches += u >= n - g->wires.n_switches;
			memcpy(left->wires.name[k], g->wires.name[u], sizeof *left->wires.name);
			number[u] = k;
			in_whole[k++] = u;
		}
	for (uint32_t i = 0; rc == 0 && i < n_left; i++)
		for (unsigned p = 0; p < g->n_ports; p++) {
			const struct loom_graph_end out = g->out[in_whole[i] * g->n_ports + p],
						    in = g->in[in_whole[i] * g->n_ports + p];
			if (out.node != LOOM_GRAPH_NONE && !d->is_out[out.node])
				left->out[i * g->n_ports + p] = (struct loom_graph_end){number[out.node], out.port};
			if (in.node != LOOM_GRAPH_NONE && !d->is_out[in.node])
				left->in[i * g->n_ports + p] = (struct loom_graph_end){number[in.node], in.port};
		}
	if (rc == 0)
		rc = loom_graph_route(left, n_vcs, err);
	for (uint32_t a = 0; rc == 0 && a < n_left; a++)
		for (uint32_t b = 0; b < n_left; b++) {
			const size_t in_g = (size_t)in_whole[a] * n + in_whole[b], here = (size_t)a * n_left + b;
			g->next[in_g] = left->next[here];
			g->lane[in_g] = left->lane[here];
		}
	if (rc == 0) {
		g->routing = left->routing;
		g->lanes_needed = left->lanes_needed;
		g->root = in_whole[left->root];
	}
	loom_graph_free(left);
	free(number);
	return rc;
}

// Gives the links that work their delays in the whole network, if delays differ.
static int take_delays(struct loom_graph *g, const struct loom_topo *whole, struct loom_err *err)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(whole);
	if (loom_topo_link_delays_mark(whole) == 0)
		return 0;
	LOOM_ARRAY(&g->arrays, g->delay, (size_t)g->wires.n_nodes * g->n_ports);
	if (!g->delay)
		return fail_memory(whole, err);
	for (uint32_t c = 0; c < g->wires.n_nodes * g->n_ports; c++)
		if (g->out[c].node != LOOM_GRAPH_NONE)
			g->delay[c] = (uint8_t)loom_topo_link_delay(whole, c / g->n_ports * per_tile + c % g->n_ports);
	return 0;
}

static int make_graph(struct loom_graph *g, struct loom_damage *d, unsigned n_vcs, struct loom_err *err)
{
	uint32_t n_left;
	int rc = make_arrays(g, d->whole.n_nodes, loom_topo_links(&d->whole), &d->whole, err);
	if (rc != 0)
		return rc;
	name_nodes(g, &d->whole);
	if (d->whole.graph) {
		g->wires.n_switches = d->whole.graph->wires.n_switches;
		g->wires.in_order = d->whole.graph->wires.in_order;
	}
	wire(g, d);
	if ((rc = take_delays(g, &d->whole, err)) != 0)
		return rc;
	rc = find_part(&n_left, d, g, err);
	uint32_t n_hosts = 0;
	for (uint32_t u = 0; rc == 0 && u < g->wires.n_nodes - g->wires.n_switches; u++)
		n_hosts += !d->is_out[u];
	if (rc == 0 && n_hosts < 2)
		rc = loom_fail(err, LOOM_EINPUT, "no two nodes of it are left that reach one another");
	return rc == 0 ? route(g, d, n_left, n_vcs, err) : rc;
}

// --- Other lanes or another suffix -----------------------------------------------------------------------------------

// Makes the network again from another whole network.
static int replace(struct loom_topo *t, const struct loom_topo *whole, unsigned n_vcs, struct loom_err *err)
{
	struct loom_topo with;
	int rc = loom_topo_without(&with, whole, &t->graph->damage->failures, n_vcs, err);
	if (rc != 0)
		return rc;
	loom_topo_free(t);
	*t = with;
	return 0;
}

static int set_vcs(struct loom_topo *t, unsigned n_vcs, struct loom_err *err)
{
	return t->n_vcs == n_vcs ? 0 : replace(t, &t->graph->damage->whole, n_vcs, err);
}

static int set_suffix(struct loom_topo *t, const struct loom_topo_suffix *suffix, struct loom_err *err)
{
	struct loom_topo whole;
	loom_topo_copy(&whole, &t->graph->damage->whole);
	int rc = loom_topo_suffix_set(&whole, suffix, err);
	if (rc == 0 && (whole.buffers != t->buffers || whole.link_delay != t->link_delay ||
	                loom_topo_link_delays_mark(&whole) != loom_topo_link_delays_mark(t) ||
	                whole.router_delay != t->router_delay || whole.flit_bits != t->flit_bits))
		rc = replace(t, &whole, t->n_vcs, err);
	loom_topo_free(&whole);
	return rc;
}

// --- The fabric ------------------------------------------------------------------------------------------------------

static int make_damage(struct loom_damage **out, const struct loom_topo *topo, const struct loom_failures *f,
                       struct loom_err *err)
{
	struct loom_damage *d = calloc(1, sizeof *d);
	if (!d)
		return fail_memory(topo, err);
	loom_topo_copy(&d->whole, topo);
	d->set_vcs = set_vcs;
	d->set_suffix = set_suffix;
	d->is_out = calloc(topo->n_nodes, sizeof *d->is_out);
	if (!loom_failures_copy(&d->failures, f) || !d->is_out) {
		loom_damage_free(d);
		return fail_memory(topo, err);
	}
	*out = d;
	return 0;
}

// Writes a name such as "mesh:8x8 --fail 5->6", or if that is too long one with the number of failures.
static void write_name(struct loom_topo *t, const struct loom_damage *d, unsigned n_vcs)
{
	char lanes[24] = "", text[LOOM_TOPO_NAME] = "", name[3 * LOOM_TOPO_NAME];
	const struct loom_failures *f = &d->failures;
	if (n_vcs != d->whole.n_vcs)
		(void)snprintf(lanes, sizeof lanes, " --lanes %u", n_vcs);
	if (f->text[0] && strlen(f->text) + strlen(d->whole.name) + strlen(lanes) + strlen(" --fail ") < sizeof t->name)
		(void)snprintf(text, sizeof text, "%s", f->text);
	else
		(void)snprintf(text, sizeof text, "(%zu links, %zu nodes)", f->n_links, f->n_nodes);
	loom_text_clean(text);
	for (char *c = text; *c; c++)
		*c = strchr("\"\\", *c) ? '?' : *c;
	(void)snprintf(name, sizeof name, "%s --fail %s%s", d->whole.name, text, lanes);
	(void)snprintf(t->name, sizeof t->name, "%.*s", LOOM_TOPO_NAME - 1, name);
}

static int check_whole(const struct loom_topo *t, const struct loom_failures *f, struct loom_err *err)
{
	struct loom_failure_facts facts;
	if (loom_topo_links(t) == 0)
		return loom_fail(err, LOOM_EINPUT, "%.100s has no links that could fail, as direct networks have",
		                 t->name);
	if (t->kind->router == LOOM_ROUTER_OTIS)
		return loom_fail(
			err, LOOM_EINPUT,
			"%.100s has optical links, which graphs do not have, so its links cannot fail; those of "
			"other direct networks can, such as mesh:4x4",
			t->name);
	if (t->n_nodes > LOOM_FAILURES_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.100s has %" PRIu32 " nodes; there are routes round what failed for up to %d",
		                 t->name, t->n_nodes, LOOM_FAILURES_NODES_MAX);
	if (loom_topo_failure_facts(&facts, t))
		return loom_fail(err, LOOM_EINPUT, "%.100s: something of it failed already; name all of it together",
		                 t->name);
	for (size_t i = 0; i < f->n_links; i++)
		if (f->link[i] >= loom_topo_channels(t) || loom_topo_is_local(t, f->link[i]) ||
		    !loom_topo_channel_exists(t, f->link[i]))
			return loom_fail(err, LOOM_EINPUT,
			                 "%.100s: channel %" PRIu32 ", which failed, is no link of it", t->name,
			                 f->link[i]);
	for (size_t i = 0; i < f->n_nodes; i++)
		if (f->node[i] >= t->n_nodes)
			return loom_fail(err, LOOM_EINPUT, "%.100s: there is no node %" PRIu32 " that could fail",
			                 t->name, f->node[i]);
	return 0;
}

int loom_failures_check_later(const struct loom_topo *t, struct loom_err *err)
{
	if (loom_topo_links(t) == 0)
		return loom_fail(err, LOOM_EINPUT, "on %.100s, which is no direct network, links cannot fail", t->name);
	if (t->link_delay > 0 || t->router_delay > 0 || t->light_cycles > 0 || t->light_ratio > 1)
		return loom_fail(err, LOOM_EINPUT,
		                 "on %.100s, which has delays, links can fail before a run, but not during one",
		                 t->name);
	return 0;
}

int loom_topo_without(struct loom_topo *out, const struct loom_topo *topo, const struct loom_failures *failures,
                      unsigned n_vcs, struct loom_err *err)
{
	struct loom_damage *d = NULL;
	struct loom_graph *g = NULL;
	struct loom_topo t = {.buffers = topo->buffers,
	                      .link_delay = topo->link_delay,
	                      .router_delay = topo->router_delay,
	                      .flit_bits = topo->flit_bits};
	struct loom_err why = {0};
	if (n_vcs == 0)
		n_vcs = topo->n_vcs;
	int rc = check_whole(topo, failures, err);
	if (rc != 0)
		return rc;
	if (n_vcs > LOOM_LANES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%.100s: %u lanes of each link; 1 to %d are possible", topo->name,
		                 n_vcs, LOOM_LANES_MAX);
	rc = make_damage(&d, topo, failures, &why);
	if (rc == 0 && !(g = calloc(1, sizeof *g)))
		rc = fail_memory(topo, &why);
	if (rc == 0)
		rc = make_graph(g, d, n_vcs, &why);
	if (rc == 0) {
		t.kind = &loom_topo_kind_graph;
		t.n_vcs = n_vcs;
		t.n_dims = 1;
		t.n_nodes = t.n_tiles = t.extent[0] = topo->n_nodes;
		t.ports = topo->ports;
		t.graph = g;
		write_name(&t, d, n_vcs);
		g->damage = d;
		rc = loom_topo_finish(&t, &why);
		d = NULL; // the graph owns it now
	}
	if (rc == 0) {
		*out = t;
		return 0;
	}
	loom_damage_free(d);
	if (g)
		loom_graph_free(g);
	return loom_fail(err, rc, "%.100s without what failed: %.300s", topo->name, why.text);
}
