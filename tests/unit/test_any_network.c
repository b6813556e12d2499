// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes on networks without coordinates: on meshes, tori and cubes whose coordinates are forgotten they are what they are with
// them; on random networks, links of which lead one way only, what looking at all of them finds.
#include <flitloom/routes.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/virtual_networks.h>

#include "plan/routes/region.h"
#include "some_nets.h"

#define MESSAGES_MOST 64

struct list {
	struct loom_topo topo;
	size_t n;
	struct loom_message messages[MESSAGES_MOST];
};

static void add_random(struct list *l, unsigned n, bool alike)
{
	for (l->n = 0; l->n < n; l->n++)
		l->messages[l->n] = (struct loom_message){.source = random_below(l->topo.n_nodes),
		                                          .destination = random_below(l->topo.n_nodes),
		                                          .flits = alike ? 7 : 1 + random_below(99)};
}

static uint64_t contention(const struct list *l, const struct loom_routes *routes, enum loom_load load)
{
	struct loom_err err = {0};
	uint64_t out = 0;
	if (loom_routes_check(routes, &l->topo, l->messages, l->n, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(loom_routes_contention(&out, routes, &l->topo, l->messages, load, &err), 0);
	return out;
}

static struct loom_routes_found reroute(const struct list *l, const struct loom_routes_options *options)
{
	struct loom_routes routes;
	struct loom_routes_found found;
	struct loom_err err = {0};
	if (loom_routes_reroute(&routes, &found, &l->topo, l->messages, l->n, options, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(contention(l, &routes, options->load), found.contention);
	assert_true(found.lower_bound <= found.contention);
	loom_routes_free(&routes);
	return found;
}

// --- Networks whose coordinates are forgotten ----------------------------------------------------------------------------

static void set_both(struct list *with, struct list *without, struct loom_topo_kind *kind, const char *name)
{
	struct loom_err err = {0};
	if (loom_topo_parse(&with->topo, name, &err) != 0)
		fail_msg("%s", err.text);
	without->topo = with->topo;
	*kind = *with->topo.kind;
	kind->router = LOOM_ROUTER_TABLE;
	kind->spare_label_bits = 0;
	without->topo.kind = kind;
	assert_true(loom_region_is_box(&with->topo, 0));
	assert_false(loom_region_is_box(&without->topo, 0));
}

static void mark(void *user, uint32_t channel)
{
	((uint8_t *)user)[channel] = 1;
}

// The links of all minimal routes, half-way round a ring those of both ways.
static void mark_all(uint8_t *marked, const struct list *l, struct loom_region *region, size_t i)
{
	uint32_t ties = loom_region_ties(region, &l->messages[i]), ways = ties;
	memset(marked, 0, loom_topo_channels(&l->topo));
	do {
		loom_region_set(region, &l->messages[i], ways);
		loom_region_visit(region, mark, marked);
		ways = (ways - 1) & ties;
	} while (ways != ties);
}

static const char *const networks[] = {"mesh:4x5", "mesh:3x2x4", "line:9", "cube:4",     "torus:5x3",
                                       "ring:7",   "torus:4x4",  "ring:8", "torus:2x6x3"};
#define HAS_TIES(name)                                                                                                 \
	(strcmp(name, "torus:4x4") == 0 || strcmp(name, "ring:8") == 0 || strcmp(name, "torus:2x6x3") == 0)

static void test_same_links(void **state)
{
	static struct list with, without;
	static uint8_t a[4096], b[4096];
	(void)state;
	for (size_t k = 0; k < sizeof networks / sizeof networks[0]; k++) {
		struct loom_topo_kind kind;
		struct loom_region box, distances;
		random_start(k);
		set_both(&with, &without, &kind, networks[k]);
		add_random(&with, MESSAGES_MOST, true);
		add_random(&without, 0, true);
		memcpy(without.messages, with.messages, sizeof with.messages);
		without.n = with.n;
		assert_int_equal(loom_region_init(&box, &with.topo, with.messages, with.n, 0, NULL), 0);
		assert_int_equal(loom_region_init(&distances, &without.topo, without.messages, without.n, 0, NULL), 0);
		for (size_t i = 0; i < with.n; i++) {
			mark_all(a, &with, &box, i);
			mark_all(b, &without, &distances, i);
			assert_int_equal(loom_region_hops(&box), loom_region_hops(&distances));
			if (memcmp(a, b, loom_topo_channels(&with.topo)) != 0)
				fail_msg("%s: other links from %" PRIu32 " to %" PRIu32, networks[k],
				         with.messages[i].source, with.messages[i].destination);
		}
		loom_region_free(&box);
		loom_region_free(&distances);
	}
}

// BLOCK's routes are the same ones, link for link, where no ring can be gone half-way round.
static void test_same_block(void **state)
{
	static struct list with, without;
	(void)state;
	for (unsigned round = 0; round < 60; round++) {
		const char *name = networks[round % (sizeof networks / sizeof networks[0])];
		enum loom_load load = round % 2 ? LOOM_LOAD_FLITS : LOOM_LOAD_MESSAGES;
		struct loom_topo_kind kind;
		struct loom_routes a, b;
		if (HAS_TIES(name))
			continue;
		random_start(100 + round);
		set_both(&with, &without, &kind, name);
		add_random(&with, 1 + random_below(MESSAGES_MOST), random_below(2));
		memcpy(without.messages, with.messages, sizeof with.messages);
		without.n = with.n;
		assert_int_equal(loom_routes_block(&a, &with.topo, with.messages, with.n, load, NULL), 0);
		assert_int_equal(loom_routes_block(&b, &without.topo, with.messages, with.n, load, NULL), 0);
		assert_memory_equal(a.first, b.first, (a.n + 1) * sizeof *a.first);
		assert_memory_equal(a.channel, b.channel, a.first[a.n] * sizeof *a.channel);
		loom_routes_free(&a);
		loom_routes_free(&b);
	}
}

static void test_same_loads(void **state)
{
	static struct list with, without;
	unsigned n = 0, n_same = 0;
	(void)state;
	for (unsigned round = 0; round < 45; round++) {
		const char *name = networks[round % (sizeof networks / sizeof networks[0])];
		const struct loom_routes_options options = {.load = round % 2 ? LOOM_LOAD_FLITS : LOOM_LOAD_MESSAGES,
		                                            .seed = round,
		                                            .budget_seconds = 0.05};
		struct loom_topo_kind kind;
		random_start(200 + round);
		set_both(&with, &without, &kind, name);
		add_random(&with, 1 + random_below(40), random_below(2));
		memcpy(without.messages, with.messages, sizeof with.messages);
		without.n = with.n;
		struct loom_routes_found a = reroute(&with, &options), b = reroute(&without, &options);
		if (a.lower_bound > b.contention || b.lower_bound > a.contention)
			fail_msg("%s, round %u: a bound %" PRIu64 " and %" PRIu64 " that is not one", name, round,
			         a.lower_bound, b.lower_bound);
		n++;
		n_same += a.contention == b.contention && a.lower_bound == b.lower_bound;
	}
	assert_true(n_same * 10 >= n * 9);
}

// --- Random networks -----------------------------------------------------------------------------------------------------

enum { NODES = 12, LINKS = 4 };
static struct {
	uint32_t to[NODES][LINKS], n_nodes; // UINT32_MAX: no link
} wires;

static bool link_of(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	(void)t;
	*v = wires.to[u][p];
	*q = 0;
	return *v != UINT32_MAX;
}

static const struct loom_topo_kind random_kind = {.name = "random", .router = LOOM_ROUTER_TABLE, .link = link_of};

// A ring through all nodes in some order, one way, and more links; two may lead from one node to the same other one.
static void random_network(struct list *l)
{
	uint32_t order[NODES], n = 2 + random_below(NODES - 1);
	memset(&wires, 0xff, sizeof wires);
	wires.n_nodes = n;
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t k = random_below(i), other = order[k];
		order[k] = order[i - 1];
		order[i - 1] = other;
	}
	for (uint32_t i = 0; i < n; i++)
		wires.to[order[i]][random_below(LINKS)] = order[(i + 1) % n];
	for (unsigned more = random_below(2 * n); more > 0; more--) {
		uint32_t u = random_below(n), p = random_below(LINKS), v = random_below(n);
		if (u != v && wires.to[u][p] == UINT32_MAX)
			wires.to[u][p] = v;
	}
	l->topo = (struct loom_topo){
		.kind = &random_kind, .name = "random:1", .n_nodes = n, .n_tiles = n, .n_dims = 1, .ports = LINKS + 1};
	l->topo.extent[0] = n;
}

// By Floyd and Warshall.
static void all_distances(unsigned distance[NODES][NODES])
{
	for (uint32_t u = 0; u < wires.n_nodes; u++)
		for (uint32_t v = 0; v < wires.n_nodes; v++)
			distance[u][v] = u == v ? 0 : 1000;
	for (uint32_t u = 0; u < wires.n_nodes; u++)
		for (unsigned p = 0; p < LINKS; p++)
			if (wires.to[u][p] != UINT32_MAX)
				distance[u][wires.to[u][p]] = 1;
	for (uint32_t w = 0; w < wires.n_nodes; w++)
		for (uint32_t u = 0; u < wires.n_nodes; u++)
			for (uint32_t v = 0; v < wires.n_nodes; v++)
				if (distance[u][w] + distance[w][v] < distance[u][v])
					distance[u][v] = distance[u][w] + distance[w][v];
}

// Every choice of routes that pass no node twice and have at most `detours` hops more than need be.
struct all_routes {
	const struct list *l;
	enum loom_load load;
	unsigned detours;
	unsigned distance[NODES][NODES];
	uint64_t carried[NODES][LINKS], best, tries;
	bool been[NODES];
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
		bool been[NODES];
		memcpy(been, a->been, sizeof been);
		memset(a->been, 0, sizeof a->been);
		try_message(a, i + 1, most);
		memcpy(a->been, been, sizeof been);
		return;
	}
	a->been[u] = true;
	for (unsigned p = 0; p < LINKS; p++) {
		uint32_t v = wires.to[u][p];
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

// UINT64_MAX: there are too many.
static uint64_t best_of_all(const struct list *l, enum loom_load load, unsigned detours)
{
	struct all_routes a = {.l = l, .load = load, .detours = detours, .best = UINT64_MAX, .tries = 1000000};
	all_distances(a.distance);
	try_message(&a, 0, 0);
	return a.tries ? a.best : UINT64_MAX;
}

static void check_lengths(const struct list *l, const struct loom_routes *routes, unsigned detours)
{
	unsigned distance[NODES][NODES];
	all_distances(distance);
	for (size_t i = 0; i < l->n; i++)
		assert_true(routes->first[i + 1] - routes->first[i] <=
		            distance[l->messages[i].source][l->messages[i].destination] + detours);
}

static void test_random_networks(void **state)
{
	static struct list l;
	unsigned n_tried = 0, n_best = 0;
	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		const struct loom_routes_options options = {.load = round % 2 ? LOOM_LOAD_FLITS : LOOM_LOAD_MESSAGES,
		                                            .seed = round,
		                                            .budget_seconds = 0.02};
		struct loom_routes block;
		struct loom_err err = {0};
		random_start(300 + round);
		random_network(&l);
		add_random(&l, 1 + random_below(9), random_below(2));
		if (loom_routes_block(&block, &l.topo, l.messages, l.n, options.load, &err) != 0)
			fail_msg("%s", err.text);
		check_lengths(&l, &block, 0);
		uint64_t of_block = contention(&l, &block, options.load), best = best_of_all(&l, options.load, 0);
		loom_routes_free(&block);
		if (best == UINT64_MAX)
			continue;
		struct loom_routes_found found = reroute(&l, &options);
		if (found.contention < best || found.lower_bound > best || of_block < found.contention)
			fail_msg("round %u: %" PRIu64 ", bound %" PRIu64 ", block %" PRIu64 ", where %" PRIu64
			         " is best",
			         round, found.contention, found.lower_bound, of_block, best);
		n_tried++;
		n_best += found.contention == best;
	}
	assert_true(n_tried > 250 && n_best * 100 >= n_tried * 98);
}

// Whatever the routes, no lane has a circle; and few lanes do.
static void test_layers(void **state)
{
	static struct list l;
	static uint32_t layer[MESSAGES_MOST], lane[MESSAGES_MOST * NODES];
	unsigned n_circles = 0, n_saved = 0;
	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		struct loom_routes routes;
		struct loom_lane_circle circle;
		uint32_t n_layers = 0, most = 0;
		random_start(700 + round);
		random_network(&l);
		add_random(&l, MESSAGES_MOST, true);
		assert_int_equal(loom_routes_block(&routes, &l.topo, l.messages, l.n, LOOM_LOAD_MESSAGES, NULL), 0);
		assert_int_equal(loom_lane_circle_find(&circle, &routes, NULL, 1, &l.topo, NULL), 0);
		bool had_circle = circle.n != 0;
		loom_lane_circle_free(&circle);
		assert_int_equal(loom_routes_give_lanes(layer, &n_layers, &routes, &l.topo, 4, NULL), 0);
		for (size_t i = 0; i < l.n; i++) {
			most = layer[i] > most ? layer[i] : most;
			for (size_t k = routes.first[i]; k < routes.first[i + 1]; k++)
				lane[k] = layer[i];
		}
		assert_int_equal(most + 1, n_layers);
		assert_int_equal(loom_lane_circle_find(&circle, &routes, lane, n_layers, &l.topo, NULL), 0);
		assert_int_equal(circle.n, 0);
		if (had_circle && n_layers < 2)
			fail_msg("round %u: one lane, and it has a circle", round);
		n_circles += had_circle;
		n_saved += had_circle && n_layers <= 4;
		loom_routes_free(&routes);
	}
	assert_true(n_circles > 50 && n_saved * 10 > n_circles * 9);
}

// --- Detours -------------------------------------------------------------------------------------------------------------

// The same links as a network of flitloom's has.
static void copy_network(struct list *l, const char *name)
{
	struct loom_err err = {0};
	if (loom_topo_parse(&l->topo, name, &err) != 0)
		fail_msg("%s", err.text);
	assert_true(l->topo.n_nodes <= NODES && loom_topo_links(&l->topo) <= LINKS);
	memset(&wires, 0xff, sizeof wires);
	wires.n_nodes = l->topo.n_nodes;
	for (uint32_t u = 0; u < wires.n_nodes; u++)
		for (unsigned p = 0; p < loom_topo_links(&l->topo); p++) {
			uint32_t v;
			unsigned q;
			if (l->topo.kind->link(&l->topo, u, p, &v, &q))
				wires.to[u][p] = v;
		}
}

// What the prices prove, found without the library: the cheapest way of so many hops at most, for each message.
static uint64_t proved(const struct list *l, const uint32_t *price, const struct loom_routes_options *options)
{
	unsigned distance[NODES][NODES];
	uint64_t sum = 0, paid = 0, heaviest = 0;
	all_distances(distance);
	for (uint32_t c = 0; c < loom_topo_channels(&l->topo); c++)
		sum += price[c];
	for (size_t i = 0; i < l->n; i++) {
		const struct loom_message *m = &l->messages[i];
		uint64_t w = options->load == LOOM_LOAD_FLITS ? m->flits : 1, cost[NODES], next[NODES];
		for (uint32_t u = 0; u < wires.n_nodes; u++)
			cost[u] = u == m->source ? 0 : UINT64_MAX / 2;
		for (unsigned hop = 0; hop < distance[m->source][m->destination] + options->detours; hop++) {
			memcpy(next, cost, sizeof next);
			for (uint32_t u = 0; u < wires.n_nodes; u++)
				for (unsigned p = 0; p < LINKS; p++) {
					uint32_t v = wires.to[u][p];
					if (v == UINT32_MAX)
						continue;
					uint64_t by = cost[u] + price[u * loom_topo_channels_per_tile(&l->topo) + p];
					next[v] = by < next[v] ? by : next[v];
				}
			memcpy(cost, next, sizeof cost);
		}
		if (m->source == m->destination)
			continue;
		paid += cost[m->destination] * w;
		heaviest = w > heaviest ? w : heaviest;
	}
	uint64_t of_prices = sum ? (paid + sum - 1) / sum : 0;
	return of_prices > heaviest ? of_prices : heaviest;
}

static void test_detours(void **state)
{
	static const char *const names[] = {"mesh:3x3", "ring:6", "cube:3", "mesh:2x4", "torus:3x3", NULL};
	static struct list l;
	unsigned n_tried = 0, n_best = 0, n_better = 0;
	(void)state;
	for (unsigned round = 0; round < 240; round++) {
		const char *name = names[round % 6];
		const struct loom_routes_options options = {.load = round % 2 ? LOOM_LOAD_FLITS : LOOM_LOAD_MESSAGES,
		                                            .detours = 1 + round % 4,
		                                            .seed = round,
		                                            .budget_seconds = 0.02};
		static uint32_t price[NODES * (LINKS + 2)];
		struct loom_routes routes;
		struct loom_routes_found found;
		struct loom_err err = {0};
		uint64_t bound = 0;
		random_start(1000 + round);
		if (name)
			copy_network(&l, name);
		else
			random_network(&l);
		add_random(&l, 1 + random_below(6), random_below(2));
		for (size_t i = 1; i < l.n; i++) // some messages have the same ends: these want detours
			if (random_below(2)) {
				l.messages[i].source = l.messages[0].source;
				l.messages[i].destination = l.messages[0].destination;
			}
		if (loom_routes_reroute(&routes, &found, &l.topo, l.messages, l.n, &options, &err) != 0)
			fail_msg("%s", err.text);
		assert_int_equal(contention(&l, &routes, options.load), found.contention);
		check_lengths(&l, &routes, options.detours);
		loom_routes_free(&routes);
		assert_int_equal(loom_routes_bound(&bound, price, &l.topo, l.messages, l.n, &options, &err), 0);
		assert_int_equal(bound, proved(&l, price, &options));
		uint64_t best = best_of_all(&l, options.load, options.detours),
			 shortest = best_of_all(&l, options.load, 0);
		if (best == UINT64_MAX || shortest == UINT64_MAX)
			continue;
		if (found.contention < best || found.lower_bound > best || bound > best || found.contention > shortest)
			fail_msg("round %u: %" PRIu64 ", bounds %" PRIu64 " and %" PRIu64 ", where %" PRIu64
			         " is best and %" PRIu64 " of shortest routes",
			         round, found.contention, found.lower_bound, bound, best, shortest);
		n_tried++;
		n_best += found.contention == best;
		n_better += best < shortest;
	}
	if (n_tried < 150 || n_best * 100 < n_tried * 98 || n_better < 40)
		fail_msg("%u tried, %u as good as can be, %u better than shortest routes", n_tried, n_best, n_better);
}

// Two messages between the same neighbours: one of them goes round. Where nothing is gained all routes are shortest ones.
static void test_round_the_corner(void **state)
{
	static struct list l;
	struct loom_routes routes;
	struct loom_routes_found found;
	struct loom_routes_options options = {.seed = 1};
	(void)state;
	copy_network(&l, "mesh:3x3");
	l.n = 2;
	l.messages[0] = l.messages[1] = (struct loom_message){.source = 3, .destination = 4, .flits = 5};
	for (options.detours = 0; options.detours < 4; options.detours++) {
		assert_int_equal(loom_routes_reroute(&routes, &found, &l.topo, l.messages, l.n, &options, NULL), 0);
		assert_int_equal(found.contention, options.detours < 2 ? 2 : 1);
		assert_int_equal(found.lower_bound, found.contention);
		assert_int_equal(routes.first[2], options.detours < 2 ? 2 : 4);
		loom_routes_free(&routes);
	}
	// Two more that have a link for themselves keep to it.
	l.n = 4;
	l.messages[2] = (struct loom_message){.source = 0, .destination = 8, .flits = 5};
	l.messages[3] = (struct loom_message){.source = 5, .destination = 3, .flits = 5};
	options.detours = 4;
	assert_int_equal(loom_routes_reroute(&routes, &found, &l.topo, l.messages, l.n, &options, NULL), 0);
	assert_int_equal(found.contention, 1);
	assert_int_equal(routes.first[4], 4 + 4 + 2);
	loom_routes_free(&routes);
	// Where fifteen on each link of a corner cannot be helped, one of sixteen between others goes round, and no more.
	options.detours = 2;
	for (l.n = 0; l.n < 46; l.n++)
		l.messages[l.n] = (struct loom_message){.source = l.n < 30 ? 0 : 7,
		                                        .destination = l.n < 15   ? 1
		                                                       : l.n < 30 ? 3
		                                                                  : 8,
		                                        .flits = 5};
	assert_int_equal(loom_routes_reroute(&routes, &found, &l.topo, l.messages, l.n, &options, NULL), 0);
	assert_int_equal(found.contention, 15);
	assert_int_equal(routes.first[46], 30 + 15 + 3);
	loom_routes_free(&routes);
	options.detours = LOOM_DETOURS_MAX + 1;
	assert_int_equal(loom_routes_reroute(&routes, &found, &l.topo, l.messages, l.n, &options, NULL), LOOM_EINPUT);
}

static bool same_route(const struct loom_routes *a, const struct loom_routes *b, size_t i)
{
	size_t n = a->first[i + 1] - a->first[i];
	return n == b->first[i + 1] - b->first[i] &&
	       memcmp(a->channel + a->first[i], b->channel + b->first[i], n * sizeof *a->channel) == 0;
}

// On however few lanes there is no circle, each message has one of its two routes, and what goes the usual way could not go the
// other one; with lanes enough all do.
static void test_keep_lanes(void **state)
{
	static struct list l;
	static uint32_t lane[MESSAGES_MOST], of_link[MESSAGES_MOST * 40];
	size_t n_kept[3] = {0}, n_all = 0;
	(void)state;
	for (unsigned round = 0; round < 90; round++) {
		static const uint32_t lanes[] = {1, 2, 40};
		const struct loom_routes_options options = {.detours = round % 3, .seed = round};
		struct loom_err err = {0};
		random_start(2000 + round);
		if (loom_topo_parse(&l.topo, "mesh:4x5", &err) != 0)
			fail_msg("%s", err.text);
		add_random(&l, MESSAGES_MOST, true);
		for (unsigned k = 0; k < 3; k++) {
			struct loom_routes usual, chosen, routes;
			struct loom_lane_circle circle;
			assert_int_equal(
				loom_routes_in_order(&usual, &l.topo, l.messages, l.n, LOOM_RULE_ASCENDING, &err), 0);
			assert_int_equal(loom_routes_reroute(&chosen, NULL, &l.topo, l.messages, l.n, &options, &err),
			                 0);
			assert_int_equal(loom_routes_reroute(&routes, NULL, &l.topo, l.messages, l.n, &options, &err),
			                 0);
			memset(lane, 0, sizeof lane);
			assert_int_equal(loom_routes_keep_lanes(&routes, lane, &usual, lanes[k], &l.topo, &err), 0);
			(void)contention(&l, &routes, LOOM_LOAD_MESSAGES);
			for (size_t i = 0; i < l.n; i++) {
				bool is_kept = same_route(&routes, &chosen, i);
				assert_true(is_kept || (lane[i] == 0 && same_route(&routes, &usual, i)));
				assert_true(lane[i] < lanes[k]);
				n_kept[k] += is_kept;
				for (size_t at = routes.first[i]; at < routes.first[i + 1]; at++)
					of_link[at] = lane[i];
			}
			assert_int_equal(loom_lane_circle_find(&circle, &routes, of_link, lanes[k], &l.topo, &err), 0);
			if (circle.n)
				fail_msg("round %u: a circle on %" PRIu32 " lanes", round, lanes[k]);
			loom_routes_free(&usual);
			loom_routes_free(&chosen);
			loom_routes_free(&routes);
		}
		n_all += l.n;
	}
	if (n_kept[2] != n_all || n_kept[1] * 10 < n_all * 9 || n_kept[0] < n_all / 2 || n_kept[0] == n_all)
		fail_msg("of %zu routes %zu, %zu and %zu kept", n_all, n_kept[0], n_kept[1], n_kept[2]);
}

static void test_no_way(void **state)
{
	static struct list l;
	struct loom_err err = {0};
	struct loom_routes routes = {.n = 77};
	(void)state;
	random_start(1);
	do
		random_network(&l);
	while (l.topo.n_nodes < 3);
	for (uint32_t u = 0; u < l.topo.n_nodes; u++)
		for (unsigned p = 0; p < LINKS; p++)
			if (wires.to[u][p] == 2)
				wires.to[u][p] = UINT32_MAX;
	l.messages[0] = (struct loom_message){.source = 2, .destination = 0, .flits = 1};
	l.messages[1] = (struct loom_message){.source = 1, .destination = 2, .flits = 1};
	assert_int_equal(loom_routes_block(&routes, &l.topo, l.messages, 2, LOOM_LOAD_MESSAGES, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "message 1: there is no way from node 1 to 2 on random:1");
	assert_int_equal(loom_routes_in_order(&routes, &l.topo, l.messages, 1, LOOM_RULE_ASCENDING, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "no coordinates"));
	assert_int_equal(routes.n, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_links), cmocka_unit_test(test_same_block),
		cmocka_unit_test(test_same_loads), cmocka_unit_test(test_random_networks),
		cmocka_unit_test(test_detours),    cmocka_unit_test(test_round_the_corner),
		cmocka_unit_test(test_no_way),     cmocka_unit_test(test_layers),
		cmocka_unit_test(test_keep_lanes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
