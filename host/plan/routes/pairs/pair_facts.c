// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes figures of routes of all pairs, and checks these, from the routes alone, independently of the search.
#include <flitloom/routes/pair_routes.h>

#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/routes/failures.h>

#include "plan/routes/pairs/pair_net.h"

// Fails with the fault of a pair's route.
static int fail_pair(const struct loom_pair_routes *r, size_t i, const char *what, struct loom_err *err)
{
	return loom_fail(err, LOOM_EINPUT, "the route from node %zu to node %zu %s", i / r->n_nodes, i % r->n_nodes,
	                 what);
}

static int check_rise(const struct loom_pair_routes *r, size_t i, struct loom_err *err)
{
	const uint32_t *channel = r->routes.channel;
	if (r->lane[i] >= r->n_lanes)
		return fail_pair(r, i, "is on a lane that there is not", err);
	for (size_t k = r->routes.first[i] + 1; k < r->routes.first[i + 1]; k++)
		if (r->number[(size_t)channel[k] * r->n_lanes + r->lane[i]] <=
		    r->number[(size_t)channel[k - 1] * r->n_lanes + r->lane[i]])
			return fail_pair(r, i, "has numbers that do not rise", err);
	return 0;
}

int loom_pair_routes_check(const struct loom_pair_routes *r, const struct loom_topo *topo, struct loom_err *err)
{
	const size_t n = r->n_nodes, n_all = n * n, n_hosts = loom_topo_hosts(topo);
	if (n != topo->n_nodes || r->routes.n != n_all)
		return loom_fail(err, LOOM_EINPUT, "routes between %zu nodes, and %s has %" PRIu32, n, topo->name,
		                 topo->n_nodes);
	struct loom_message *all = calloc(n_all + 1, sizeof *all);
	if (!all)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the messages of %zu pairs", n_all);
	for (size_t i = 0; i < n_all; i++) { // a pair without a route counts as a message to the node itself
		const bool is_one = i / n < n_hosts && i % n < n_hosts;
		all[i] = (struct loom_message){
			.source = (uint32_t)(i / n), .destination = (uint32_t)(is_one ? i % n : i / n), .flits = 1};
		if (!loom_topo_takes_part(topo, (uint32_t)(i / n)) || !loom_topo_takes_part(topo, (uint32_t)(i % n)))
			all[i].destination = all[i].source;
	}
	int rc = loom_routes_check(&r->routes, topo, all, n_all, err);
	free(all);
	for (size_t i = 0; rc == 0 && i < n_all; i++)
		rc = check_rise(r, i, err);
	return rc;
}

int loom_pair_routes_facts(struct loom_pair_facts *out, const struct loom_pair_routes *r, const struct loom_topo *topo,
                           struct loom_err *err)
{
	const size_t n = r->n_nodes;
	const uint32_t n_channels = loom_topo_channels(topo);
	uint32_t *load = calloc((size_t)n_channels + 1, sizeof *load);
	struct loom_pair_facts facts = {0};
	struct loom_pair_net net;
	int rc = load ? loom_pair_net_make(&net, topo, err)
	              : loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " channels", n_channels);
	if (rc != 0) {
		free(load);
		return rc;
	}
	uint64_t hops = 0, least = 0;
	const uint32_t n_parts = net.n_nodes;
	for (uint32_t pair = 0; pair < n_parts * n_parts; pair++) {
		const uint32_t from = pair / n_parts, to = pair % n_parts;
		if (!loom_pair_is_wanted(&net, pair))
			continue;
		const size_t i = loom_pair_node(&net, from) * n + loom_pair_node(&net, to);
		const uint32_t n_hops = (uint32_t)(r->routes.first[i + 1] - r->routes.first[i]);
		const uint32_t n_least = loom_pair_hops(&net, from, to);
		hops += n_hops;
		least += n_least;
		facts.most_hops = n_hops > facts.most_hops ? n_hops : facts.most_hops;
		facts.most_least = n_least > facts.most_least ? n_least : facts.most_least;
		for (size_t k = r->routes.first[i]; k < r->routes.first[i + 1]; k++)
			load[r->routes.channel[k]]++;
	}
	for (uint32_t c = 0; c < n_channels; c++)
		if (load[c] > facts.largest_load) {
			facts.largest_load = load[c];
			facts.busiest_channel = c;
		}
	const double n_pairs = (double)net.n_hosts * (net.n_hosts - 1);
	if (n_pairs > 0) {
		facts.mean_hops = (double)hops / n_pairs;
		facts.mean_least = (double)least / n_pairs;
	}
	loom_pair_net_free(&net);
	free(load);
	*out = facts;
	return 0;
}
