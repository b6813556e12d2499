// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds routes of all pairs of a topology, and writes them in the form that callers use.
#include <flitloom/routes/pair_routes.h>

#include <inttypes.h>
#include <stdlib.h>

#include "plan/routes/pairs/pair_bound.h"
#include "plan/routes/pairs/pair_rank.h"
#include "plan/routes/pairs/pair_search.h"
#include "plan/routes/pairs/pair_trees.h"

// Numbers the links of each lane in the order of their places.
static int write_numbers(uint32_t *number, const struct loom_pair_set *set, const struct loom_pair_net *net,
                         uint32_t n_lanes, struct loom_err *err)
{
	struct loom_pair_ranked *ranked = malloc(((size_t)net->n_links + 1) * sizeof *ranked);
	if (!ranked)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " numbers", net->n_links);
	for (uint32_t lane = 0; lane < n_lanes; lane++) {
		loom_pair_rank(ranked, set->place + (size_t)lane * net->n_links, net->n_links);
		for (uint32_t i = 0; i < net->n_links; i++)
			number[(size_t)net->channel[ranked[i].at] * n_lanes + lane] = i;
	}
	free(ranked);
	return 0;
}

// Puts the lengths of the routes into routes.first, one place further on, and sums them up. Pairs that take no part
// have routes without links.
static void put_routes(struct loom_pair_routes *r, const struct loom_pair_set *set, const struct loom_pair_net *net)
{
	const uint32_t n = net->n_nodes;
	for (uint32_t i = 0; i < n * n; i++)
		r->routes.first[(size_t)loom_pair_node(net, i / n) * r->n_nodes + loom_pair_node(net, i % n) + 1] =
			set->way[i].n;
	for (size_t i = 0; i < r->routes.n; i++)
		r->routes.first[i + 1] += r->routes.first[i];
	for (uint32_t i = 0; i < n * n; i++) {
		const size_t pair = (size_t)loom_pair_node(net, i / n) * r->n_nodes + loom_pair_node(net, i % n);
		for (uint32_t k = 0; k < set->way[i].n; k++)
			r->routes.channel[r->routes.first[pair] + k] = net->channel[set->way[i].link[k]];
		r->lane[pair] = set->way[i].lane;
	}
}

static int write_out(struct loom_pair_routes *out, const struct loom_pair_set *set, const struct loom_pair_net *net,
                     uint32_t n_lanes, const struct loom_topo *topo, struct loom_err *err)
{
	const size_t n_all = (size_t)topo->n_nodes * topo->n_nodes;
	struct loom_pair_routes r = {.n_nodes = topo->n_nodes, .n_lanes = n_lanes, .routes = {.n = n_all}};
	r.routes.first = calloc(n_all + 1, sizeof *r.routes.first);
	r.routes.channel = malloc((set->hops + 1) * sizeof *r.routes.channel);
	r.lane = calloc(n_all + 1, 1);
	r.number = calloc((size_t)loom_topo_channels(topo) * n_lanes + 1, sizeof *r.number);
	int rc = r.routes.first && r.routes.channel && r.lane && r.number
	                 ? write_numbers(r.number, set, net, n_lanes, err)
	                 : loom_fail(err, LOOM_ENOMEM, "out of memory for the routes of %zu pairs", n_all);
	if (rc != 0) {
		loom_pair_routes_free(&r);
		return rc;
	}
	put_routes(&r, set, net);
	*out = r;
	return 0;
}

// Takes the better of two sets that need no search.
static int begin(struct loom_pair_set *set, const struct loom_pair_net *net, const struct loom_topo *topo,
                 const struct loom_pair_options *options, struct loom_err *err)
{
	struct loom_pair_set usual;
	int rc = loom_pair_of_product(set, net, options, err);
	if (rc == 0)
		rc = loom_pair_set_make(&usual, net, options->n_lanes, err);
	if (rc != 0)
		return rc;
	rc = loom_pair_of_usual(&usual, net, topo, options->n_lanes, err);
	if (rc == 0 && usual.found && (!set->found || usual.largest_load < set->largest_load)) {
		const struct loom_pair_set worse = *set;
		*set = usual;
		usual = worse;
	}
	loom_pair_set_free(&usual, net);
	return rc;
}

// Makes trees by the places of the set, along which all pairs have ways. On smaller networks makes further trees by
// annealed places.
static int go_by_destination(struct loom_pair_set *set, const struct loom_pair_net *net,
                             const struct loom_pair_options *options, struct loom_err *err)
{
	enum { ANNEALED_MOST = 128, TIMES = 2, BOUND_TIMES = 40 };
	struct loom_pair_set trees;
	uint32_t bound = 0;
	int rc = loom_pair_set_make(&trees, net, options->n_lanes, err);
	if (rc != 0)
		return rc;
	rc = loom_pair_bound_of_net(&bound, net, BOUND_TIMES, err);
	if (rc == 0)
		rc = loom_pair_of_trees(&trees, net, set->place, options, bound, err);
	for (uint32_t time = 1; rc == 0 && net->n_nodes <= ANNEALED_MOST && time <= TIMES; time++) {
		struct loom_pair_state state;
		if (trees.found && trees.largest_load <= bound)
			break;
		rc = loom_pair_state_make(&state, net, options->n_lanes, options->seed + time, err);
		if (rc != 0)
			break;
		rc = loom_pair_anneal(&state, false, err);
		if (rc == 0)
			rc = loom_pair_of_trees(&trees, net, state.place, options, bound, err);
		loom_pair_state_free(&state);
	}
	loom_pair_set_free(set, net);
	*set = trees;
	return rc;
}

// Finds a set of routes. Routes by destination need only its places, so by default one round is enough for them.
static int find(struct loom_pair_set *set, const struct loom_pair_net *net, const struct loom_topo *topo,
                const struct loom_pair_options *options, struct loom_err *err)
{
	struct loom_pair_options own = *options;
	own.rounds = options->by_destination && !options->rounds ? 1 : options->rounds;
	int rc = begin(set, net, topo, options, err);
	if (rc == 0)
		rc = loom_pair_search(set, net, &own, err);
	return rc == 0 && set->found && options->by_destination ? go_by_destination(set, net, options, err) : rc;
}

int loom_pair_routes_search(struct loom_pair_routes *out, const struct loom_topo *topo,
                            const struct loom_pair_options *options, struct loom_err *err)
{
	struct loom_pair_net net;
	struct loom_pair_set set = {0};
	if (options->n_lanes < 1 || options->n_lanes > LOOM_PAIR_LANES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " lanes: 1 to %d", options->n_lanes, LOOM_PAIR_LANES_MAX);
	if (options->by_destination && options->budget_seconds > 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "routes by destination take no budget: their search counts its rounds");
	int rc = loom_pair_net_make(&net, topo, err);
	if (rc != 0)
		return rc;
	rc = loom_pair_set_make(&set, &net, options->n_lanes, err);
	if (rc == 0)
		rc = find(&set, &net, topo, options, err);
	if (rc == 0 && !set.found)
		rc = loom_fail(err, LOOM_EINPUT,
		               "%s: no routes were found that cannot lock on %" PRIu32 " lane%s of each link",
		               topo->name, options->n_lanes, options->n_lanes == 1 ? "" : "s");
	if (rc == 0)
		rc = write_out(out, &set, &net, options->n_lanes, topo, err);
	loom_pair_set_free(&set, &net);
	loom_pair_net_free(&net);
	return rc;
}

void loom_pair_routes_free(struct loom_pair_routes *r)
{
	if (!r)
		return;
	loom_routes_free(&r->routes);
	free(r->lane);
	free(r->number);
	*r = (struct loom_pair_routes){0};
}
