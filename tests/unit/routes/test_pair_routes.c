// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes of all pairs: on networks of every shape each is followed link by link, a circle is looked for without the numbers, loads are
// counted anew; products whose nodes were shuffled get the routes that their formulas promise.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/routes/graph.h>
#include <flitloom/routes/pair_routes.h>
#include <flitloom/routes/route_tables.h>

#include "base/rng.h"
#include "unit/help/random_graphs.h"

enum { NODES = 64, MOST_LINKS = 16 };

static struct loom_pair_options quick(uint32_t n_lanes, uint64_t seed)
{
	return (struct loom_pair_options){.n_lanes = n_lanes, .seed = seed, .rounds = 1};
}

static uint32_t head_of(const struct loom_topo *t, uint32_t channel)
{
	uint32_t v = 0;
	unsigned back;
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	if (!t->kind->link(t, channel / per_tile, channel % per_tile, &v, &back))
		fail_msg("%s has no channel %u", t->name, channel);
	return v;
}

// --- A slow check -------------------------------------------------------------------------------------------------------

// Checks that there is no circle: removes (channel, lane) pairs that wait for no remaining pair, until none is left.
static void hold_no_circle(const struct loom_topo *t, const struct loom_pair_routes *r)
{
	const size_t n = (size_t)loom_topo_channels(t) * r->n_lanes;
	uint8_t *waits = calloc(n * n, 1), *is_gone = calloc(n, 1);
	for (size_t i = 0; i < r->routes.n; i++)
		for (size_t k = r->routes.first[i] + 1; k < r->routes.first[i + 1]; k++)
			waits[((size_t)r->routes.channel[k - 1] * r->n_lanes + r->lane[i]) * n +
			      (size_t)r->routes.channel[k] * r->n_lanes + r->lane[i]] = 1;
	size_t n_gone = 0;
	for (bool more = true; more;) {
		more = false;
		for (size_t a = 0; a < n; a++) {
			bool is_free = !is_gone[a];
			for (size_t b = 0; is_free && b < n; b++)
				is_free = !waits[a * n + b] || is_gone[b];
			if (!is_free)
				continue;
			is_gone[a] = 1;
			n_gone++;
			more = true;
		}
	}
	if (n_gone != n)
		fail_msg("%s on %u lanes: %zu (channel, lane)s wait in a circle", t->name, r->n_lanes, n - n_gone);
	free(waits);
	free(is_gone);
}

// Follows each route; returns the largest load.
static uint32_t follow(const struct loom_topo *t, const struct loom_pair_routes *r)
{
	uint32_t *load = calloc(loom_topo_channels(t), sizeof *load), most = 0;
	const uint32_t n = t->n_nodes, per_tile = loom_topo_channels_per_tile(t);
	assert_int_equal(r->routes.n, (size_t)n * n);
	for (uint32_t i = 0; i < n * n; i++) {
		bool passed[NODES] = {false};
		uint32_t at = i / n;
		for (size_t k = r->routes.first[i]; k < r->routes.first[i + 1]; k++) {
			const uint32_t c = r->routes.channel[k];
			if (c / per_tile != at || passed[at])
				fail_msg("%s: the route from %u to %u goes wrong at %u", t->name, i / n, i % n, at);
			passed[at] = true;
			at = head_of(t, c);
			most = ++load[c] > most ? load[c] : most;
		}
		if (at != i % n || r->lane[i] >= r->n_lanes ||
		    (i / n == i % n && r->routes.first[i] != r->routes.first[i + 1]))
			fail_msg("%s: the route from %u to %u ends at %u, on lane %u", t->name, i / n, i % n, at,
			         r->lane[i]);
	}
	free(load);
	return most;
}

// Searches, checks, and returns the largest load; the figures must be those of the routes.
static uint32_t hold(const struct loom_topo *t, const struct loom_pair_options *options)
{
	struct loom_pair_routes r;
	struct loom_pair_facts facts;
	struct loom_err err;
	uint32_t bound = 0;
	if (loom_pair_routes_search(&r, t, options, &err) != 0)
		fail_msg("%s on %u lanes: %s", t->name, options->n_lanes, err.text);
	assert_int_equal(loom_pair_routes_check(&r, t, &err), 0);
	assert_int_equal(loom_pair_routes_facts(&facts, &r, t, &err), 0);
	assert_int_equal(loom_pair_bound(&bound, t, &err), 0);
	const uint32_t most = follow(t, &r);
	hold_no_circle(t, &r);
	assert_int_equal(facts.largest_load, most);
	assert_true(bound <= most && bound >= 1);
	assert_true(facts.mean_hops >= facts.mean_least && facts.most_hops >= facts.most_least);
	loom_pair_routes_free(&r);
	return most;
}

// --- Networks -----------------------------------------------------------------------------------------------------------

static void test_random(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 24; seed++) {
		struct loom_graph_wires wires;
		struct loom_topo t;
		struct loom_err err;
		random_graph(&wires, seed, 2 + (uint32_t)(seed * 5 % 19), (uint32_t)(seed * 7 % 23), 0);
		assert_int_equal(loom_topo_of_graph(&t, "graph:random", &wires, 1, &err), 0);
		for (uint32_t n_lanes = 1; n_lanes <= 3; n_lanes++) {
			const struct loom_pair_options options = quick(n_lanes, seed);
			(void)hold(&t, &options);
		}
		loom_topo_free(&t);
		loom_graph_wires_free(&wires);
	}
}

// One-way links: some number of lanes suffices, and fewer are refused or suffice, too.
static void test_one_way(void **unused)
{
	(void)unused;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct loom_graph_wires wires;
		struct loom_topo t;
		struct loom_err err;
		random_graph(&wires, seed, 9, 12, 50);
		if (loom_topo_of_graph(&t, "graph:random:v4", &wires, 4, &err) == 0) {
			const struct loom_pair_options options = quick(4, seed);
			(void)hold(&t, &options);
			loom_topo_free(&t);
		}
		loom_graph_wires_free(&wires);
	}
	struct loom_graph_wires circle;
	struct loom_topo t;
	struct loom_err err;
	struct loom_pair_routes r;
	random_circle(&circle, 1, 8, 0);
	assert_int_equal(loom_topo_of_graph(&t, "graph:circle:v4", &circle, 4, &err), 0);
	const struct loom_pair_options few = quick(1, 1), enough = quick(4, 1);
	assert_int_equal(loom_pair_routes_search(&r, &t, &few, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "no routes were found that cannot lock on 1 lane of each link"));
	assert_int_equal(hold(&t, &enough), 28); // from each node to those 1 to 7 further: 7 * 8 / 2
	loom_topo_free(&t);
	loom_graph_wires_free(&circle);
}

// The same network with its nodes in another order, as a graph.
static void shuffled(struct loom_topo *out, const char *name, uint64_t seed)
{
	struct loom_topo t;
	struct loom_err err;
	struct loom_rng rng;
	uint32_t number[NODES], n_links = 0;
	loom_rng_init(&rng, seed);
	assert_int_equal(loom_topo_parse(&t, name, &err), 0);
	struct loom_graph_link link[NODES * MOST_LINKS];
	char names[NODES][LOOM_GRAPH_NAME];
	for (uint32_t v = 0; v < t.n_nodes; v++) {
		const uint32_t k = (uint32_t)loom_rng_below(&rng, v + 1);
		number[v] = number[k];
		number[k] = v;
		(void)snprintf(names[v], sizeof names[v], "n%u", v);
	}
	for (uint32_t u = 0; u < t.n_nodes; u++)
		for (unsigned p = 0; p < loom_topo_links(&t); p++) {
			uint32_t v;
			unsigned q;
			if (t.kind->link(&t, u, p, &v, &q) && u < v)
				link[n_links++] = (struct loom_graph_link){number[u], number[v], true, 0, 0, 0};
		}
	const struct loom_graph_wires wires = {.n_nodes = t.n_nodes, .n_links = n_links, .name = names, .link = link};
	if (loom_topo_of_graph(out, "graph:shuffled", &wires, 1, &err) != 0)
		fail_msg("%s: %s", name, err.text);
	loom_topo_free(&t);
}

// Half of the nodes send to the other half across the cut, on one lane.
static void test_products(void **unused)
{
	(void)unused;
	static const struct {
		const char *name;
		uint32_t load;
	} rows[] = {{"cube:3", 4},     {"cube:5", 16},   {"cube:6", 32},     {"mesh:4x4", 16},
	            {"mesh:8x8", 128}, {"mesh:3x5", 18}, {"mesh:2x3x4", 24}, {"line:7", 12}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			struct loom_topo t;
			uint32_t bound;
			struct loom_err err;
			const struct loom_pair_options options = quick(1 + seed % 2, seed);
			shuffled(&t, rows[i].name, seed);
			const uint32_t load = hold(&t, &options);
			if (load != rows[i].load)
				fail_msg("%s in another order: %u pairs on a link, not %u", rows[i].name, load,
				         rows[i].load);
			assert_int_equal(loom_pair_bound(&bound, &t, &err), 0);
			assert_int_equal(bound, load);
			loom_topo_free(&t);
		}
}

// Round rings the usual routes can lock on one lane, though they would load the links less; on two lanes routes are nearly as short as can be,
// and the load is near the bound.
static void test_rings(void **unused)
{
	(void)unused;
	static const char *const names[] = {"ring:8",          "ring:9",          "table-torus:3x5",
	                                    "table-torus:4x4", "table-torus:5x5", "table-torus:5x2"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct loom_topo t;
		struct loom_err err;
		struct loom_pair_routes r;
		struct loom_pair_facts facts;
		uint32_t bound;
		const struct loom_pair_options one = quick(1, 1), two = {.n_lanes = 2, .seed = 1};
		assert_int_equal(loom_topo_parse(&t, names[i], &err), 0);
		(void)hold(&t, &one);
		assert_int_equal(loom_pair_bound(&bound, &t, &err), 0);
		assert_int_equal(loom_pair_routes_search(&r, &t, &two, &err), 0);
		assert_int_equal(loom_pair_routes_facts(&facts, &r, &t, &err), 0);
		if (facts.largest_load > bound + bound / 6 + 1 || facts.mean_hops > 1.05 * facts.mean_least)
			fail_msg("%s: load %u, bound %u; %f hops, %f at least", names[i], facts.largest_load, bound,
			         facts.mean_hops, facts.mean_least);
		loom_pair_routes_free(&r);
	}
}

// With places that were annealed, routes are as short as can be and loads as even: these networks have the least load that there is.
static void test_even(void **unused)
{
	(void)unused;
	static const struct {
		const char *name;
		uint32_t load;
	} rows[] = {{"table-torus:8x8", 64}, {"dragonfly:4,2", 17}, {"ring:16", 32}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_topo t;
		struct loom_err err;
		const struct loom_pair_options two = {.n_lanes = 2, .seed = 1};
		assert_int_equal(loom_topo_parse(&t, rows[i].name, &err), 0);
		const uint32_t load = hold(&t, &two);
		if (load != rows[i].load)
			fail_msg("%s: %u pairs on a link, not %u", rows[i].name, load, rows[i].load);
		loom_topo_free(&t);
	}
}

// Checks that at each node all routes to one destination on one lane leave by the same link, and that tables have no
// more labels than destinations.
static void hold_by_destination(const struct loom_topo *t, const struct loom_pair_options *options)
{
	struct loom_pair_routes r;
	struct loom_err err;
	const uint32_t n = t->n_nodes, per_tile = loom_topo_channels_per_tile(t);
	if (loom_pair_routes_search(&r, t, options, &err) != 0)
		fail_msg("%s on %u lanes: %s", t->name, options->n_lanes, err.text);
	uint32_t *next = malloc((size_t)r.n_lanes * n * n * sizeof *next),
		 *network = calloc(r.routes.n, sizeof *network);
	struct loom_message *all = calloc(r.routes.n, sizeof *all);
	memset(next, 0xff, (size_t)r.n_lanes * n * n * sizeof *next);
	for (size_t i = 0; i < r.routes.n; i++) {
		all[i] = (struct loom_message){.source = (uint32_t)i / n, .destination = (uint32_t)i % n, .flits = 1};
		if (r.routes.first[i] == r.routes.first[i + 1]) // an empty route: to itself, or of a switch
			all[i].destination = all[i].source;
		network[i] = r.lane[i];
		for (size_t k = r.routes.first[i]; k < r.routes.first[i + 1]; k++) {
			const uint32_t c = r.routes.channel[k];
			uint32_t *link = &next[((size_t)r.lane[i] * n + i % n) * n + c / per_tile];
			if (*link != UINT32_MAX && *link != c)
				fail_msg("%s: two links to %zu at %u on lane %u", t->name, i % n, c / per_tile,
				         r.lane[i]);
			*link = c;
		}
	}
	struct loom_route_tables tables;
	const struct loom_tables_task task = {.topo = t,
	                                      .messages = all,
	                                      .routes = &r.routes,
	                                      .n_networks = r.n_lanes,
	                                      .network = network,
	                                      .labels_most = n};
	if (loom_route_tables_make(&tables, &task, &err) != 0)
		fail_msg("%s: %s", t->name, err.text);
	assert_true(tables.n_labels <= n);
	loom_route_tables_free(&tables);
	loom_pair_routes_free(&r);
	free(next);
	free(network);
	free(all);
}

static void test_by_destination(void **unused)
{
	(void)unused;
	static const char *const names[] = {"cube:3",        "table-torus:4x4", "table-mesh:3x5",
	                                    "dragonfly:3,1", "ring:9",          "fat-tree:2,3"};
	for (size_t i = 0; i < sizeof names / sizeof names[0] + 6; i++) {
		const bool is_named = i < sizeof names / sizeof names[0];
		struct loom_graph_wires wires = {0};
		struct loom_topo t;
		struct loom_err err;
		if (!is_named)
			random_graph(&wires, i, 2 + (uint32_t)(i * 5 % 19), (uint32_t)(i * 7 % 23), 0);
		assert_int_equal(is_named ? loom_topo_parse(&t, names[i], &err)
		                          : loom_topo_of_graph(&t, "graph:random", &wires, 1, &err),
		                 0);
		for (uint32_t n_lanes = 1; n_lanes <= 3; n_lanes++) {
			const struct loom_pair_options options = {
				.n_lanes = n_lanes, .seed = i, .by_destination = true};
			if (loom_topo_hosts(&t) == t.n_nodes)
				(void)hold(&t, &options);
			hold_by_destination(&t, &options);
		}
		loom_topo_free(&t);
		loom_graph_wires_free(&wires);
	}
}

// --- Options ------------------------------------------------------------------------------------------------------------

static void test_again(void **unused)
{
	(void)unused;
	struct loom_topo t;
	struct loom_err err;
	struct loom_pair_routes r[3];
	assert_int_equal(loom_topo_parse(&t, "table-torus:4x5", &err), 0);
	for (unsigned i = 0; i < 3; i++) {
		const struct loom_pair_options options = quick(2, i == 2 ? 8 : 7);
		assert_int_equal(loom_pair_routes_search(&r[i], &t, &options, &err), 0);
	}
	const size_t n = r[0].routes.n, bytes = r[0].routes.first[n] * sizeof(uint32_t);
	assert_int_equal(r[1].routes.first[n], r[0].routes.first[n]);
	assert_memory_equal(r[1].routes.channel, r[0].routes.channel, bytes);
	assert_memory_equal(r[1].lane, r[0].lane, n);
	if (r[2].routes.first[n] == r[0].routes.first[n])
		assert_memory_not_equal(r[2].routes.channel, r[0].routes.channel, bytes); // another seed
	for (unsigned i = 0; i < 3; i++)
		loom_pair_routes_free(&r[i]);
}

// More rounds are never worse.
static void test_rounds(void **unused)
{
	(void)unused;
	struct loom_topo t;
	struct loom_err err;
	assert_int_equal(loom_topo_parse(&t, "table-torus:5x5", &err), 0);
	uint32_t before = UINT32_MAX;
	for (uint32_t rounds = 1; rounds <= 8; rounds *= 2) {
		const struct loom_pair_options options = {.n_lanes = 2, .seed = 3, .rounds = rounds};
		const uint32_t load = hold(&t, &options);
		assert_true(load <= before);
		before = load;
	}
}

static bool stop(void *user)
{
	unsigned *n = user;
	return ++*n > 3;
}

static void test_stopped(void **unused)
{
	(void)unused;
	struct loom_topo t;
	struct loom_err err;
	struct loom_pair_routes r;
	unsigned n = 0;
	assert_int_equal(loom_topo_parse(&t, "table-torus:5x5", &err), 0);
	const struct loom_pair_options options = {
		.n_lanes = 1, .seed = 1, .budget_seconds = 3600, .stopped = stop, .user = &n};
	assert_int_equal(loom_pair_routes_search(&r, &t, &options, &err), 0);
	assert_true(n >= 4 && n < 100);
	assert_int_equal(loom_pair_routes_check(&r, &t, &err), 0);
	loom_pair_routes_free(&r);
}

static void test_refused(void **unused)
{
	(void)unused;
	static const struct {
		const char *name, *says;
		uint32_t n_lanes;
	} bad[] = {{"omega:8", "no direct network", 1},
	           {"mesh:33x32", "for 1024 at most", 1},
	           {"cube:3", "0 lanes: 1 to 16", 0},
	           {"cube:3", "17 lanes: 1 to 16", 17}};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct loom_topo t;
		struct loom_err err;
		struct loom_pair_routes r;
		const struct loom_pair_options options = quick(bad[i].n_lanes, 1);
		assert_int_equal(loom_topo_parse(&t, bad[i].name, &err), 0);
		assert_int_equal(loom_pair_routes_search(&r, &t, &options, &err), LOOM_EINPUT);
		if (!strstr(err.text, bad[i].says))
			fail_msg("%s: \"%s\"", bad[i].name, err.text);
	}
}

// A number, a lane or a link that is changed is noticed.
static void test_check(void **unused)
{
	(void)unused;
	struct loom_topo t;
	struct loom_err err;
	struct loom_pair_routes r;
	const struct loom_pair_options options = quick(2, 1);
	assert_int_equal(loom_topo_parse(&t, "table-mesh:3x3", &err), 0);
	assert_int_equal(loom_pair_routes_search(&r, &t, &options, &err), 0);
	size_t longest = 0;
	for (size_t i = 0; i < r.routes.n; i++)
		if (r.routes.first[i + 1] - r.routes.first[i] == 4)
			longest = i;
	const size_t k = r.routes.first[longest];
	uint32_t *number = &r.number[(size_t)r.routes.channel[k] * 2 + r.lane[longest]];
	*number += 1000;
	assert_int_equal(loom_pair_routes_check(&r, &t, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "do not rise"));
	*number -= 1000;
	const uint32_t before = *number;
	*number = r.number[(size_t)r.routes.channel[k + 1] * 2 + r.lane[longest]]; // two alike do not rise
	assert_int_equal(loom_pair_routes_check(&r, &t, &err), LOOM_EINPUT);
	*number = before;
	r.lane[longest] += 2;
	assert_int_equal(loom_pair_routes_check(&r, &t, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "a lane that there is not"));
	r.lane[longest] -= 2;
	r.routes.channel[k] = r.routes.channel[k + 1];
	assert_int_equal(loom_pair_routes_check(&r, &t, &err), LOOM_EINPUT);
	loom_pair_routes_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),         cmocka_unit_test(test_one_way), cmocka_unit_test(test_products),
		cmocka_unit_test(test_by_destination), cmocka_unit_test(test_even),    cmocka_unit_test(test_again),
		cmocka_unit_test(test_rings),          cmocka_unit_test(test_rounds),  cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_refused),        cmocka_unit_test(test_check),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
