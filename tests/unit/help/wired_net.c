// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "wired_net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "some_nets.h"
#include "topo/topo_direct.h"

struct wired wired;

static bool link_of(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	(void)t;
	*v = wired.to[u][p];
	*q = 0;
	return *v != UINT32_MAX;
}

static const struct loom_topo_kind random_kind = {.name = "random",
                                                  .router = LOOM_ROUTER_TABLE,
                                                  .link = link_of,
                                                  .bound = loom_direct_bound,
                                                  LOOM_DIRECT_DEFAULTS};

void wired_random(struct list *l)
{
	uint32_t order[WIRED_NODES], n = 2 + random_below(WIRED_NODES - 1);
	memset(&wired, 0xff, sizeof wired);
	wired.n_nodes = n;
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t k = random_below(i), other = order[k];
		order[k] = order[i - 1];
		order[i - 1] = other;
	}
	for (uint32_t i = 0; i < n; i++)
		wired.to[order[i]][random_below(WIRED_LINKS)] = order[(i + 1) % n];
	for (unsigned more = random_below(2 * n); more > 0; more--) {
		uint32_t u = random_below(n), p = random_below(WIRED_LINKS), v = random_below(n);
		if (u != v && wired.to[u][p] == UINT32_MAX)
			wired.to[u][p] = v;
	}
	l->topo = (struct loom_topo){.kind = &random_kind,
	                             .name = "random:1",
	                             .n_nodes = n,
	                             .n_tiles = n,
	                             .n_dims = 1,
	                             .ports = WIRED_LINKS + 1};
	l->topo.extent[0] = n;
}

// Computes all distances by the algorithm of Floyd and Warshall.
void wired_distances(unsigned distance[WIRED_NODES][WIRED_NODES])
{
	for (uint32_t u = 0; u < wired.n_nodes; u++)
		for (uint32_t v = 0; v < wired.n_nodes; v++)
			distance[u][v] = u == v ? 0 : 1000;
	for (uint32_t u = 0; u < wired.n_nodes; u++)
		for (unsigned p = 0; p < WIRED_LINKS; p++)
			if (wired.to[u][p] != UINT32_MAX)
				distance[u][wired.to[u][p]] = 1;
	for (uint32_t w = 0; w < wired.n_nodes; w++)
		for (uint32_t u = 0; u < wired.n_nodes; u++)
			for (uint32_t v = 0; v < wired.n_nodes; v++)
				if (distance[u][w] + distance[w][v] < distance[u][v])
					distance[u][v] = distance[u][w] + distance[w][v];
}

// Every choice of routes that pass no node twice and have at most `detours` hops more than need be.
struct all_routes {
	const struct list *l;
	enum loom_load_unit load;
	unsigned detours;
	unsigned distance[WIRED_NODES][WIRED_NODES];
	uint64_t carried[WIRED_NODES][WIRED_LINKS], best, tries;
	bool been[WIRED_NODES];
};

static void try_message(struct all_routes *a, size_t i, uint64_t most);

static void try_from(struct all_routes *a, size_t i, uint32_t u, unsigned hops, uint64_t most)
{
	const struct loom_message *m = &a->l->messages[i];
	uint64_t w = a->load == LOOM_LOAD_FLITS ? m->flits : 1;
	if (most >= a->best || a->tries == 0)
		return;
	a->tries--;
	if (u == m->destination) {
		bool been[WIRED_NODES];
		memcpy(been, a->been, sizeof been);
		memset(a->been, 0, sizeof a->been);
		try_message(a, i + 1, most);
		memcpy(a->been, been, sizeof been);
		return;
	}
	a->been[u] = true;
	for (unsigned p = 0; p < WIRED_LINKS; p++) {
		uint32_t v = wired.to[u][p];
		if (v == UINT32_MAX || a->been[v] ||
		    hops + 1 + a->distance[v][m->destination] > a->distance[m->source][m->destination] + a->detours)
			continue;
		uint64_t now = a->carried[u][p] += w;
		try_from(a, i, v, hops + 1, now > most ? now : most);
		a->carried[u][p] -= w;
	}
	a->been[u] = false;
}

static void try_message(struct all_routes *a, size_t i, uint64_t most)
{
	if (i == a->l->n)
		a->best = most < a->best ? most : a->best;
	else
		try_from(a, i, a->l->messages[i].source, 0, most);
}

uint64_t wired_best(const struct list *l, enum loom_load_unit load, unsigned detours)
{
	struct all_routes a = {.l = l, .load = load, .detours = detours, .best = UINT64_MAX, .tries = 1000000};
	wired_distances(a.distance);
	try_message(&a, 0, 0);
	return a.tries ? a.best : UINT64_MAX;
}

void wired_check_lengths(const struct list *l, const struct loom_routes *routes, unsigned detours)
{
	unsigned distance[WIRED_NODES][WIRED_NODES];
	wired_distances(distance);
	for (size_t i = 0; i < l->n; i++)
		assert_true(routes->first[i + 1] - routes->first[i] <=
		            distance[l->messages[i].source][l->messages[i].destination] + detours);
}

void wired_copy(struct list *l, const char *name)
{
	struct loom_err err = {0};
	if (loom_topo_parse(&l->topo, name, &err) != 0)
		fail_msg("%s", err.text);
	assert_true(l->topo.n_nodes <= WIRED_NODES && loom_topo_links(&l->topo) <= WIRED_LINKS);
	memset(&wired, 0xff, sizeof wired);
	wired.n_nodes = l->topo.n_nodes;
	for (uint32_t u = 0; u < wired.n_nodes; u++)
		for (unsigned p = 0; p < loom_topo_links(&l->topo); p++) {
			uint32_t v;
			unsigned q;
			if (l->topo.kind->link(&l->topo, u, p, &v, &q))
				wired.to[u][p] = v;
		}
}
