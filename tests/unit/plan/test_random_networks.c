// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes on random networks, some of whose links are one-way, compared with a search through all routes, with and
// without detours.
#include <flitloom/routes/routes.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/virtual_networks.h>

#include "unit/help/message_list.h"
#include "unit/help/some_nets.h"
#include "unit/help/wired_net.h"

#define MESSAGES_MOST 64

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
		wired_random(&l);
		list_fill(&l, 1 + random_below(9), random_below(2));
		if (loom_routes_block(&block, &l.topo, l.messages, l.n, options.load, &err) != 0)
			fail_msg("%s", err.text);
		wired_check_lengths(&l, &block, 0);
		uint64_t of_block = list_contention(&l, &block, options.load), best = wired_best(&l, options.load, 0);
		loom_routes_free(&block);
		if (best == UINT64_MAX)
			continue;
		struct loom_routes_found found = list_reroute(&l, &options);
		if (found.contention < best || found.lower_bound > best || of_block < found.contention)
			fail_msg("round %u: %" PRIu64 ", bound %" PRIu64 ", block %" PRIu64 ", where %" PRIu64
			         " is best",
			         round, found.contention, found.lower_bound, of_block, best);
		n_tried++;
		n_best += found.contention == best;
	}
	assert_true(n_tried > 250 && n_best * 100 >= n_tried * 98);
}

// For any routes no lane has a circle, and few lanes suffice.
static void test_layers(void **state)
{
	static struct list l;
	static uint32_t layer[MESSAGES_MOST], lane[MESSAGES_MOST * WIRED_NODES];
	unsigned n_circles = 0, n_saved = 0;
	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		struct loom_routes routes;
		struct loom_lane_circle circle;
		uint32_t n_layers = 0, most = 0;
		random_start(700 + round);
		wired_random(&l);
		list_fill(&l, MESSAGES_MOST, true);
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

// Computes what the prices prove, found without the library: the cheapest way within the allowed hops, for each
// message.
static uint64_t proved(const struct list *l, const uint32_t *price, const struct loom_routes_options *options)
{
	unsigned distance[WIRED_NODES][WIRED_NODES];
	uint64_t sum = 0, paid = 0, heaviest = 0;
	wired_distances(distance);
	for (uint32_t c = 0; c < loom_topo_channels(&l->topo); c++)
		sum += price[c];
	for (size_t i = 0; i < l->n; i++) {
		const struct loom_message *m = &l->messages[i];
		uint64_t w = options->load == LOOM_LOAD_FLITS ? m->flits : 1, cost[WIRED_NODES], next[WIRED_NODES];
		for (uint32_t u = 0; u < wired.n_nodes; u++)
			cost[u] = u == m->source ? 0 : UINT64_MAX / 2;
		for (unsigned hop = 0; hop < distance[m->source][m->destination] + options->detours; hop++) {
			memcpy(next, cost, sizeof next);
			for (uint32_t u = 0; u < wired.n_nodes; u++)
				for (unsigned p = 0; p < WIRED_LINKS; p++) {
					uint32_t v = wired.to[u][p];
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
		static uint32_t price[WIRED_NODES * (WIRED_LINKS + 2)];
		struct loom_routes routes;
		struct loom_routes_found found;
		struct loom_err err = {0};
		uint64_t bound = 0;
		random_start(1000 + round);
		if (name)
			wired_copy(&l, name);
		else
			wired_random(&l);
		list_fill(&l, 1 + random_below(6), random_below(2));
		for (size_t i = 1; i < l.n; i++) // some messages have the same ends: these want detours
			if (random_below(2)) {
				l.messages[i].source = l.messages[0].source;
				l.messages[i].destination = l.messages[0].destination;
			}
		if (loom_routes_reroute(&routes, &found, &l.topo, l.messages, l.n, &options, &err) != 0)
			fail_msg("%s", err.text);
		assert_int_equal(list_contention(&l, &routes, options.load), found.contention);
		wired_check_lengths(&l, &routes, options.detours);
		loom_routes_free(&routes);
		assert_int_equal(loom_routes_bound(&bound, price, &l.topo, l.messages, l.n, &options, &err), 0);
		assert_int_equal(bound, proved(&l, price, &options));
		uint64_t best = wired_best(&l, options.load, options.detours),
			 shortest = wired_best(&l, options.load, 0);
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
	wired_copy(&l, "mesh:3x3");
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
	// Fifteen messages on each link of a corner cannot be avoided; of sixteen between other nodes one goes round, and no more.
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

static void test_no_way(void **state)
{
	static struct list l;
	struct loom_err err = {0};
	struct loom_routes routes = {.n = 77};
	(void)state;
	random_start(1);
	do
		wired_random(&l);
	while (l.topo.n_nodes < 3);
	for (uint32_t u = 0; u < l.topo.n_nodes; u++)
		for (unsigned p = 0; p < WIRED_LINKS; p++)
			if (wired.to[u][p] == 2)
				wired.to[u][p] = UINT32_MAX;
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
		cmocka_unit_test(test_random_networks),  cmocka_unit_test(test_layers), cmocka_unit_test(test_detours),
		cmocka_unit_test(test_round_the_corner), cmocka_unit_test(test_no_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
