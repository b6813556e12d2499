// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Direct networks: computes everything that follows from a kind's three functions link, next and link_name.
#include "topo/topo_direct.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/routes/failures.h>

#include "topo/grid.h"
#include "topo/cube_vc.h"
#include "topo/topo_otis.h"

#define WIRE_LINK_LOW 12
#define WIRE_ONLY_OUT (UINT32_C(1) << 21)
#define WIRE_ONLY_IN (UINT32_C(1) << 22)
#define WIRE_IS_THERE (UINT32_C(1) << 23)

static uint32_t channel_of(const struct loom_topo *t, uint32_t tile, uint32_t k)
{
	return tile * loom_topo_channels_per_tile(t) + k;
}

unsigned loom_topo_network(const struct loom_topo *t, unsigned rule)
{
	return t->kind->router == LOOM_ROUTER_TABLE && t->n_vcs > 1 ? rule : 0;
}

bool loom_direct_route_next(struct loom_route *route, uint32_t *channel)
{
	const struct loom_topo *t = route->topo;
	if (route->step == 0) {
		route->arrived =
			!loom_topo_takes_part(t, route->source) || !loom_topo_takes_part(t, route->destination);
		*channel = channel_of(t, route->source, t->ports);
		return !route->arrived;
	}
	if (route->at == route->destination) {
		*channel = channel_of(t, route->at, t->ports - 1);
		route->vc = 0;
		route->arrived = true;
		return true;
	}
	uint32_t v = 0;
	unsigned p = t->kind->next(t, route->at, route->destination, route->rule), q;
	bool there = t->kind->link(t, route->at, p, &v, &q);
	// If this fails, the kind's functions contradict one another at a place that topo_check.h did not check.
	assert(there && v < t->n_nodes && route->step <= t->n_nodes);
	(void)there;
	if (t->kind->router == LOOM_ROUTER_TABLE) {
		route->vc = loom_topo_network(t, route->rule);
	} else if (t->kind->router == LOOM_ROUTER_OTIS) {
		route->vc = t->n_vcs > 1 ? loom_otis_vc(t, route->at, route->destination) : 0;
	} else if (t->n_vcs > 1 && t->kind->complements_bits) {
		route->vc = loom_cube_vc(t, route->destination);
	} else if (t->n_vcs > 1) {
		// A message keeps its direction on a row. The channel before the first link is injection.
		unsigned before = route->channel % loom_topo_channels_per_tile(t);
		bool same_row = route->step > 1 && before / 2 == p / 2;
		route->vc = loom_grid_vc(t, route->at, p, route->destination, same_row ? route->vc : LOOM_GRID_BEGINS);
	}
	*channel = channel_of(t, route->at, p);
	route->at = v;
	return true;
}

uint64_t loom_direct_missing(const struct loom_topo *t)
{
	uint64_t missing = 0;
	for (unsigned p = 0; p + 1 < t->ports; p++) {
		uint32_t u = 0, v;
		unsigned q;
		while (u < t->n_nodes && !t->kind->link(t, u, p, &v, &q))
			u++;
		if (u == t->n_nodes)
			missing |= UINT64_C(1) << p;
	}
	return missing;
}

// Counts the links below p that some node has.
static unsigned links_below(const struct loom_topo *t, unsigned p)
{
	uint64_t missing = t->no_link & ((UINT64_C(1) << p) - 1);
	return p - (unsigned)__builtin_popcountll(missing);
}

unsigned loom_direct_groups(const struct loom_topo *t)
{
	return links_below(t, t->ports - 1) + 2;
}

unsigned loom_direct_group_of(const struct loom_topo *t, uint32_t channel)
{
	uint32_t k = channel % loom_topo_channels_per_tile(t), n_links = t->ports - 1;
	unsigned below = links_below(t, k < n_links ? k : n_links);
	return k < n_links || k == t->ports ? below : below + 1;
}

void loom_direct_group_name(const struct loom_topo *t, unsigned group, char out[16])
{
	char name[16];
	size_t n = 0;
	unsigned n_groups = loom_direct_groups(t), p = 0;
	if (group + 2 >= n_groups) {
		(void)snprintf(out, 16, "%s", group + 2 == n_groups ? "inject" : "eject");
		return;
	}
	while (t->no_link >> p & 1 || links_below(t, p) < group)
		p++;
	t->kind->link_name(t, p, name);
	for (const char *c = name; *c; c++) // "dim 3" of a link, "dim3" of all of them
		if (*c != ' ')
			out[n++] = *c;
	out[n] = '\0';
}

void loom_direct_channel_name(const struct loom_topo *t, uint32_t channel, char out[48])
{
	uint32_t tile = channel / loom_topo_channels_per_tile(t), k = channel % loom_topo_channels_per_tile(t), v;
	unsigned q;
	char name[16];
	if (k >= t->ports - 1) {
		(void)snprintf(out, 48, "%s %u", k == t->ports ? "inject" : "eject", tile);
		return;
	}
	t->kind->link_name(t, k, name);
	if (t->kind->link(t, tile, k, &v, &q))
		(void)snprintf(out, 48, "%u->%u (%s)", tile, v, name);
	else
		(void)snprintf(out, 48, "%u has no link %s", tile, name);
}

bool loom_direct_feeds(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	uint32_t back;
	unsigned from;
	if (t->kind->link(t, u, p, v, q))
		return t->kind->link(t, *v, *q, &back, &from);
	return t->kind->one_way(t, u, p, v, q);
}

// Returns the least load of a node's busiest link: each message that leaves or enters the node takes one of its links.
static uint32_t share_of_links(const struct loom_topo *t, uint32_t u, uint32_t leaving, uint32_t entering)
{
	uint32_t out = 0, in = 0, v;
	unsigned q;
	for (unsigned p = 0; p + 1 < t->ports; p++) {
		out += t->kind->link(t, u, p, &v, &q);
		in += loom_direct_feeds(t, u, p, &v, &q);
	}
	uint32_t from = out ? (leaving + out - 1) / out : leaving, to = in ? (entering + in - 1) / in : entering;
	return from > to ? from : to;
}

int loom_direct_bound(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
                      size_t n, struct loom_err *err)
{
	uint32_t most = 0, *leaving = calloc(2 * (size_t)t->n_nodes, sizeof *leaving);
	if (!leaving)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a bound on %s", t->name);
	uint32_t *entering = leaving + t->n_nodes;
	for (size_t i = 0; i < n; i++) {
		leaving[source[i]] += source[i] != destination[i];
		entering[destination[i]] += source[i] != destination[i];
	}
	for (uint32_t u = 0; u < t->n_nodes; u++) {
		uint32_t share = leaving[u] || entering[u] ? share_of_links(t, u, leaving[u], entering[u]) : 0;
		most = share > most ? share : most;
	}
	free(leaving);
	*out = most;
	return 0;
}

unsigned loom_topo_links(const struct loom_topo *t)
{
	return t->kind->link ? t->ports - 1 : 0;
}

uint32_t loom_topo_wire(const struct loom_topo *t, uint32_t u, unsigned p)
{
	uint32_t v;
	unsigned q;
	bool leaves = t->kind->link(t, u, p, &v, &q), enters = loom_direct_feeds(t, u, p, &v, &q);
	if (!leaves && !enters)
		return 0;
	return WIRE_IS_THERE | (leaves ? 0 : WIRE_ONLY_IN) | (enters ? 0 : WIRE_ONLY_OUT) | q << WIRE_LINK_LOW | v;
}

unsigned loom_topo_port(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	return here == destination ? 0 : t->kind->next(t, here, destination, rule) + 1;
}
