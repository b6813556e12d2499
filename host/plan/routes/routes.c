// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions for sets of routes of any origin: copies, checks and loads.
#include <flitloom/routes/routes.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plan/routes/region.h"
#include "plan/routes/routes_internal.h"

const char *loom_load_unit_name(unsigned load)
{
	static const char *const names[] = {[LOOM_LOAD_MESSAGES] = "messages", [LOOM_LOAD_FLITS] = "flits"};
	return load < sizeof names / sizeof names[0] ? names[load] : NULL;
}

void loom_routes_free(struct loom_routes *routes)
{
	if (!routes)
		return;
	free(routes->first);
	free(routes->channel);
	*routes = (struct loom_routes){0};
}

static int check_nodes(const struct loom_topo *topo, const struct loom_message *messages, size_t n,
                       struct loom_err *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct loom_message *m = &messages[i];
		if (m->source >= topo->n_nodes || m->destination >= topo->n_nodes)
			return loom_fail(err, LOOM_EINPUT,
			                 "message %zu goes from node %" PRIu32 " to %" PRIu32
			                 ", but %s has nodes 0..%" PRIu32,
			                 i, m->source, m->destination, topo->name, topo->n_nodes - 1);
	}
	return 0;
}

int loom_routes_check_messages(const struct loom_topo *topo, const struct loom_message *messages, size_t n,
                               struct loom_err *err)
{
	if (!loom_region_has(topo))
		return loom_fail(
			err, LOOM_EINPUT,
			"no choice of routes on %s: there is one way; direct networks have more (line, ring, mesh, "
			"torus, cube)",
			topo->name);
	if (n > LOOM_MESSAGES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%zu messages, %d at most", n, LOOM_MESSAGES_MAX);
	return check_nodes(topo, messages, n, err);
}

int loom_routes_check_detours(uint32_t detours, struct loom_err *err)
{
	if (detours <= LOOM_DETOURS_MAX)
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "%" PRIu32 " detours: hops that a route has more than a shortest one, %d at most", detours,
	                 LOOM_DETOURS_MAX);
}

int loom_routes_make_room(struct loom_routes *out, struct loom_region *region, const struct loom_message *messages,
                          size_t n, struct loom_err *err)
{
	struct loom_routes routes = {.n = n, .first = malloc((n + 1) * sizeof *routes.first)};
	if (routes.first) {
		routes.first[0] = 0;
		for (size_t i = 0; i < n; i++) {
			loom_region_set(region, &messages[i], 0);
			routes.first[i + 1] = routes.first[i] + loom_region_most(region);
		}
		routes.channel = malloc((routes.first[n] + 1) * sizeof *routes.channel);
	}
	if (!routes.channel) {
		loom_routes_free(&routes);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu messages", n);
	}
	*out = routes;
	return 0;
}

int loom_routes_in_order(struct loom_routes *out, const struct loom_topo *topo, const struct loom_message *messages,
                         size_t n, enum loom_rule rule, struct loom_err *err)
{
	struct loom_routes routes;
	struct loom_region region = {0};
	int rc = loom_routes_check_messages(topo, messages, n, err);
	if (rc == 0 && !loom_box_has(topo))
		rc = loom_fail(
			err, LOOM_EINPUT,
			"no order of dimensions on %s: its nodes have no coordinates; line, ring, mesh, torus and "
			"cube have",
			topo->name);
	if (rc == 0 && rule > LOOM_RULE_DESCENDING)
		rc = loom_fail(err, LOOM_EINPUT, "routes one way round are not minimal: ascending or descending");
	if (rc == 0)
		rc = loom_region_init(&region, topo, messages, n, 0, err);
	if (rc == 0)
		rc = loom_routes_make_room(&routes, &region, messages, n, err);
	loom_region_free(&region);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct loom_route route;
		uint32_t *channel = routes.channel + routes.first[i], c;
		if (messages[i].source == messages[i].destination)
			continue;
		loom_route_begin(&route, topo, messages[i].source, messages[i].destination, rule);
		while (loom_route_next(&route, &c))
			if (!loom_topo_is_local(topo, c))
				*channel++ = c;
	}
	if (rc == 0)
		*out = routes;
	return rc;
}

// --- Checks ----------------------------------------------------------------------------------------------------------

// Fails with the words that every message about route i shares.
static int fail_route(struct loom_err *err, const struct loom_message *messages, size_t i, const char *what,
                      uint32_t node)
{
	return loom_fail(err, LOOM_EINPUT, "the route of message %zu (%" PRIu32 " to %" PRIu32 ") %s %" PRIu32, i,
	                 messages[i].source, messages[i].destination, what, node);
}

// Checks route i. `seen`: per node, i + 1 of the last route that passed it.
static int check_route(uint32_t *seen, const struct loom_routes *routes, const struct loom_topo *topo,
                       const struct loom_message *messages, size_t i, struct loom_err *err)
{
	uint32_t at = messages[i].source, per_tile = loom_topo_channels_per_tile(topo), to;
	unsigned back;
	seen[at] = (uint32_t)i + 1;
	for (size_t k = routes->first[i]; k < routes->first[i + 1]; k++) {
		uint32_t c = routes->channel[k], link = c % per_tile;
		if (c / per_tile != at)
			return fail_route(err, messages, i, "is not connected: it has no link that leaves node", at);
		if (link >= loom_topo_links(topo) || !topo->kind->link(topo, at, link, &to, &back))
			return fail_route(err, messages, i, "leaves the network at node", at);
		if (seen[to] == (uint32_t)i + 1)
			return fail_route(err, messages, i, "passes a node twice: node", to);
		seen[to] = (uint32_t)i + 1;
		at = to;
	}
	return at == messages[i].destination ? 0 : fail_route(err, messages, i, "ends at node", at);
}

int loom_routes_check(const struct loom_routes *routes, const struct loom_topo *topo,
                      const struct loom_message *messages, size_t n, struct loom_err *err)
{
	if (routes->n != n)
		return loom_fail(err, LOOM_EINPUT, "%zu routes of %zu messages: each needs one", routes->n, n);
	if (loom_topo_links(topo) == 0)
		return loom_fail(err, LOOM_EINPUT, "routes on %s: it is no direct network", topo->name);
	int rc = check_nodes(topo, messages, n, err);
	uint32_t *seen = rc == 0 ? calloc(topo->n_nodes, sizeof *seen) : NULL;
	if (rc == 0 && !seen)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory to check %zu routes", n);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = check_route(seen, routes, topo, messages, i, err);
	free(seen);
	return rc;
}

// --- Loads -----------------------------------------------------------------------------------------------------------

void loom_routes_loads(uint64_t *out, const struct loom_routes *routes, const struct loom_topo *topo,
                       const struct loom_message *messages, enum loom_load_unit load)
{
	memset(out, 0, loom_topo_channels(topo) * sizeof *out);
	for (size_t i = 0; i < routes->n; i++)
		for (size_t k = routes->first[i]; k < routes->first[i + 1]; k++)
			out[routes->channel[k]] += loom_routes_weight(&messages[i], load);
}

int loom_routes_contention(uint64_t *out, const struct loom_routes *routes, const struct loom_topo *topo,
                           const struct loom_message *messages, enum loom_load_unit load, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(topo);
	uint64_t most = 0, *loads = malloc(n_channels * sizeof *loads);
	if (!loads)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the loads of %s", topo->name);
	loom_routes_loads(loads, routes, topo, messages, load);
	for (uint32_t c = 0; c < n_channels; c++)
		most = loads[c] > most ? loads[c] : most;
	free(loads);
	*out = most;
	return 0;
}
