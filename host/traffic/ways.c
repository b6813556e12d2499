// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/ways.h"

#include <stdbool.h>
#include <stdlib.h>

#include "machine/network.h"
#include "plan/light.h"

#define NODES_KEPT 1024u // the most nodes of a network whose ways are kept

struct loom_ways {
	struct loom_routing routing;
	uint32_t n_nodes;
	bool has_light;
	uint32_t longest;       // lanes of the longest way so far
	struct loom_way **kept; // owned, with the ways: [source * n_nodes + destination], NULL if not made; or NULL
};

int loom_ways_make(struct loom_ways **out, const struct loom_routing *routing, struct loom_err *err)
{
	const size_t n = routing->topo->n_nodes;
	struct loom_ways *ways = calloc(1, sizeof *ways);
	if (ways)
		*ways = (struct loom_ways){.routing = *routing,
		                           .n_nodes = routing->topo->n_nodes,
		                           .has_light = loom_light_matters(routing->topo)};
	const bool keeps = n <= NODES_KEPT && !loom_routing_has_via(routing);
	if (ways && keeps)
		ways->kept = calloc(n * n, sizeof *ways->kept);
	if (!ways || (keeps && !ways->kept)) {
		free(ways);
		return loom_fail(err, LOOM_ENOMEM, "no memory for the ways of %zu nodes", n);
	}
	*out = ways;
	return 0;
}

void loom_ways_free(struct loom_ways *ways)
{
	if (!ways)
		return;
	const size_t n = ways->n_nodes;
	for (size_t i = 0; ways->kept && i < n * n; i++)
		free(ways->kept[i]);
	free(ways->kept);
	free(ways);
}

static struct loom_way *make(struct loom_ways *ways, uint32_t source, uint32_t destination, uint32_t via)
{
	for (;;) {
		struct loom_route route;
		struct loom_way *way = malloc(sizeof *way + ways->longest * sizeof way->lane[0]);
		if (!way)
			return NULL;
		loom_routing_begin(&route, &ways->routing, source, destination, via);
		way->n = loom_machine_way(way->lane, ways->longest, &route);
		if (way->n <= ways->longest)
			return way;
		ways->longest = way->n;
		free(way);
	}
}

uint32_t loom_ways_without_wait(const struct loom_ways *ways, const struct loom_way *way, uint32_t source,
                                uint32_t destination, uint32_t via, uint32_t flits)
{
	return ways->has_light ? loom_routing_without_wait(&ways->routing, flits, source, destination, via)
	                       : flits + way->n - 1;
}

static struct loom_way **place_of(const struct loom_ways *ways, uint32_t source, uint32_t destination)
{
	return &ways->kept[(size_t)source * ways->n_nodes + destination];
}

void loom_ways_foresee(const struct loom_ways *ways, uint32_t source, uint32_t destination)
{
	if (ways->kept)
		__builtin_prefetch(place_of(ways, source, destination));
}

void loom_ways_fetch(const struct loom_ways *ways, uint32_t source, uint32_t destination)
{
	if (ways->kept)
		__builtin_prefetch(*place_of(ways, source, destination));
}

struct loom_way *loom_ways_take(struct loom_ways *ways, uint32_t source, uint32_t destination, uint32_t via)
{
	if (!ways->kept)
		return make(ways, source, destination, via);
	struct loom_way **kept = place_of(ways, source, destination);
	if (!*kept) {
		struct loom_way *way = make(ways, source, destination, via);
		*kept = way ? realloc(way, sizeof *way + way->n * sizeof way->lane[0]) : NULL;
		if (!*kept)
			free(way);
	}
	return *kept;
}

void loom_ways_give_back(struct loom_ways *ways, struct loom_way *way)
{
	if (!ways->kept)
		free(way);
}
